//! The files that a command reads, which its output must not replace.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use etwkit::trace::Trace;
use same_file::Handle;

/// Files other than traces that were read: schemas.
static READ: Mutex<Vec<Handle>> = Mutex::new(Vec::new());

/// Notes a file that is read beside the traces.
pub(crate) fn note_read(path: &Path) {
    if let Ok(handle) = Handle::from_path(path) {
        READ.lock().unwrap_or_else(PoisonError::into_inner).push(handle);
    }
}

/// Returns whether a path leads to a file that is read, by whatever name or link.
pub(super) fn has(path: &Path, trace: &Trace) -> bool {
    let Ok(output) = Handle::from_path(path) else { return false };
    let leads_there = |name: &str| Handle::from_path(name).is_ok_and(|input| input == output);
    // A file in an archive has the archive's name before a `!`, which may be in other names, too.
    let archives = |name: &str| name.match_indices('!').any(|(at, _)| name.get(..at).is_some_and(leads_there));
    let is_trace = |name: &str| leads_there(name) || archives(name);
    Handle::stdin().is_ok_and(|stdin| stdin == output)
        || READ.lock().unwrap_or_else(PoisonError::into_inner).contains(&output)
        || trace.files().iter().any(|file| is_trace(file.source.name()))
}
