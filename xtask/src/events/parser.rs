//! The crates whose tables are read.

use super::model::Table;

/// A crate with tables.
#[derive(Debug)]
pub(super) struct Parser {
    /// Its folder below `parsers`.
    pub(super) folder: &'static str,
    /// What its events are.
    pub(super) about: &'static str,
    /// Whether views are made of its tables.
    pub(super) has_views: bool,
    /// Tables whose views stay in modules of their own: their providers repeat names of other events.
    apart: &'static [&'static str],
}

pub(super) const KERNEL: Parser =
    Parser { folder: "kernel", about: "The Windows kernel, and what merging adds", has_views: true, apart: &[] };
pub(super) const CLR: Parser =
    Parser { folder: "clr", about: "The .NET runtime", has_views: true, apart: &["private", "rundown", "stress"] };
pub(super) const REGISTERED: Parser =
    Parser { folder: "registered", about: "Other providers whose events have tables", has_views: false, apart: &[] };

impl Parser {
    /// Returns whether the views of a table are in a module of their own.
    pub(super) fn is_apart(&self, table: &Table) -> bool {
        self.apart.contains(&table.stem.as_str())
    }

    /// Returns the path of a view below `events`.
    pub(super) fn view(&self, table: &Table, view: &str) -> String {
        if self.is_apart(table) { format!("{}::{view}", table.stem) } else { view.to_owned() }
    }
}
