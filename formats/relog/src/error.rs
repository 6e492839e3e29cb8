//! Why a trace cannot be written.

use std::io;

/// Why a copy was not made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The trace cannot be read.
    #[error(transparent)]
    Read(#[from] etwkit::Error),
    /// The output cannot be written.
    #[error("the copy cannot be written: {0}")]
    Write(#[from] io::Error),
    /// A file is of a kind that cannot be copied event by event.
    #[error("{file}: {why}")]
    Refused {
        /// The name of the file.
        file: String,
        /// The reason.
        why: &'static str,
    },
    /// Files of the size that was asked for have no room for what each needs, or for few events beside it.
    #[error(
        "{file}: parts of this size have no room for their header, for the descriptions of events, processes and images that \
         each needs, and for events of each processor; {}KB are enough",
        enough.div_ceil(1024)
    )]
    TooSmall {
        /// The name of the file.
        file: String,
        /// Bytes of a file that has room for them. A smaller one may be enough where processors do not take turns.
        enough: u64,
    },
}

/// A result of this crate.
pub type Result<T> = std::result::Result<T, Error>;
