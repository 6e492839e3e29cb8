//! Errors and problems.
//!
//! An [`Error`] ends an operation; a [`Problem`] is damage, loss or a misfit that is *delivered* while the rest goes
//! on. Both say what was being read and where.

use std::fmt;

/// The result of everything that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why an operation could not be done. One word wide; look inside with [`Error::kind`] and [`Error::offset`].
#[derive(Debug)]
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    kind: ErrorKind,
    offset: Option<u64>,
    file: Option<Box<str>>,
}

/// What went wrong.
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
    /// The input is not a trace; the text says what it looks like.
    #[error("not an .etl trace: {0}")]
    NotATrace(&'static str),
    /// A field of an event is not there in the type that was asked for.
    #[error(transparent)]
    Field(FieldError),
    /// The operating system refused.
    #[error("{0}")]
    Io(std::io::Error),
}

impl Error {
    /// An error without a place.
    #[cold]
    pub fn new(kind: ErrorKind) -> Self {
        Self(Box::new(Inner { kind, offset: None, file: None }))
    }

    /// The same error with the byte offset (in the file or blob being read) where it happened.
    #[cold]
    #[must_use]
    pub fn at(mut self, offset: u64) -> Self {
        self.0.offset = Some(offset);
        self
    }

    /// The same error with the name of the file that was being read.
    #[cold]
    #[must_use]
    pub fn of_file(mut self, name: impl fmt::Display) -> Self {
        self.0.file = Some(name.to_string().into());
        self
    }

    /// A [`ErrorKind::Truncated`].
    #[cold]
    pub fn truncated(what: &'static str, need: usize, have: usize) -> Self {
        Self::new(ErrorKind::Truncated { what, need: need as u64, have: have as u64 })
    }

    /// A [`ErrorKind::Invalid`].
    #[cold]
    pub fn invalid(what: &'static str, found: u64) -> Self {
        Self::new(ErrorKind::Invalid { what, found })
    }

    /// A [`ErrorKind::Limit`].
    #[cold]
    pub fn limit(what: &'static str, limit: usize) -> Self {
        Self::new(ErrorKind::Limit { what, limit: limit as u64 })
    }

    /// A [`ErrorKind::Schema`].
    #[cold]
    pub fn schema(detail: impl Into<String>) -> Self {
        Self::new(ErrorKind::Schema(detail.into()))
    }

    /// What went wrong.
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// The byte offset where it went wrong, if it has a place.
    pub fn offset(&self) -> Option<u64> {
        self.0.offset
    }

    /// The file that was being read, where it is known.
    pub fn file(&self) -> Option<&str> {
        self.0.file.as_deref()
    }

    /// Whether the cause is a closed pipe, which a command-line tool does not report.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(&self.0.kind, ErrorKind::Io(e) if e.kind() == std::io::ErrorKind::BrokenPipe)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.0.file {
            write!(f, "{file}: ")?;
        }
        match (&self.0.kind, self.0.offset) {
            // Where there are lines, the line is the place that people look for.
            (ErrorKind::Syntax { .. }, _) | (_, None) => self.0.kind.fmt(f),
            (kind, Some(offset)) => write!(f, "at offset {offset:#x}: {kind}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0.kind {
            ErrorKind::Io(e) => Some(e),
            _ => None,
        }
    }
}

impl From<std::io::Error> for Error {
    #[cold]
    fn from(e: std::io::Error) -> Self {
        Self::new(ErrorKind::Io(e))
    }
}

impl From<FieldError> for Error {
    #[cold]
    fn from(error: FieldError) -> Self {
        Self::new(ErrorKind::Field(error))
    }
}

/// Why a field is not there in the wanted type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FieldError {
    /// No schema describes the event.
    #[error("{event} has no schema, so it has no field {field}")]
    Undecoded {
        /// The event's name.
        event: Box<str>,
        /// The field's name, as it was asked for.
        field: Box<str>,
    },
    /// The event's schema has no such field, or the event ends before this optional field.
    #[error("{event} has no field {field}")]
    Missing {
        /// The event's name.
        event: Box<str>,
        /// The field's name, as it was asked for.
        field: Box<str>,
    },
    /// The payload does not fit the schema at this field or before it.
    #[error("the payload of {event} does not fit its schema at or before the field {field}")]
    Misfit {
        /// The event's name.
        event: Box<str>,
        /// The field's name, as it was asked for.
        field: Box<str>,
    },
    /// The field is of another type.
    #[error("the field {field} is not of type {wanted}")]
    WrongType {
        /// The field's name.
        field: Box<str>,
        /// The type that was asked for.
        wanted: &'static str,
    },
    /// The field's number does not fit the type.
    #[error("the value of the field {field} does not fit the type {wanted}")]
    OutOfRange {
        /// The field's name.
        field: Box<str>,
        /// The type that was asked for.
        wanted: &'static str,
    },
}

/// How much a [`Problem`] matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Severity {
    /// Worth knowing; nothing is missing.
    Note,
    /// The capture itself lost something: the file is whole, the recording is not.
    Loss,
    /// Bytes of the file could not be read.
    Damage,
}

impl Severity {
    /// Its name in output: `note`, `loss` or `damage`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Loss => "loss",
            Self::Damage => "damage",
        }
    }
}

/// Something wrong with a trace that did not stop the reading of it.
///
/// The bytes `offset .. offset + len` of the file are concerned; for [`Severity::Damage`] they are the bytes that are
/// in no delivered event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// How much it matters.
    pub severity: Severity,
    /// A short stable name of the kind:
    ///
    /// | kind | severity | meaning |
    /// |---|---|---|
    /// | `bad-header` | damage | the log-file header cannot be read |
    /// | `bad-buffer` | damage | no buffer header where one should be, or one that cannot be right |
    /// | `bad-compression` | damage | a compressed buffer cannot be unpacked, or only its beginning |
    /// | `bad-event` | damage | bytes of a buffer that are no event |
    /// | `truncated` | damage | the file ends inside a buffer |
    /// | `used-length` | note | a buffer's used length goes beyond the buffer |
    /// | `slack` | damage | what follows a buffer's used length is no fill |
    /// | `zero-tail` | note or damage | only zeros to the end of the file |
    /// | `events-lost`, `buffers-lost` | loss | what the session says that it lost |
    /// | `bad-schema` | note | a schema or fact that lies in the trace cannot be used |
    /// | `state-full` | note | more processes, files and so on than are kept |
    pub kind: &'static str,
    /// The input file, counted from 0 in the order given.
    pub file: usize,
    /// Where in the file it begins, in bytes.
    pub offset: u64,
    /// How many bytes are concerned. In a compressed buffer: of the bytes on disk.
    pub len: u64,
    /// One sentence for people.
    pub detail: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {:#x}, {} bytes: {}", self.kind, self.offset, self.len, self.detail)
    }
}
