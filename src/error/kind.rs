//! The kinds of errors.

use std::error::Error as StdError;
use std::fmt;
use std::io;

use super::{FieldError, ForeignFormat};

/// The kind of an error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Fewer bytes than the structure needs.
    #[error("{what} needs {need} bytes, {have} are left")]
    Truncated {
        /// The structure being read.
        what: &'static str,
        /// Bytes needed.
        need: u64,
        /// Bytes there.
        have: u64,
    },
    /// A value that cannot be right.
    #[error("{what} is {found:#x}, which cannot be right")]
    Invalid {
        /// The field being read.
        what: &'static str,
        /// Its value.
        found: u64,
    },
    /// A text (schema file, manifest, TMF ...) that does not follow its grammar.
    #[error("line {line}: {detail}")]
    Syntax {
        /// Line, from 1.
        line: u32,
        /// What was expected or found.
        detail: String,
    },
    /// A cap of [`crate::limits`] was met.
    #[error("{what} exceeds the limit of {limit}")]
    Limit {
        /// What is too large.
        what: &'static str,
        /// The cap.
        limit: u64,
    },
    /// A schema that the executor cannot run.
    #[error("schema: {0}")]
    Schema(String),
    /// A filter expression or a name in one that cannot be read.
    #[error("expression: {0}")]
    Expression(String),
    /// The input is something else than a trace.
    #[error("not an .etl trace: {0}")]
    NotATrace(ForeignFormat),
    /// An event does not fill the type that it was to be deserialized into; `serde` states why.
    #[error("deserialize: {0}")]
    Deserialize(String),
    /// A field of an event is missing, or does not have the requested type.
    #[error(transparent)]
    Field(FieldError),
    /// The operating system refused, or a writer or reader of the caller.
    #[error("{action}")]
    Io {
        /// The operation.
        action: IoAction,
        /// Why it failed.
        source: io::Error,
    },
    /// The caller's progress function ended the pass.
    #[error("cancelled")]
    Cancelled,
    /// An error of code outside of the engine: of a closure, a sink or a parser. It prints as that error does, and has
    /// its causes.
    #[error(transparent)]
    Caller(Box<dyn StdError + Send + Sync>),
}

/// The operation that the operating system refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum IoAction {
    /// Opening a file or listing a folder.
    Open,
    /// Reading a file or stream.
    Read,
    /// Writing output.
    Write,
    /// Not known: an [`io::Error`] that became an [`Error`](super::Error) by `?`.
    Other,
}

impl fmt::Display for IoAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Open => "cannot open the file",
            Self::Read => "cannot read the file",
            Self::Write => "cannot write the output",
            Self::Other => "input or output failed",
        })
    }
}
