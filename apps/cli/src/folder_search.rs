//! Listing folders: no other file of this crate does.

use std::ffi::OsString;
use std::path::Path;

use walkdir::{DirEntry, WalkDir};

/// Everything below a folder down to a depth, and what could not be listed. Symbolic links to folders are not followed.
pub(crate) fn below(folder: &Path, max_depth: usize) -> impl Iterator<Item = walkdir::Result<DirEntry>> {
    WalkDir::new(folder).min_depth(1).max_depth(max_depth).into_iter()
}

/// The names of everything in a folder, in no order; `None` if it cannot be listed.
pub(crate) fn names_in(folder: &Path) -> Option<Vec<OsString>> {
    let entries = std::fs::read_dir(folder).ok()?;
    Some(entries.filter_map(Result::ok).map(|entry| entry.file_name()).collect())
}

/// The folder that a file is in.
pub(crate) fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
