//! The temporary files of this run, which an interruption removes.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{NamedTempFile, PathPersistError, TempPath};

/// Temporary files that have not taken their names.
static FILES: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// A temporary file that has not taken its name. It is removed when it is dropped, and when the run is interrupted.
#[derive(Debug)]
pub(super) struct Unfinished(Option<TempPath>);

/// Makes a temporary file, which is known from its first moment on.
pub(super) fn begin(create: impl FnOnce() -> io::Result<NamedTempFile>) -> io::Result<(Unfinished, File)> {
    let mut files = files();
    let (file, path) = create()?.into_parts();
    files.insert(path.to_path_buf());
    Ok((Unfinished(Some(path)), file))
}

/// Removes all of them. As long as the guard lives, none is begun and none takes its name.
#[must_use]
pub(crate) fn remove_all() -> impl Sized {
    let files = files();
    for path in files.iter() {
        // Nobody reads a report any more.
        let _ = std::fs::remove_file(path);
    }
    files
}

impl Unfinished {
    /// Where it is until then.
    pub(super) fn path(&self) -> &Path {
        self.0.as_deref().unwrap_or(Path::new(""))
    }

    /// Gives it its name by `persist`.
    pub(super) fn end(
        mut self,
        persist: impl FnOnce(TempPath) -> Result<(), PathPersistError>,
    ) -> Result<(), PathPersistError> {
        let mut files = files();
        let Some(path) = self.0.take() else { return Ok(()) };
        files.remove(&*path);
        persist(path)
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(path) = self.0.take() {
            files().remove(&*path);
        }
    }
}

fn files() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}
