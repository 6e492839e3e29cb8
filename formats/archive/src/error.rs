//! Why something is not unpacked.

use std::error::Error as StdError;

use zip::result::ZipError;

/// The result of unpacking.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why something is not unpacked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// It cannot be read as what its first bytes state that it is.
    #[error("packed data that cannot be unpacked: {0}")]
    Corrupt(Box<dyn StdError + Send + Sync>),
    /// It is larger than the limit on what is held.
    #[error("unpacked{} it is larger than the limit of {limit} bytes", if *.is_together { " together with the files before it" } else { "" })]
    TooLarge {
        /// The limit, in bytes.
        limit: u64,
        /// Whether others that are held count.
        is_together: bool,
    },
    /// It and what was unpacked before unpack to far more bytes than they are packed in. The rest of the archive is not
    /// worth a try.
    #[error("it unpacks to more than {base} bytes and {per_byte} times its packed size, far more than traces do")]
    ExpandsTooMuch {
        /// The bytes that are allowed however small the packed data is.
        base: u64,
        /// The bytes that are allowed for each packed one.
        per_byte: u64,
    },
    /// A member's name leads out of the folder that the archive would be unpacked to.
    #[error("its name leads out of the archive")]
    UnsafeName,
    /// Members of an archive share bytes, as only those of archives do that are made to unpack to very much.
    #[error("members of the archive overlap each other or its directory")]
    Overlap,
    /// Two members of an archive have the same name, so that only one of them could be read.
    #[error("two members of the archive have the same name")]
    SameNames,
    /// It is packed in a way that is not read, such as with a password.
    #[error("it is not unpacked here: {0}")]
    Unsupported(&'static str),
    /// It is not a trace.
    #[error(transparent)]
    NotATrace(etwkit::Error),
}

impl Error {
    /// Of an archive.
    pub(crate) fn of_zip(error: ZipError) -> Self {
        match error {
            ZipError::UnsupportedArchive(what) => Self::Unsupported(what),
            error => Self::corrupt(error),
        }
    }

    pub(crate) fn corrupt(error: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self::Corrupt(error.into())
    }
}
