//! What makes two locations the same file: no event is read twice, whatever names its file has.

use std::path::{Path, PathBuf};

use super::location::Location;

/// Equal for locations of the same file, or of the same member of an archive.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Identity {
    Stdin,
    File(Place),
    Member(Place, String),
}

impl Identity {
    pub(super) fn of(location: &Location) -> Self {
        match location {
            Location::Stdin => Self::Stdin,
            Location::File(path) => Self::File(Place::of(path)),
            Location::Member(path, member) => Self::Member(Place::of(path), member.clone()),
        }
    }
}

/// Where a file lies.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// Its only name, without links.
    Path(PathBuf),
    /// Its device and inode, because it has several names.
    #[cfg(unix)]
    Inode(u64, u64),
}

impl Place {
    fn of(path: &Path) -> Self {
        #[cfg(unix)]
        if let Some(inode) = inode(path) {
            return inode;
        }
        Self::Path(path.canonicalize().unwrap_or_else(|_| path.to_owned()))
    }
}

/// The inode of a file with hard links. That of others is not asked for: some file systems give all files the same one.
#[cfg(unix)]
fn inode(path: &Path) -> Option<Place> {
    use std::os::unix::fs::MetadataExt;

    let known = path.metadata().ok().filter(|known| known.is_file() && known.nlink() > 1)?;
    Some(Place::Inode(known.dev(), known.ino()))
}
