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
}

/// A result of this crate.
pub type Result<T> = std::result::Result<T, Error>;
