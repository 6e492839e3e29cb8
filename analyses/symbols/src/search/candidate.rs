//! Files that may be the one that is looked for.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use cab::Cabinet;

use super::SearchPath;
use crate::caught::caught;
use crate::contents::Contents;
use crate::limits::{MAX_POINTER, MAX_UNPACKED};

/// A file that may be the one that is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub(crate) path: PathBuf,
    pub(crate) packing: Packing,
}

/// How a file is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    /// As it is.
    Plain,
    /// In a cabinet (`.pd_`).
    Cabinet,
    /// Somewhere else (`file.ptr`).
    Pointer,
}

impl Candidate {
    pub(crate) fn plain(path: PathBuf) -> Self {
        Self { path, packing: Packing::Plain }
    }

    /// Returns the contents of the file. The error states why there are none.
    pub(crate) fn contents(&self, search: &SearchPath) -> Result<Contents, String> {
        match self.packing {
            Packing::Plain => Ok(Contents::Path(self.path.clone())),
            Packing::Cabinet => Ok(Contents::of(unpacked(&Contents::Path(self.path.clone()))?)),
            Packing::Pointer => {
                let path = target(&self.path)?;
                if !search.allows(&path) {
                    Err(format!("it leads to {}, which is not below a folder that may be read", path.display()))
                } else if path.is_file() {
                    Ok(Contents::Path(path))
                } else {
                    Err(format!("it leads to {}, which is not there", path.display()))
                }
            }
        }
    }
}

/// Unpacks the first file of a cabinet. The error states what is wrong.
pub(crate) fn unpacked(contents: &Contents) -> Result<Vec<u8>, String> {
    let bytes = caught(|| unpack(contents).map_err(|error| error.to_string()));
    bytes.unwrap_or_else(|| Err("damaged: the code that unpacks it panicked".to_owned()))
}

fn unpack(contents: &Contents) -> io::Result<Vec<u8>> {
    let (file, _) = contents.open()?;
    let mut cabinet = Cabinet::new(file)?;
    let first = cabinet.folder_entries().flat_map(cab::FolderEntry::file_entries).next();
    let name = first.map(|entry| entry.name().to_owned()).ok_or(io::ErrorKind::NotFound)?;
    let mut bytes = Vec::new();
    cabinet.read_file(&name)?.take(MAX_UNPACKED + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_UNPACKED {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("more than {MAX_UNPACKED} bytes")));
    }
    Ok(bytes)
}

/// Returns where a `file.ptr` leads to: `PATH:` and a path, or a path alone. One with `MSG:` states why there is no
/// file.
fn target(pointer: &Path) -> Result<PathBuf, String> {
    let mut bytes = Vec::new();
    let read = File::open(pointer).and_then(|file| file.take(MAX_POINTER).read_to_end(&mut bytes));
    read.map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&bytes);
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\0');
    let after = |word: &str| {
        text.get(..word.len()).filter(|front| front.eq_ignore_ascii_case(word)).and(text.get(word.len()..))
    };
    match after("MSG:") {
        Some(message) => Err(format!("the store says: {}", message.trim())),
        None => Ok(PathBuf::from(after("PATH:").unwrap_or(text).trim())),
    }
}
