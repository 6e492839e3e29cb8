//! What the commands that print rows take.

use std::path::PathBuf;

use crate::args::table_file;
use crate::failure::Failure;
use crate::text::parse_count;

use super::options::{RowFormat, RowOptions};

/// In which form a table is printed, and what of it.
#[derive(Debug, clap::Args)]
pub(crate) struct RowArgs {
    /// Form of the table
    #[arg(short, long, value_name = "FORMAT", default_value = "text")]
    format: RowFormat,
    #[command(flatten)]
    pub(crate) choice: RowChoice,
}

/// Which rows and columns are printed, and where they go.
#[derive(Debug, clap::Args)]
pub(crate) struct RowChoice {
    /// Write to this file instead of stdout; a name that ends with .csv, .json, .jsonl, .parquet, .arrow, .feather or .ipc decides its form
    #[arg(short, long, value_name = "OUT", value_parser = table_file())]
    pub(crate) output: Option<PathBuf>,
    /// Only these columns, in this order
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    fields: Vec<String>,
    /// Sort by these columns; with a minus sign before its name the largest come first: --sort=-total_ms
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', allow_hyphen_values = true)]
    sort: Vec<String>,
    /// Only the first N rows
    #[arg(short = 'n', long, value_name = "N", value_parser = parse_count::<u64>, allow_negative_numbers = true)]
    first: Option<u64>,
    /// Only the last N rows (of the first ones, if both are given)
    #[arg(long, value_name = "N", value_parser = parse_count::<u64>, allow_negative_numbers = true)]
    last: Option<u64>,
}

impl RowArgs {
    /// What was typed, without the names resolved.
    pub(crate) fn options(&self) -> RowOptions {
        self.choice.options(self.format)
    }
}

impl RowChoice {
    /// Whether the name of the output decides another form than this one.
    pub(crate) fn names_form_other_than(&self, form: RowFormat) -> bool {
        let named = RowFormat::Text.by_name(self.output.as_deref());
        named != RowFormat::Text && named != form
    }

    /// What was typed, in a form; a file's name may choose another one than text.
    pub(crate) fn options(&self, format: RowFormat) -> RowOptions {
        let format = format.by_name(self.output.as_deref());
        let Self { fields, sort, first, last, .. } = self;
        let (fields, sort, condition) = (fields.clone(), sort.clone(), None);
        RowOptions { format, fields, sort, first: *first, last: *last, condition }
    }

    /// Refuses a choice of rows and columns for a form that has none.
    pub(crate) fn refuse_without_rows(&self) -> Result<(), Failure> {
        if self.options(RowFormat::Text).is_all() {
            return Ok(());
        }
        let what = "--fields, --sort, --first and --last choose rows and columns, which this form does not have";
        Err(Failure::new(what).hint("use --format text, csv or json"))
    }
}
