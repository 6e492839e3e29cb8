//! Rows of analyses as cells.

use etwkit_analysis::{ColumnKind, Row};
use serde_json::Value;

use crate::failure::Failure;
use crate::rows::{Cell, Column};

/// The columns of a row.
pub(super) fn columns<R: Row>() -> Vec<Column> {
    let column = |column: &etwkit_analysis::Column| match column.kind {
        ColumnKind::Text => Column::text(column.name),
        ColumnKind::Id | ColumnKind::Real => Column::number(column.name),
        ColumnKind::Count => Column::count(column.name),
    };
    R::COLUMNS.iter().map(column).collect()
}

/// The cells of a row.
pub(super) fn cells<R: Row>(row: &R) -> Result<Vec<Cell>, Failure> {
    let value = serde_json::to_value(row).map_err(|error| Failure::new(error.to_string()))?;
    let mut cells = Vec::new();
    for column in R::COLUMNS {
        cells.push(value.get(column.name).map_or(Cell::Absent, cell));
    }
    Ok(cells)
}

fn cell(value: &Value) -> Cell {
    match value {
        Value::Null => Cell::Absent,
        Value::String(text) => Cell::Text(text.clone()),
        Value::Bool(is) => Cell::Text(is.to_string()),
        Value::Number(number) => match (number.as_i64(), number.as_u64(), number.as_f64()) {
            (Some(number), ..) => Cell::Integer(number.into()),
            (_, Some(number), _) => Cell::Integer(number.into()),
            (.., Some(number)) => Cell::Measure(number),
            _ => Cell::Absent,
        },
        Value::Array(_) | Value::Object(_) => Cell::List(value.to_string(), value.clone()),
    }
}
