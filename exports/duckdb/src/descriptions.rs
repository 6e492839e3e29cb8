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

    /// Returns the paths with descriptions of events.
    pub(crate) fn schemas(&self) -> &[PathBuf] {
        &self.schemas
    }

    /// Returns the paths with definitions of WPP messages.
    pub(crate) fn symbols(&self) -> &[PathBuf] {
        &self.symbols
    }

    /// Reads them, and returns all parsers. Some files of a folder may be of no use: events that stay unknown are in
    /// `etl_types`. There are no warnings here, so that a path which describes nothing at all is an error.
    pub(crate) fn parsers(&self) -> Result<Parsers, Failure> {
        let (additions, notes) = Additions::load(&self.schemas, &self.symbols)?;
        let paths = || self.schemas.iter().chain(&self.symbols);
        let is_of_path = |note: &&String| paths().any(|path| note.starts_with(&format!("{}: ", path.display())));
        match notes.iter().find(is_of_path) {
            Some(note) => Err(Failure::new(note)),
            None => Ok(etwkit_parsers::with(additions)),
        }
    }
}

/// Several paths are joined by semicolons.
fn split(text: &str) -> Vec<PathBuf> {
    text.split(';').map(str::trim).filter(|path| !path.is_empty()).map(PathBuf::from).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn paths_are_joined_by_semicolons() {
        assert_eq!(split("a b.man; c ;"), [PathBuf::from("a b.man"), PathBuf::from("c")]);
        assert!(split("").is_empty());
    }

    #[test]
    fn a_path_that_describes_nothing_is_refused() {
        let brought = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../xtask/engines/brought");
        let parsers = |schemas: &[&str], symbols: &[&str]| {
            let paths = |names: &[&str]| names.iter().map(|name| brought.join(name)).collect();
            let failure = Descriptions { schemas: paths(schemas), symbols: paths(symbols) }.parsers().err();
            failure.map(|failure| failure.to_string()).unwrap_or_default()
        };
        assert_eq!(parsers(&["plain.schema", "plain.man", "."], &["items.tmf", "."]), "");
        assert!(parsers(&[], &["plain.man"]).ends_with("plain.man: no definitions of WPP messages"));
        assert!(parsers(&["items.tmf"], &[]).contains("items.tmf"));
        assert!(parsers(&["nowhere"], &[]).contains("nowhere"));
    }
}
