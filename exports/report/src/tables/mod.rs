//! Tables of the page.

mod events;
mod findings;
mod functions;
mod registry;
mod requests;
mod spans;
mod undecoded;

pub(crate) use events::{Levels, ends, is_text_like};
pub(crate) use findings::findings;
pub(crate) use functions::{flame, functions};
pub(crate) use registry::{PARTS, Part};
pub(crate) use requests::requests;
pub(crate) use spans::{slowest, spans};
pub(crate) use undecoded::undecoded;

use etwkit_analysis::{ColumnKind, Row, Value};
use etwkit_browse::Extent;

use crate::model::{Cell, Column, Table};

/// Characters of a text of a table.
const MOST_CHARACTERS: usize = 1_000;

/// Cuts a text that is too long for a page, and states how much is missing.
pub(crate) fn cut_text(text: &str) -> String {
    match text.char_indices().nth(MOST_CHARACTERS) {
        Some((end, _)) => {
            let (kept, rest) = text.split_at(end);
            format!("{kept}… ({} more characters)", rest.chars().count())
        }
        None => text.to_owned(),
    }
}

/// A table of rows of an analysis, while they are added: the first ones are kept.
#[derive(Debug)]
pub(crate) struct FirstRows {
    table: Table,
    extent: Extent,
    most: usize,
}

impl FirstRows {
    /// Begins without rows.
    pub(crate) fn new(columns: &[etwkit_analysis::Column], extent: Extent, most: usize) -> Self {
        let columns = columns.iter().map(column).collect();
        Self { table: Table { columns, ..Table::default() }, extent, most }
    }

    /// Adds a row, or counts it if there are enough.
    pub(crate) fn add(&mut self, row: &[Value]) {
        if self.table.rows.len() < self.most {
            self.table.rows.push(row.iter().map(|value| cell(value, self.extent)).collect());
        } else {
            self.table.left_out += 1;
        }
    }

    /// Returns the table.
    pub(crate) fn into_table(self) -> Table {
        self.table
    }
}

/// A table of typed rows.
pub(crate) fn of_typed<R: Row>(rows: &[R], extent: Extent, most: usize) -> Table {
    let mut first = FirstRows::new(R::COLUMNS, extent, most);
    rows.iter().take(most).for_each(|row| first.add(&row.values()));
    Table { left_out: rows.len().saturating_sub(most) as u64, ..first.into_table() }
}

/// A column of the page.
pub(crate) const fn text_column(name: &'static str, kind: &'static str, about: &'static str) -> Column {
    Column { name, kind, about }
}

fn column(column: &etwkit_analysis::Column) -> Column {
    let kind = match column.kind {
        ColumnKind::Text => "text",
        ColumnKind::Time => "time",
        ColumnKind::Id => "id",
        ColumnKind::Count => "count",
        ColumnKind::Real => "real",
        ColumnKind::Milliseconds => "ms",
    };
    Column { name: column.name, kind, about: column.about }
}

fn cell(value: &Value, extent: Extent) -> Cell {
    match value {
        Value::Absent => Cell::Absent,
        Value::Text(text) => Cell::Text(cut_text(text)),
        Value::Integer(number) => Cell::Integer(*number),
        Value::Real(number) => Cell::Real(*number),
        Value::Time(time) => Cell::Integer(extent.units(*time).into()),
        Value::Flag(is) => Cell::Flag(*is),
        Value::List(list) => Cell::Text(cut_text(&list.iter().map(plain).collect::<Vec<_>>().join(", "))),
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::Text(text) => text.clone(),
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => number.to_string(),
        Value::Time(time) => time.to_string(),
        Value::Flag(is) => is.to_string(),
        Value::List(list) => list.iter().map(plain).collect::<Vec<_>>().join(", "),
        Value::Absent => String::new(),
    }
}
