//! Rows of analyses as cells.

use etwkit_analysis::{ColumnKind, Value};
use serde_json::Value as Json;

use crate::rows::{Cell, Column};

use super::times::Times;

/// The columns of a table.
pub(in crate::commands) fn columns(columns: &[etwkit_analysis::Column]) -> Vec<Column> {
    let column = |column: &etwkit_analysis::Column| match column.kind {
        ColumnKind::Text | ColumnKind::Time => Column::text(column.name),
        ColumnKind::Id | ColumnKind::Real | ColumnKind::Milliseconds => Column::number(column.name),
        ColumnKind::Count => Column::count(column.name),
    };
    columns.iter().map(column).collect()
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
