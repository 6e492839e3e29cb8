//! Descriptions of events that a statement brings along.

use std::ffi::CStr;
use std::path::PathBuf;

use etwkit::parser::Parsers;
use etwkit_columns::DataType;
use etwkit_parsers::Additions;

use crate::arguments;
use crate::failure::Failure;
use crate::host::Binding;

/// The argument with descriptions of events.
pub(crate) const SCHEMAS: (&CStr, DataType) = (c"schemas", DataType::Text);
/// The argument with definitions of WPP messages.
pub(crate) const SYMBOLS: (&CStr, DataType) = (c"symbols", DataType::Text);

/// Files and folders with descriptions of events, and with definitions of WPP messages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Descriptions {
    schemas: Vec<PathBuf>,
    symbols: Vec<PathBuf>,
}

impl Descriptions {
    /// Returns those of a call.
    pub(crate) fn of(binding: &Binding) -> Self {
        let paths =
            |(name, _): (&CStr, DataType)| arguments::text(binding, name).map(|text| split(&text)).unwrap_or_default();
        Self { schemas: paths(SCHEMAS), symbols: paths(SYMBOLS) }
    }

    /// Returns the paths.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.schemas.iter().chain(&self.symbols)
    }

    /// Reads them, and returns all parsers. What is of no use in a folder is left out: events that stay unknown are in
    /// `etl_types`.
    pub(crate) fn parsers(&self) -> Result<Parsers, Failure> {
        let (additions, _) = Additions::load(&self.schemas, &self.symbols)?;
        Ok(etwkit_parsers::with(additions))
    }
}

/// Several paths are joined by semicolons.
fn split(text: &str) -> Vec<PathBuf> {
    text.split(';').map(str::trim).filter(|path| !path.is_empty()).map(PathBuf::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_joined_by_semicolons() {
        assert_eq!(split("a b.man; c ;"), [PathBuf::from("a b.man"), PathBuf::from("c")]);
        assert!(split("").is_empty());
    }
}
