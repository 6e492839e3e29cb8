//! The form of a report.

use clap::ValueEnum;

/// Text or JSON.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct ReportFormat {
    /// Form of the report
    #[arg(short, long, value_name = "FORMAT", default_value = "text")]
    format: Form,
    /// The same as --format jsonl
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// For people
    Text,
    /// JSON objects, one per line
    #[value(aliases = ["ndjson", "json"])]
    Jsonl,
}

impl ReportFormat {
    /// Whether it is JSON.
    pub(crate) const fn is_json(self) -> bool {
        self.json || matches!(self.format, Form::Jsonl)
    }
}
