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
        let Some(path) = path.filter(|path| path != Path::new("-")) else { return Self::Stdout };
        let slash =
            path.as_os_str().as_encoded_bytes().last().is_some_and(|last| std::path::is_separator(*last as char));
        if slash || path.is_dir() { Self::Folder(path) } else { Self::File(path) }
    }

    /// Opens it; a folder is none of one stream. Refuses to overwrite an input.
    pub(crate) fn open(&self, trace: &Trace) -> Result<Writer, Failure> {
        match self {
            Self::Stdout => Ok(stdout()),
            Self::File(path) => Ok(Box::new(create(path, trace)?)),
            Self::Folder(path) => Err(is_folder(path)),
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

/// Makes a file, unless it is read. It takes its name when the command ends well. A device or a pipe is written to as it
/// is, and so is a file in a folder that takes no new ones.
fn create(path: &Path, trace: &Trace) -> Result<File, Failure> {
    let known = path.metadata().ok();
    let is_stream = known.as_ref().is_some_and(|known| !known.is_file());
    if is_stream {
        return File::create(path).map_err(|error| cannot_create(error, path));
    }
    refuse_input(path, trace)?;
    match NewFile::create(path) {
        Ok((new, file)) => {
            new.wait();
            Ok(file)
        }
        Err(error) if known.is_some() && error.kind() == io::ErrorKind::PermissionDenied => {
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

/// The same, and only its owner can read it.
pub(crate) fn new_private_file(path: &Path, trace: &Trace) -> Result<(NewFile, File), Failure> {
    begin(path, trace, NewFile::create_private)
}

/// How a file is begun.
type Create = fn(&Path) -> io::Result<(NewFile, File)>;

fn begin(path: &Path, trace: &Trace, create: Create) -> Result<(NewFile, File), Failure> {
    refuse_input(path, trace)?;
    if path.is_dir() {
        return Err(is_folder(path));
    }
    create(path).map_err(|error| cannot_create(error, path))
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
