//! Why a text cannot be read.

use crate::error::{Error, ErrorKind};

/// Why a text is no name and no expression.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {detail}")]
pub struct SyntaxError {
    /// Where, in characters from 1.
    pub column: usize,
    /// What was expected or found.
    pub detail: String,
}

impl SyntaxError {
    pub(crate) fn new(column: usize, detail: impl Into<String>) -> Self {
        Self { column, detail: detail.into() }
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
