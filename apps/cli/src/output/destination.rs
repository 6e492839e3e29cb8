//! Stdout, a file or a folder.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anstream::{AutoStream, ColorChoice};
use etwkit::trace::Trace;

use crate::failure::Failure;

use super::inputs::Inputs;
use super::new_file::NewFile;
use super::whole_lines::WholeLines;

/// For a folder of the output that does not exist.
const MAKE_FOLDER: &str = "make the folder first; only the file is made";

/// Takes bytes.
pub(crate) type Writer = Box<dyn Write + Send + Sync>;

/// Where the output goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Output {
    /// The standard output.
    Stdout,
    /// A file, made or replaced.
    File(PathBuf),
    /// A folder, made if it is not there: its path ends with a slash.
    Folder(PathBuf),
}

impl Output {
    /// What was typed.
    pub(crate) fn new(path: Option<PathBuf>) -> Self {
        let Some(path) = path.filter(|path| !is_stdout(path)) else { return Self::Stdout };
        let slash =
            path.as_os_str().as_encoded_bytes().last().is_some_and(|last| std::path::is_separator(*last as char));
        if slash || path.is_dir() { Self::Folder(path) } else { Self::File(path) }
    }

    /// Opens it; an error for a folder, which is not a single stream. Refuses to overwrite an input.
    pub(crate) fn open(&self, trace: &Trace) -> Result<Writer, Failure> {
        match self {
            Self::Stdout => Ok(stdout()),
            Self::File(path) => Ok(Box::new(create(path, trace)?)),
            Self::Folder(path) => Err(is_folder(path)),
        }
    }

    /// Refuses to overwrite an input of another trace than that with which it is opened.
    pub(crate) fn refuse_input(&self, trace: &Trace) -> Result<(), Failure> {
        match self {
            Self::File(path) if !is_stream(path) => refuse_input(path, trace),
            _ => Ok(()),
        }
    }

    /// As [`Output::open`], and whether colours will be seen there.
    pub(crate) fn open_colored(&self, trace: &Trace) -> Result<(Writer, bool), Failure> {
        let choice = AutoStream::choice(&io::stdout());
        match self {
            // The stream knows what an old console needs.
            Self::Stdout if choice != ColorChoice::Never => {
                Ok((Box::new(WholeLines::new(AutoStream::new(io::stdout(), choice))), true))
            }
            _ => Ok((self.open(trace)?, false)),
        }
    }
}

/// Makes a file, unless it is read. It takes its name when the command ends well. A device or a pipe is written to as
/// it is, and so is a file in a folder that takes no new ones.
fn create(path: &Path, trace: &Trace) -> Result<File, Failure> {
    if is_stream(path) {
        return File::create(path).map_err(|error| cannot_create(error, path));
    }
    refuse_input(path, trace)?;
    match NewFile::create(path) {
        Ok((new, file)) => {
            new.wait();
            Ok(file)
        }
        Err(error) if path.exists() && error.kind() == io::ErrorKind::PermissionDenied => {
            File::create(path).map_err(|error| cannot_create(error, path))
        }
        Err(error) => Err(cannot_create(error, path)),
    }
}

/// The standard output, whose lines are whole whenever the run ends.
pub(crate) fn stdout() -> Writer {
    Box::new(WholeLines::new(io::stdout()))
}

/// Begins a file that the caller keeps, unless it is read. Returns it with what writes to it.
pub(crate) fn new_file(path: &Path, trace: &Trace) -> Result<(NewFile, File), Failure> {
    begin(path, trace, NewFile::create)
}

/// As [`new_file`], somewhere below a folder that is there: the folders between are made when the file is kept.
pub(crate) fn new_file_below(folder: &Path, path: &Path, trace: &Trace) -> Result<(NewFile, File), Failure> {
    begin(path, trace, |path| NewFile::create_below(folder, path))
}

/// Begins a text that the caller keeps if it is a file; the standard output, a device or a pipe is written to as it is.
pub(crate) fn new_text(path: &Path, trace: &Trace) -> Result<(Option<NewFile>, Writer), Failure> {
    begin_text(path, trace, NewFile::create)
}

/// The same, and only the owner of a file can read it.
pub(crate) fn new_private_text(path: &Path, trace: &Trace) -> Result<(Option<NewFile>, Writer), Failure> {
    begin_text(path, trace, NewFile::create_private)
}

/// How a file is begun.
type Create = fn(&Path) -> io::Result<(NewFile, File)>;

fn begin_text(path: &Path, trace: &Trace, create: Create) -> Result<(Option<NewFile>, Writer), Failure> {
    if is_stdout(path) {
        return Ok((None, stdout()));
    }
    if is_stream(path) && !path.is_dir() {
        let stream = File::create(path).map_err(|error| cannot_create(error, path))?;
        return Ok((None, Box::new(stream)));
    }
    let (new, file) = begin(path, trace, create)?;
    Ok((Some(new), Box::new(file)))
}

fn begin(
    path: &Path,
    trace: &Trace,
    create: impl FnOnce(&Path) -> io::Result<(NewFile, File)>,
) -> Result<(NewFile, File), Failure> {
    if path.is_dir() {
        return Err(is_folder(path));
    }
    refuse_stdout(path)?;
    if is_stream(path) {
        return Err(no_plain_file(path));
    }
    refuse_input(path, trace)?;
    create(path).map_err(|error| cannot_create(error, path))
}

/// Refuses `-` for an output that must be a file.
pub(crate) fn refuse_stdout(path: &Path) -> Result<(), Failure> {
    if is_stdout(path) { Err(no_plain_file(path)) } else { Ok(()) }
}

fn is_stdout(path: &Path) -> bool {
    path == Path::new("-")
}

/// Returns whether a path leads to something that a file must not take the place of: a device, a pipe, a socket.
pub(super) fn is_stream(path: &Path) -> bool {
    path.metadata().is_ok_and(|known| !known.is_file())
}

/// A device, a pipe or the standard output where what was written is completed or read again.
fn no_plain_file(path: &Path) -> Failure {
    Failure::new("the output must be a plain file")
        .of(path.display())
        .hint("name a file: a device or a pipe cannot take a header that is written last, and cannot be read again")
}

fn is_folder(path: &Path) -> Failure {
    Failure::new("this is a folder, and the output is one file").of(path.display()).hint("name a file in that folder")
}

fn refuse_input(path: &Path, trace: &Trace) -> Result<(), Failure> {
    if Inputs::of(trace).has(path) {
        return Err(Failure::new("the output would overwrite an input")
            .of(path.display())
            .hint("write to a file of another name"));
    }
    Ok(())
}

/// Why a file could not be made.
fn cannot_create(error: io::Error, path: &Path) -> Failure {
    let no_folder = error.kind() == io::ErrorKind::NotFound;
    Failure::from(error).of(path.display()).hint_if(no_folder.then_some(MAKE_FOLDER))
}
