//! What was typed about rows and columns, before the columns are known.

use clap::ValueEnum;
use etwkit::query::Expression;

use crate::column_file::FileKind;

/// The form of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum RowFormat {
    /// Aligned columns, for people
    #[default]
    Text,
    /// RFC 4180 with a header line
    Csv,
    /// One JSON object per row
    #[value(aliases = ["ndjson", "json"])]
    Jsonl,
    /// A file of typed columns: by what `-o` names
    #[value(skip)]
    File(FileKind),
}

/// The form of a table that answers a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AnswerFormat {
    /// Aligned columns, for people
    Text,
    /// RFC 4180 with a header line
    Csv,
    /// One JSON object per row
    #[value(aliases = ["ndjson", "jsonl"])]
    Json,
}

impl From<AnswerFormat> for RowFormat {
    fn from(format: AnswerFormat) -> Self {
        match format {
            AnswerFormat::Text => Self::Text,
            AnswerFormat::Csv => Self::Csv,
            AnswerFormat::Json => Self::Jsonl,
        }
    }
}

/// What was typed.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowOptions {
    pub(crate) format: RowFormat,
    pub(crate) fields: Vec<String>,
    pub(crate) sort: Vec<String>,
    pub(crate) first: Option<u64>,
    pub(crate) last: Option<u64>,
    /// The part of `--where` about columns.
    pub(crate) condition: Option<Expression>,
}

impl RowOptions {
    /// With a condition on columns.
    pub(crate) fn with_condition(self, condition: Option<Expression>) -> Self {
        Self { condition, ..self }
    }

    /// Whether all rows and columns are printed as they come.
    pub(crate) const fn is_all(&self) -> bool {
        self.fields.is_empty()
            && self.sort.is_empty()
            && self.first.is_none()
            && self.last.is_none()
            && self.condition.is_none()
    }
}
