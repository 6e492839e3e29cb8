//! A file that appears under its name only when it is complete.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use etwkit::Input;
use tempfile::{Builder, TempPath};

use crate::failure::Failure;

use super::unfinished::{self, Unfinished};

/// A file that is being written: a temporary one beside it, which takes its name when it is kept. Until then what was there
/// stays, and neither a failure nor an interruption leaves anything.
#[derive(Debug)]
pub(crate) struct NewFile {
    temporary: Unfinished,
    path: PathBuf,
}

/// The files that take their names when the command ends well.
static WAITING: Mutex<Vec<NewFile>> = Mutex::new(Vec::new());

impl NewFile {
    /// Begins a file, and returns it with what writes to it.
    pub(super) fn create(path: &Path) -> io::Result<(Self, File)> {
        Self::begin(path, None, false)
    }

    /// Begins a file below a folder that is there; the folders between are made when it is kept.
    pub(super) fn create_below(folder: &Path, path: &Path) -> io::Result<(Self, File)> {
        Self::begin(path, Some(folder), false)
    }

    /// Begins a file that only its owner can read, where the system knows owners.
    pub(super) fn create_private(path: &Path) -> io::Result<(Self, File)> {
        Self::begin(path, None, true)
    }

    fn begin(path: &Path, below: Option<&Path>, is_private: bool) -> io::Result<(Self, File)> {
        // A link stays, and the file that it leads to is replaced.
        let path = path.canonicalize().unwrap_or_else(|_| target_of_links(path));
        let folder = below.or_else(|| path.parent()).filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or_else(|| Path::new("."));
        let mut builder = Builder::new();
        builder.prefix(".etwkit-").suffix(".part");
        if !is_private {
            public(&mut builder);
        }
        let (temporary, file) = unfinished::begin(|| builder.tempfile_in(folder))?;
        if is_private {
            return Ok((Self { temporary, path }, file));
        }
        if let Ok(known) = path.metadata() {
            // What the file was allowed to others, it stays. A file system without permissions refuses that.
            let _ = file.set_permissions(known.permissions());
        }
        Ok((Self { temporary, path }, file))
    }

    /// Opens the file again, to write at its end.
    pub(super) fn append(&self) -> io::Result<File> {
        OpenOptions::new().append(true).open(self.temporary.path())
    }

    /// Returns where the bytes are until the file is kept.
    pub(super) fn temporary_path(&self) -> PathBuf {
        self.temporary.path().to_owned()
    }

    /// Returns what was written, to be read again.
    pub(crate) fn input(&self) -> etwkit::Result<Input> {
        Input::open(self.temporary.path())
    }

    /// Gives the file its name.
    pub(crate) fn keep(self) -> Result<(), Failure> {
        let Self { temporary, path } = self;
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| Failure::from(error).of(folder.display()))?;
        }
        let persist = |temporary: TempPath| temporary.persist(&path);
        temporary.end(persist).map_err(|error| Failure::from(error.error).of(path.display()))
    }

    /// Lets the file take its name by [`keep_waiting`].
    pub(super) fn wait(self) {
        waiting().push(self);
    }
}

fn waiting() -> MutexGuard<'static, Vec<NewFile>> {
    WAITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Gives all files that wait their names.
pub(crate) fn keep_waiting() -> Result<(), Failure> {
    waiting().drain(..).try_for_each(NewFile::keep)
}

/// Removes all files that wait.
pub(crate) fn discard_waiting() {
    waiting().clear();
}

/// As any other new file: a temporary one is else only for its owner.
#[cfg(unix)]
fn public(builder: &mut Builder<'_, '_>) {
    use std::os::unix::fs::PermissionsExt;
    // The mask of the process applies.
    builder.permissions(PermissionsExt::from_mode(0o666));
}

#[cfg(not(unix))]
const fn public(_: &mut Builder<'_, '_>) {}

/// Returns where a path leads whose file is not there yet, through the links on the way.
fn target_of_links(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(target) = path.read_link() else { break };
        path = path.parent().map_or_else(|| target.clone(), |folder| folder.join(&target));
    }
    path
}

/// Links that are followed: as many as Linux follows.
const MOST_LINKS: usize = 40;

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn what_was_there_stays_until_the_file_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        std::fs::write(&path, "old").unwrap();
        let begin = || {
            let (new, mut file) = NewFile::create(&path).unwrap();
            file.write_all(b"n").unwrap();
            drop(file);
            new.append().unwrap().write_all(b"ew").unwrap();
            assert_eq!(std::fs::read(&path).unwrap(), b"old");
            new
        };
        drop(begin());
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left of it");
        begin().keep().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
    }
}
