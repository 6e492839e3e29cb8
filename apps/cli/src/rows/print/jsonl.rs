//! One JSON object per row.

use std::io::{self, Write};

use etwkit::render::terminal;
use serde_json::{Map, Value};

use crate::rows::{Cell, Column};

/// Appends the line of a row.
pub(super) fn push<'c>(
    cells: impl Iterator<Item = (&'c Column, &'c Cell)> + Clone,
    out: &mut Vec<u8>,
) -> io::Result<()> {
    let start = out.len();
    write(cells, out)?;
    terminal::escape_json_from(out, start);
    Ok(())
}

/// Writes an object with what the row has; an object within it is there also if it is empty.
fn write<'c>(cells: impl Iterator<Item = (&'c Column, &'c Cell)> + Clone, out: &mut impl Write) -> io::Result<()> {
    if cells.clone().any(|(column, _)| column.within.is_some()) {
        return nested(cells, out);
    }
    let mut is_empty = true;
    for (column, cell) in cells.filter(|(_, cell)| cell.is_in_json()) {
        out.write_all(if is_empty { b"{" } else { b"," })?;
        is_empty = false;
        serde_json::to_writer(&mut *out, &*column.name)?;
        out.write_all(b":")?;
        match cell {
            Cell::Text(text) => serde_json::to_writer(&mut *out, text)?,
            Cell::Shared(text) => serde_json::to_writer(&mut *out, &**text)?,
            _ => serde_json::to_writer(&mut *out, &cell.json())?,
        }
    }
    out.write_all(if is_empty { b"{}\n" } else { b"}\n" })
}

fn nested<'c>(cells: impl Iterator<Item = (&'c Column, &'c Cell)>, out: &mut impl Write) -> io::Result<()> {
    let mut object = Map::new();
    let mut is_rest = false;
    for (column, cell) in cells {
        is_rest |= matches!(cell, Cell::Flag);
        // A row of the others has no object for keys that it does not have.
        let is_nothing = matches!(cell, Cell::Mark(_)) || is_rest && matches!(cell, Cell::Blank);
        if let (Some(within), false) = (column.within, is_nothing) {
            let inner = object.entry(within).or_insert_with(|| Map::new().into());
            if let (Some(inner), Some(value)) = (inner.as_object_mut(), cell.json()) {
                inner.insert(column.name.to_string(), value);
            }
        } else if let Some(value) = cell.json() {
            object.insert(column.name.to_string(), value);
        }
    }
    writeln!(out, "{}", Value::Object(object))
}
