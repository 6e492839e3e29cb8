//! What was typed about rows and columns, before the columns are known.

use std::path::Path;

use clap::ValueEnum;
use etwkit::query::Expression;

use crate::args::named_by;
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

impl RowFormat {
    /// Lets the name of the output decide, unless another form than text was named.
    pub(crate) fn by_name(self, output: Option<&Path>) -> Self {
        let Some(path) = output.filter(|_| self == Self::Text) else { return self };
        FileKind::of(path).map(Self::File).or_else(|| named_by(path)).unwrap_or(self)
    }
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
        self.fields.is_empty() && !self.chooses_rows()
    }

    /// Whether there is a choice of rows, or an order of them.
    pub(crate) const fn chooses_rows(&self) -> bool {
        !self.sort.is_empty() || self.first.is_some() || self.last.is_some() || self.condition.is_some()
    }
}
