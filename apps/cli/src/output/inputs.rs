//! The files that a command reads, which its output must not replace.

use std::fs::Metadata;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use etwkit::trace::Trace;
use same_file::Handle;

/// Files other than traces that were read: schemas.
static READ: Mutex<Vec<Handle>> = Mutex::new(Vec::new());

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
            || self.0.iter().any(|name| leads_there(name) || archives(name))
    }
}

/// Opens a plain file. Who opens a pipe waits for its other end, and no output takes the place of one.
fn plain_file(path: &Path) -> Option<Handle> {
    path.metadata().ok().filter(Metadata::is_file)?;
    Handle::from_path(path).ok()
}
