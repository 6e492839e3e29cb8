//! One table of all events.

use crate::decode::{Event, PendingEvent};
use crate::error::Result;
use crate::output::{LineFormat, LineSink};
use crate::render::json::{push_integer, push_key, quoted};
use crate::render::time::TimeCache;
use crate::render::{Zone, csv, escape, terminal};
use crate::trace::Trace;

use super::Column;
use super::cell::{Cell, Cells, EventCells};
use super::quick::Quick;

/// The form of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RowFormat {
    /// RFC 4180, with a header line; lines end with a line feed.
    Csv,
    /// A JSON object; what an event does not have is left out.
    Json,
    /// Values with tabs between; control characters are made visible.
    Text,
}

/// Writes each event as a row of chosen columns.
pub type TableRows<'t, W> = LineSink<'t, TableFormat, W>;

/// The options of [`TableRows`].
#[derive(Clone, Debug)]
pub struct TableFormat {
    columns: Box<[Column]>,
    rows: RowFormat,
    zone: Zone,
}

impl TableFormat {
    /// Makes a table of these columns.
    pub fn new(columns: impl Into<Box<[Column]>>, rows: RowFormat) -> Self {
        Self { columns: columns.into(), rows, zone: Zone::default() }
    }

    /// Sets the zone for the times of events.
    #[must_use]
    pub fn zone(mut self, zone: Zone) -> Self {
        self.zone = zone;
        self
    }

    /// Returns each column's name as the key of a member.
    fn keys(&self) -> Box<[Vec<u8>]> {
        let key = |column: &Column| {
            let mut key = Vec::new();
            push_key(&mut key, &column.name());
            key
        };
        self.columns.iter().map(key).collect()
    }

    fn push_text(&self, out: &mut Vec<u8>, cell: &mut Vec<u8>, cells: &mut EventCells<'_, '_>) {
        for at in 0..self.columns.len() {
            if at > 0 {
                out.push(b'\t');
            }
            cell.clear();
            cells.push(cell, at);
            terminal::push(out, &String::from_utf8_lossy(cell));
        }
        out.push(b'\n');
    }
}

/// Appends an object with the cells that an event has.
fn push_json(keys: &[Vec<u8>], out: &mut Vec<u8>, cell: &mut Vec<u8>, cells: &mut EventCells<'_, '_>) {
    out.push(b'{');
    let start = out.len();
    for (at, key) in keys.iter().enumerate() {
        cell.clear();
        let written = cells.push(cell, at);
        if written == Cell::Absent {
            continue;
        }
        if out.len() > start {
            out.push(b',');
        }
        out.extend_from_slice(key);
        match written {
            Cell::Text => quoted(out, |out| escape::push_utf8(out, cell)),
            Cell::Number => push_json_number(out, cell),
            Cell::Json | Cell::Absent => out.extend_from_slice(cell),
        }
    }
    out.extend_from_slice(b"}\n");
}

/// The state of one thread between events.
#[derive(Debug)]
pub struct TableState {
    cells: Cells,
    /// The cell that is being written.
    cell: Vec<u8>,
    quick: Quick,
    /// The keys of JSON, by column.
    keys: Box<[Vec<u8>]>,
}

impl LineFormat for TableFormat {
    type State = TableState;

    fn state(&self, _: &Trace) -> TableState {
        let cells = Cells::new(TimeCache::new(self.zone.clone()), self.rows == RowFormat::Json);
        TableState { cells, cell: Vec::new(), quick: Quick::default(), keys: self.keys() }
    }

    fn head(&self, _: &Trace) -> Vec<u8> {
        match self.rows {
            RowFormat::Csv => csv::row(self.columns.iter().map(Column::name)),
            RowFormat::Json | RowFormat::Text => Vec::new(),
        }
    }

    fn event(&self, state: &mut TableState, event: &Event<'_>, out: &mut Vec<u8>) -> Result<()> {
        let TableState { cells, cell, keys, .. } = state;
        let mut cells = cells.of(event, &self.columns);
        match self.rows {
            RowFormat::Csv => push_csv(out, cell, self.columns.len(), &mut cells),
            RowFormat::Json => push_json(keys, out, cell, &mut cells),
            RowFormat::Text => self.push_text(out, cell, &mut cells),
        }
        Ok(())
    }

    fn compiled(&self, state: &mut TableState, pending: &mut PendingEvent<'_>, out: &mut Vec<u8>) -> bool {
        let TableState { cells, cell, quick, .. } = state;
        // A row of a single cell may be empty.
        self.rows == RowFormat::Csv && self.columns.len() > 1 && quick.row(pending, &self.columns, cells, cell, out)
    }
}

/// Appends a row of CSV.
pub(super) fn push_csv(out: &mut Vec<u8>, cell: &mut Vec<u8>, columns: usize, cells: &mut EventCells<'_, '_>) {
    let mut row = csv::Row::new(out);
    for column in 0..columns {
        cell.clear();
        cells.push(cell, column);
        row.cell(&*cell);
    }
    row.end();
}

/// Digits as a JSON number, or as a string where readers would change it.
fn push_json_number(out: &mut Vec<u8>, digits: &[u8]) {
    match std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok()) {
        Some(number) => push_integer(out, number),
        None => quoted(out, |out| out.extend_from_slice(digits)),
    }
}
