//! The files that a command reads, which its output must not replace.

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use etwkit::input::has_extension;
use etwkit::trace::Trace;
use etwkit_parsers::Additions;
use etwkit_symbols::may_name_code;
use same_file::Handle;

/// Files other than traces that were read: schemas.
static READ: Mutex<Vec<Handle>> = Mutex::new(Vec::new());

/// Which files of a folder are read.
type IsRead = fn(&Path) -> bool;

/// Folders in which schemas and symbols were looked for.
static SEARCHED: Mutex<Vec<(PathBuf, IsRead)>> = Mutex::new(Vec::new());

/// Whether a file of a folder is read for schemas.
pub(crate) fn is_schemas(path: &Path) -> bool {
    has_extension(path, &Additions::schema_extensions())
}

/// Whether a file of a folder may be read for symbols.
pub(crate) fn is_symbols(path: &Path) -> bool {
    has_extension(path, &["tmf"]) || may_name_code(path)
}

/// Notes a file that is read beside the traces, or a folder of which some files are.
pub(crate) fn note_read_in(path: &Path, is_read: IsRead) {
    if path.is_dir() {
        let folder = path.canonicalize().map(|folder| (folder, is_read));
        SEARCHED.lock().unwrap_or_else(PoisonError::into_inner).extend(folder);
    }
    note_read(path);
}

/// Notes a file that is read beside the traces.
pub(crate) fn note_read(path: &Path) {
    if let Some(handle) = plain_file(path) {
        READ.lock().unwrap_or_else(PoisonError::into_inner).push(handle);
    }
}

/// The files that a trace is read from, by their names: a handle of each would take a descriptor.
#[derive(Debug)]
pub(super) struct Inputs(Vec<String>);

impl Inputs {
    pub(super) fn of(trace: &Trace) -> Self {
        Self(trace.files().iter().map(|file| file.source.name().to_owned()).collect())
    }

    /// Returns whether a path leads to a file that is read, by whatever name or link.
    pub(super) fn has(&self, path: &Path) -> bool {
        let Some(output) = plain_file(path) else { return false };
        let leads_there = |name: &str| plain_file(Path::new(name)).is_some_and(|input| input == output);
        // A file in an archive has the archive's name before a `!`, which may be in other names, too.
        let archives = |name: &str| name.match_indices('!').any(|(at, _)| name.get(..at).is_some_and(leads_there));
        Handle::stdin().is_ok_and(|stdin| stdin == output)
            || READ.lock().unwrap_or_else(PoisonError::into_inner).contains(&output)
            || is_in_searched_folder(path)
            || self.0.iter().any(|name| leads_there(name) || archives(name))
    }
}

/// Whether a path leads to a file that may have been read as a schema or for symbols.
fn is_in_searched_folder(path: &Path) -> bool {
    let Ok(path) = path.canonicalize() else { return false };
    let folders = SEARCHED.lock().unwrap_or_else(PoisonError::into_inner);
    folders.iter().any(|(folder, is_read)| path.starts_with(folder) && is_read(&path))
}

/// Opens a plain file. Who opens a pipe waits for its other end, and no output takes the place of one.
fn plain_file(path: &Path) -> Option<Handle> {
    path.metadata().ok().filter(Metadata::is_file)?;
    Handle::from_path(path).ok()
}
