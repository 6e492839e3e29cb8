//! Why a statement fails, as `DuckDB` shows it.

use std::ffi::CString;
use std::fmt;

use etwkit_columns::ColumnError;

/// A sentence for whoever wrote the statement.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Failure(String);

impl Failure {
    pub(crate) fn new(text: impl fmt::Display) -> Self {
        Self(text.to_string())
    }

    /// Returns it for C: a NUL would end the text.
    pub(crate) fn to_c(&self) -> CString {
        CString::new(format!("etwkit: {}", self.0.replace('\0', "\u{FFFD}"))).unwrap_or_default()
    }
}

/// With the file, the offset and all causes.
impl From<etwkit::Error> for Failure {
    fn from(error: etwkit::Error) -> Self {
        Self(format!("{error:#}"))
    }
}

impl From<ColumnError> for Failure {
    fn from(error: ColumnError) -> Self {
        Self::new(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_with_a_nul_is_shown_whole() {
        assert_eq!(Failure::new("a\0b").to_c().to_str(), Ok("etwkit: a\u{FFFD}b"));
    }
}
