//! What is printed of spans, and in which form.

use clap::ValueEnum;
use etwkit_analysis::Row;
use etwkit_spans::{SpanRow, TableRow, TreeRow};

use crate::commands::analyze::cells;
use crate::failure::Failure;
use crate::rows::{Column, RowFormat};

/// The form of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Form {
    /// Aligned columns, for people
    Text,
    /// RFC 4180 with a header line
    Csv,
    /// One JSON object per row
    #[value(aliases = ["ndjson", "jsonl"])]
    Json,
    /// A line for each path of spans within each other
    Folded,
    /// A file for trace viewers
    Chrome,
}

/// What is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Table,
    List,
    Tree,
}

impl Form {
    /// The form of rows, if it is one.
    pub(super) const fn rows(self) -> Option<RowFormat> {
        match self {
            Self::Text => Some(RowFormat::Text),
            Self::Csv => Some(RowFormat::Csv),
            Self::Json => Some(RowFormat::Jsonl),
            Self::Folded | Self::Chrome => None,
        }
    }
}

impl What {
    pub(super) fn of(list: bool, tree: bool, form: Form) -> Result<Self, Failure> {
        match form.rows() {
            None if list => {
                Err(Failure::new("--list writes rows, which this form does not have").hint("leave --list out"))
            }
            None => Ok(Self::Tree),
            Some(_) if tree => Ok(Self::Tree),
            Some(_) => Ok(if list { Self::List } else { Self::Table }),
        }
    }

    pub(super) fn columns(self) -> Vec<Column> {
        match self {
            Self::Table => cells::columns(TableRow::COLUMNS),
            Self::List => cells::columns(SpanRow::COLUMNS),
            Self::Tree => cells::columns(TreeRow::COLUMNS),
        }
    }
}
