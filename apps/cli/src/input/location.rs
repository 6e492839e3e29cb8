//! Where an input comes from.

use std::path::PathBuf;

use crate::failure::Failure;

/// One place to read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Location {
    /// Standard input.
    Stdin,
    /// A file.
    File(PathBuf),
    /// A member of an archive, by its name there.
    Member(PathBuf, String),
}

impl Location {
    /// The file; what has none is refused.
    pub(super) fn into_path(self) -> Result<PathBuf, Failure> {
        match self {
            Self::File(path) => Ok(path),
            Self::Stdin => Err(Failure::new("stdin is not a file").hint("write it to a file first")),
            Self::Member(path, member) => {
                let failure = Failure::new(format!("its member {member} is not a file")).of(path.display());
                Err(failure.hint("name the archive without a member, or unpack it first"))
            }
        }
    }
}
