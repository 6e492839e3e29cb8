//! Names that choose no columns.

/// Why columns cannot be chosen by names.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ColumnError {
    /// No column has the name.
    #[error("there is no column {0}")]
    Unknown(String),
    /// A column is named again: files need different names.
    #[error("the column {0} is named twice")]
    Repeated(String),
}
