//! What the commands that print a table take.

use std::path::PathBuf;

use clap::ValueEnum;

use crate::input::InputArgs;
use crate::text::parse_count;

use super::fail_on::FailOnArgs;
use super::filter::FilterArgs;
use super::schemas::SchemaArgs;
use super::threads::ThreadArgs;

/// Inputs, filters, and where the table goes.
#[derive(Debug, clap::Args)]
pub(crate) struct TableArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) schemas: SchemaArgs,
    /// Form of the table
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TableFormat,
    /// Write to this file instead of stdout
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) threads: ThreadArgs,
    /// Only the first N rows
    #[arg(long, value_name = "N", value_parser = parse_count::<u64>, allow_negative_numbers = true)]
    pub(crate) first: Option<u64>,
    /// Only the last N rows (of the first ones, if both are given)
    #[arg(long, value_name = "N", value_parser = parse_count::<u64>, allow_negative_numbers = true)]
    pub(crate) last: Option<u64>,
    #[command(flatten)]
    pub(crate) fail_on: FailOnArgs,
    #[command(flatten)]
    pub(crate) filter: FilterArgs,
}

/// The form of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormat {
    /// Aligned columns, for people
    Text,
    /// RFC 4180 with a header line
    Csv,
}
