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

/// Cuts a text that is too long for a page, and says how much is missing.
pub(crate) fn cut_text(text: &str) -> String {
    match text.char_indices().nth(MOST_CHARACTERS) {
        Some((end, _)) => {
            let (kept, rest) = text.split_at(end);
            format!("{kept}… ({} more characters)", rest.chars().count())
        }
        None => text.to_owned(),
    }
}

/// A table of rows of an analysis, of which the first are kept.
pub(crate) fn of_values(
    columns: &[etwkit_analysis::Column],
    rows: &[Vec<Value>],
    extent: Extent,
    most: usize,
) -> Table {
    let left_out = rows.len().saturating_sub(most) as u64;
    let cells = |row: &Vec<Value>| row.iter().map(|value| cell(value, extent)).collect();
    Table {
        columns: columns.iter().map(column).collect(),
        rows: rows.iter().take(most).map(cells).collect(),
        left_out,
        ..Table::default()
    }
}

/// A table of typed rows.
pub(crate) fn of_typed<R: Row>(rows: &[R], extent: Extent, most: usize) -> Table {
    let values: Vec<Vec<Value>> = rows.iter().take(most).map(Row::values).collect();
    let left_out = rows.len().saturating_sub(most) as u64;
    Table { left_out, ..of_values(R::COLUMNS, &values, extent, most) }
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
