//! Errors and problems.
//!
//! An [`Error`] ends an operation; a [`Problem`] is damage, loss or a misfit that is *delivered* while the rest goes
//! on. Both state what was being read and where.

mod field;
mod foreign_format;
mod kind;
mod problem;
mod problem_list;

use std::error::Error as StdError;
use std::fmt;
use std::io;

pub use field::FieldError;
pub use foreign_format::ForeignFormat;
pub use kind::{ErrorKind, IoAction};
pub use problem::{Problem, ProblemKind, Severity};
pub use problem_list::ProblemList;

/// The result of everything that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why an operation could not be done. One word wide; look inside with [`Error::kind`] and [`Error::offset`].
///
/// `{}` prints the error without its cause, which [`source`](StdError::source) returns; `{:#}` prints the causes too,
/// after colons. `{:?}` prints the same line and the kind.
///
/// ```
/// # fn main() {
/// let error = etwkit::input::Input::open("no-such-file.etl").unwrap_err();
/// assert_eq!(error.to_string(), "no-such-file.etl: cannot open the file");
/// assert!(format!("{error:#}").starts_with("no-such-file.etl: cannot open the file: "));
/// # }
/// ```
pub struct Error(Box<Inner>);

struct Inner {
    kind: ErrorKind,
    offset: Option<u64>,
    file: Option<Box<str>>,
}

impl Error {
    /// Returns an error without a place.
    #[cold]
    pub fn new(kind: ErrorKind) -> Self {
        Self(Box::new(Inner { kind, offset: None, file: None }))
    }

    /// Returns the same error with the byte offset (in the file or blob being read) where it happened.
    #[cold]
    #[must_use]
    pub fn at(mut self, offset: u64) -> Self {
        self.0.offset = Some(offset);
        self
    }

    /// Returns the same error with the name of the file that was being read.
    #[cold]
    #[must_use]
    pub fn of_file(mut self, name: impl fmt::Display) -> Self {
        self.0.file = Some(name.to_string().into());
        self
    }

    /// Returns an error of kind [`ErrorKind::Truncated`].
    #[cold]
    pub fn truncated(what: &'static str, need: usize, have: usize) -> Self {
        Self::new(ErrorKind::Truncated { what, need: need as u64, have: have as u64 })
    }

    /// Returns an error of kind [`ErrorKind::Invalid`].
    #[cold]
    pub fn invalid(what: &'static str, found: u64) -> Self {
        Self::new(ErrorKind::Invalid { what, found })
    }

    /// Returns an error of kind [`ErrorKind::Limit`].
    #[cold]
    pub fn limit(what: &'static str, limit: usize) -> Self {
        Self::new(ErrorKind::Limit { what, limit: limit as u64 })
    }

    /// Returns an error of kind [`ErrorKind::Schema`].
    #[cold]
    pub fn schema(detail: impl Into<String>) -> Self {
        Self::new(ErrorKind::Schema(detail.into()))
    }

    /// Returns an error of kind [`ErrorKind::Io`] of a file that cannot be opened.
    #[cold]
    pub fn opening(source: io::Error) -> Self {
        Self::new(ErrorKind::Io { action: IoAction::Open, source })
    }

    /// Returns an error of kind [`ErrorKind::Io`] of a file that cannot be read.
    #[cold]
    pub fn reading(source: io::Error) -> Self {
        Self::new(ErrorKind::Io { action: IoAction::Read, source })
    }

    /// Returns an error of kind [`ErrorKind::Io`] of output that cannot be written.
    #[cold]
    pub fn writing(source: io::Error) -> Self {
        Self::new(ErrorKind::Io { action: IoAction::Write, source })
    }

    /// Returns an error of kind [`ErrorKind::Caller`]: an error of the caller's own code, handed through the engine.
    ///
    /// ```
    /// use etwkit::{Error, ErrorKind};
    ///
    /// let error = Error::caller("that is enough");
    /// assert_eq!(error.to_string(), "that is enough");
    /// assert!(matches!(error.into_kind(), ErrorKind::Caller(_)));
    /// ```
    #[cold]
    pub fn caller(error: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self::new(ErrorKind::Caller(error.into()))
    }

    /// [`ErrorKind::Cancelled`] if a progress function asked for it.
    pub(crate) fn if_cancelled(flow: std::ops::ControlFlow<()>) -> Result<()> {
        if flow.is_break() { Err(Self::new(ErrorKind::Cancelled)) } else { Ok(()) }
    }

    /// Returns the kind of the error.
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// Returns what went wrong, owned: the way back to the error that was given to [`Error::caller`].
    pub fn into_kind(self) -> ErrorKind {
        self.0.kind
    }

    /// Returns the byte offset where it went wrong, if it has a place.
    pub fn offset(&self) -> Option<u64> {
        self.0.offset
    }

    /// Returns the file that was being read, where it is known.
    pub fn file(&self) -> Option<&str> {
        self.0.file.as_deref()
    }

    /// Returns whether the cause is a closed pipe, which a command-line tool does not report.
    pub fn is_broken_pipe(&self) -> bool {
        let cause = match &self.0.kind {
            ErrorKind::Io { source, .. } => Some(source),
            ErrorKind::Caller(error) => error.downcast_ref::<io::Error>(),
            _ => None,
        };
        cause.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.0.file {
            write!(f, "{file}: ")?;
        }
        match (&self.0.kind, self.0.offset) {
            // Where there are lines, the line is the place that people look for.
            (ErrorKind::Syntax { .. }, _) | (_, None) => write!(f, "{}", self.0.kind)?,
            (kind, Some(offset)) => write!(f, "at offset {offset:#x}: {kind}")?,
        }
        if !f.alternate() {
            return Ok(());
        }
        let mut next = self.source();
        while let Some(cause) = next {
            write!(f, ": {cause}")?;
            next = cause.source();
        }
        Ok(())
    }
}

/// The output of a program whose `main` returns the error.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:#} ({:?})", self.0.kind)
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.kind.source()
    }
}

impl From<io::Error> for Error {
    #[cold]
    fn from(source: io::Error) -> Self {
        Self::new(ErrorKind::Io { action: IoAction::Other, source })
    }
}

impl From<FieldError> for Error {
    #[cold]
    fn from(error: FieldError) -> Self {
        Self::new(ErrorKind::Field(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An error with a cause.
    #[derive(Debug, thiserror::Error)]
    #[error("the orders are wrong")]
    struct Wrong(#[source] io::Error);

    #[test]
    fn no_text_holds_that_of_its_cause() {
        let cause = || io::Error::other("the disk is on fire");
        for (error, own) in [
            (Error::reading(cause()).of_file("a.etl"), "a.etl: cannot read the file"),
            (Error::opening(cause()), "cannot open the file"),
            (Error::writing(cause()).at(16), "at offset 0x10: cannot write the output"),
            (cause().into(), "input or output failed"),
            (Error::caller(Wrong(cause())), "the orders are wrong"),
        ] {
            assert_eq!(error.to_string(), own);
            assert_eq!(error.source().unwrap().to_string(), "the disk is on fire");
            assert_eq!(format!("{error:#}"), format!("{own}: the disk is on fire"));
            let shown = format!("{error:?}");
            assert!(shown.starts_with(&format!("{error:#} (")) && !shown.contains("Inner"), "{shown}");
        }
    }

    #[test]
    fn an_error_of_the_caller_comes_back() {
        let ErrorKind::Caller(own) = Error::caller(Wrong(io::Error::other("x"))).into_kind() else { panic!("kind") };
        assert!(own.downcast::<Wrong>().is_ok());
        let closed = || io::Error::from(io::ErrorKind::BrokenPipe);
        assert!(Error::caller(closed()).is_broken_pipe() && Error::writing(closed()).is_broken_pipe());
        assert!(!Error::caller(Wrong(closed())).is_broken_pipe());
    }

    #[test]
    fn debug_output_is_the_text_and_the_kind() {
        assert_eq!(
            format!("{:?}", Error::truncated("marker", 8, 4)),
            "marker needs 8 bytes, 4 are left (Truncated { what: \"marker\", need: 8, have: 4 })"
        );
    }
}
