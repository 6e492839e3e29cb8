//! A file that stays open if there are not too many.

use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::error::{Error, Result};
use crate::limits;

/// Files that are kept open.
static OPEN: AtomicUsize = AtomicUsize::new(0);

/// A file that is kept open, or opened each time.
#[derive(Debug)]
pub(super) enum KeptFile {
    /// Counted.
    Open(File),
    /// Where it is, from any working folder, and by what it is known again.
    Closed(PathBuf, Identity),
}

impl KeptFile {
    /// Keeps an open file of this path, unless there are too many already.
    pub(super) fn new(path: &Path, file: File, meta: &Metadata) -> io::Result<Self> {
        let one_more = |open: usize| (open < limits::MAX_OPEN_FILES).then_some(open + 1);
        if OPEN.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_more).is_ok() {
            return Ok(Self::Open(file));
        }
        Ok(Self::Closed(std::path::absolute(path)?, Identity::of(meta)))
    }

    /// Reads from the file.
    #[inline]
    pub(super) fn with<R>(&self, read: impl FnOnce(&File) -> Result<R>) -> Result<R> {
        match self {
            Self::Open(file) => read(file),
            Self::Closed(path, identity) => read(&reopen(path, identity).map_err(Error::reading)?),
        }
    }
}

impl Drop for KeptFile {
    fn drop(&mut self) {
        if matches!(self, Self::Open(_)) {
            OPEN.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// Opens the file again, unless its name leads to another one: sessions rename the files of a set.
fn reopen(path: &Path, identity: &Identity) -> io::Result<File> {
    let file = File::open(path)?;
    if Identity::of(&file.metadata()?) == *identity {
        Ok(file)
    } else {
        Err(io::Error::other("another file has taken its name meanwhile"))
    }
}

/// What stays the same while a file grows or shrinks.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Identity {
    #[cfg(unix)]
    inode: (u64, u64),
    #[cfg(not(unix))]
    created: Option<std::time::SystemTime>,
}

impl Identity {
    #[cfg(unix)]
    fn of(meta: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self { inode: (meta.dev(), meta.ino()) }
    }

    #[cfg(not(unix))]
    fn of(meta: &Metadata) -> Self {
        Self { created: meta.created().ok() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Input;

    #[test]
    fn files_beyond_those_that_are_kept_open_read_the_same() {
        let folder = std::env::temp_dir().join(format!("etwkit-kept-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = |number: usize| folder.join(number.to_string());
        let inputs: Vec<Input> = (0..limits::MAX_OPEN_FILES + 2)
            .map(|number| {
                std::fs::write(path(number), number.to_string()).unwrap();
                Input::open(path(number)).unwrap()
            })
            .collect();
        for (number, input) in inputs.iter().enumerate() {
            assert_eq!(input.window(0, 10, &mut Vec::new()).unwrap(), number.to_string().as_bytes());
        }
        let last = limits::MAX_OPEN_FILES + 1;
        std::fs::write(folder.join("other"), "other").unwrap();
        std::fs::rename(folder.join("other"), path(last)).unwrap();
        let said = format!("{:#}", inputs[last].window(0, 10, &mut Vec::new()).unwrap_err());
        assert!(said.contains("another file has taken its name"), "{said}");
        let said = format!("{:?}", inputs[0].window(0, 1, &mut Vec::new()).unwrap());
        assert_eq!(said, "[48]");
        drop(inputs);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
