//! Events as the objects of JSON lines, for rows and exports.

use etwkit::decode::Event;
use etwkit::output::{JsonFormat, JsonState, LineFormat};
use etwkit::trace::Trace;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::limits::MAX_ROW;
use crate::short_members::short_members;

/// A row of the list.
#[derive(Debug, Serialize)]
pub struct Row {
    /// Its number.
    pub row: u64,
    /// The object of its JSON line.
    pub event: Box<RawValue>,
}

/// Writes events as JSON.
#[derive(Debug)]
pub struct RowWriter {
    format: JsonFormat,
    state: JsonState,
    line: Vec<u8>,
}

impl RowWriter {
    /// Makes one for the events of a trace.
    pub fn new(trace: &Trace) -> Self {
        let format = JsonFormat::default();
        let state = format.state(trace);
        Self { format, state, line: Vec::new() }
    }

    /// Returns the row of an event; of a very long one only what is short: time, names, numbers.
    pub fn row(&mut self, row: u64, event: &Event<'_>) -> etwkit::Result<Option<Row>> {
        Ok(self.object(event, MAX_ROW)?.map(|event| Row { row, event }))
    }

    /// Returns the object of an event's JSON line; of one that is longer than `most` bytes only what is short.
    pub fn object(&mut self, event: &Event<'_>, most: usize) -> etwkit::Result<Option<Box<RawValue>>> {
        self.line.clear();
        self.format.event(&mut self.state, event, &mut self.line)?;
        let line = self.line.trim_ascii_end();
        if line.len() > most {
            return Ok(short_members(line));
        }
        Ok(String::from_utf8(line.to_vec()).ok().and_then(|text| RawValue::from_string(text).ok()))
    }
}
