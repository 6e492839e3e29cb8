//! What is opened: files, also packed ones, and bytes.

use std::fs::File;
use std::io::{BufReader, Seek as _};
use std::path::{Path, PathBuf};

use etwkit::error::IoAction;
use etwkit::input::Input;
use etwkit::{Error, ErrorKind, Result};
use etwkit_archive::{Archive, Limits, Packing, Unpacked, Unpacker, first_bytes};
use pyo3::prelude::*;

/// A file, or a name and bytes.
#[derive(Debug, FromPyObject)]
pub(crate) enum Source {
    Bytes((String, Vec<u8>)),
    Path(PathBuf),
}

/// What was opened.
#[derive(Debug, Default)]
pub(crate) struct Opened {
    pub(crate) inputs: Vec<Input>,
    /// What is missing of packed files.
    pub(crate) notes: Vec<String>,
}

/// Opens all. Several traces of an archive are several files.
pub(crate) fn open(sources: Vec<Source>) -> Result<Opened> {
    let mut unpacker = Unpacker::new(Limits::default()).keep(true);
    let mut opened = Opened::default();
    for source in sources {
        match source {
            Source::Bytes((name, bytes)) => opened.inputs.push(Input::bytes(name, bytes)),
            Source::Path(path) => open_path(&path, &mut unpacker, &mut opened)?,
        }
    }
    Ok(opened)
}

impl Opened {
    fn push(&mut self, unpacked: etwkit_archive::Result<Unpacked>, name: &str) -> Result<()> {
        let unpacked = unpacked.map_err(|error| Error::caller(error).of_file(name))?;
        self.notes.extend(unpacked.broken_off.map(|error| format!("{name} is not complete: {error}")));
        self.inputs.push(Input::bytes(name, unpacked.bytes));
        Ok(())
    }
}

/// What a file is, its first bytes tell, and not its name.
fn open_path(path: &Path, unpacker: &mut Unpacker, opened: &mut Opened) -> Result<()> {
    let name = path.display().to_string();
    let opening = |source| Error::new(ErrorKind::Io { action: IoAction::Open, source }).of_file(&name);
    let mut file = File::open(path).map_err(opening)?;
    if file.metadata().map_err(opening)?.is_dir() {
        return Err(opening(std::io::Error::from_raw_os_error(IS_FOLDER)));
    }
    let start = first_bytes(&mut file).map_err(opening)?;
    file.rewind().map_err(opening)?;
    let packed = file.metadata().map_err(opening)?.len();
    match Packing::of(&start) {
        Packing::Gzip => {
            unpacker.begin(0);
            let reader = unpacker.counted(file);
            opened.push(unpacker.gzip(&name, reader), &name)?;
        }
        Packing::Zip => {
            unpacker.begin(packed);
            let archive = Archive::open(BufReader::new(file));
            let mut archive = archive.map_err(|error| Error::caller(error).of_file(&name))?;
            let mut members: Vec<_> = archive.members().iter().filter(|one| is_trace(one.name())).cloned().collect();
            members.sort_by(|a, b| a.name().cmp(b.name()));
            for member in members {
                let full = format!("{name}!{}", member.name());
                opened.push(unpacker.member(&full, &mut archive, &member), &full)?;
            }
        }
        _ => opened.inputs.push(Input::open(path)?),
    }
    Ok(())
}

/// Whether a member of an archive is called like a trace.
fn is_trace(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    [".etl", ".blg", ".btl"].iter().any(|end| name.ends_with(end)) || name.contains(".etl.")
}

/// The number of "is a directory" where Unix has one; Windows refuses to open a folder.
const IS_FOLDER: i32 = 21;
