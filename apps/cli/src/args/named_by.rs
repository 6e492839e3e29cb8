//! What the name of an output decides.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use clap::builder::{PathBufValueParser, TypedValueParser};
use etwkit::input::has_extension;

/// Returns the form that a file's extension names, in any letter case.
pub(crate) fn named_by<F: ValueEnum>(path: &Path) -> Option<F> {
    F::from_str(path.extension()?.to_str()?, true).ok()
}

/// Takes the name of a table's file. One that promises a form in which no table is written would have text in it.
pub(crate) fn table_file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match no_table(&path) {
        Some(what) => Err(what),
        None => Ok(path),
    })
}

/// Why a file of this name is not written, if it is not.
pub(crate) fn no_table(path: &Path) -> Option<&'static str> {
    if has_extension(path, &["xlsx", "xls", "xlsm", "xlsb", "ods", "tsv"]) {
        return Some("no file of this form is written: spreadsheets open .csv files");
    }
    if has_extension(path, &["db", "sqlite", "sqlite3", "duckdb", "avro", "orc"]) {
        return Some("no file of this form is written: databases read .parquet and .csv files");
    }
    has_extension(path, &["pdf", "doc", "docx"]).then_some("no document is written: use .txt or .csv")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_promise_another_form_are_refused() {
        assert!(["x.xlsx", "X.TSV", "a/b.sqlite", "x.pdf"].iter().all(|name| no_table(Path::new(name)).is_some()));
        assert!(["x.csv", "x.txt", "x", "tsv", "x.out"].iter().all(|name| no_table(Path::new(name)).is_none()));
    }
}
