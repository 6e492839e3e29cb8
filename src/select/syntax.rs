//! Why a text cannot be read.

use crate::error::{Error, ErrorKind};

/// Why a text is neither a name nor an expression.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {detail}")]
#[non_exhaustive]
pub struct SyntaxError {
    /// The kind of the mistake, for callers with advice of their own.
    pub reason: SyntaxReason,
    /// Where, in characters from 1.
    pub column: usize,
    /// What was expected or found.
    pub detail: String,
}

/// The kind of a [`SyntaxError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SyntaxReason {
    /// The text does not follow the grammar, or has a name or value that does not exist.
    Grammar,
    /// The time of events is compared. A `trace::Filter` has a span of time instead.
    ComparesTime,
}

impl SyntaxError {
    pub(crate) fn new(column: usize, detail: impl Into<String>) -> Self {
        Self { reason: SyntaxReason::Grammar, column, detail: detail.into() }
    }

    /// Something else was expected in this column.
    pub(crate) fn expected(column: usize, what: &str) -> Self {
        Self::new(column, format!("expected {what}"))
    }
}

impl From<SyntaxError> for Error {
    fn from(error: SyntaxError) -> Self {
        Self::new(ErrorKind::Expression(error.to_string()))
    }
}
