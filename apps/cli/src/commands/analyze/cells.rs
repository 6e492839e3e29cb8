//! Rows of analyses as cells.

use etwkit_analysis::{ColumnKind, Value};
use serde_json::Value as Json;

use crate::analyses::Entry;
use crate::rows::{Cell, Column};

use super::times::Times;

/// The columns of a table.
pub(in crate::commands) fn columns(columns: &[etwkit_analysis::Column]) -> Vec<Column> {
    let column = |column: &etwkit_analysis::Column| match column.kind {
        ColumnKind::Text => Column::text(column.name),
        ColumnKind::Time => Column::time(column.name),
        ColumnKind::Id => Column::id(column.name),
        ColumnKind::Real | ColumnKind::Milliseconds => Column::number(column.name),
        ColumnKind::Count => Column::count(column.name),
    };
    columns.iter().map(column).collect()
}

/// The columns of an analysis.
pub(super) fn of_entry(entry: &Entry) -> Vec<Column> {
    let is_for_people = |name: &str| entry.for_people.is_empty() || entry.for_people.contains(&name);
    let known = columns(entry.columns).into_iter();
    known.map(|column| if is_for_people(&column.name) { column } else { column.for_programs() }).collect()
}

/// The cells of a row.
pub(in crate::commands) fn cells(row: Vec<Value>, times: &mut Times) -> Vec<Cell> {
    row.into_iter().map(|value| cell(value, times)).collect()
}

fn cell(value: Value, times: &mut Times) -> Cell {
    match value {
        Value::Absent => Cell::Absent,
        Value::Text(text) => Cell::Text(text),
        Value::Flag(is) => Cell::Truth(is),
        Value::Integer(number) => Cell::Integer(number),
        Value::Real(number) => Cell::Measure(number),
        Value::Time(time) => Cell::Time(time, times.text(time)),
        Value::List(list) => {
            let cells: Vec<Cell> = list.into_iter().map(|value| cell(value, times)).collect();
            let text = cells.iter().map(Cell::plain).collect::<Vec<_>>().join("; ");
            Cell::List(text, cells.iter().map(|cell| cell.json().unwrap_or(Json::Null)).collect())
        }
    }
}
