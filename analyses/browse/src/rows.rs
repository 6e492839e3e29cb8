//! Events as the objects of JSON lines, for rows and exports.

use etwkit::decode::Event;
use etwkit::output::{JsonFormat, JsonState, LineFormat};
use etwkit::trace::Trace;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::limits::MAX_ROW;

/// A row of the list.
#[derive(Debug, Serialize)]
pub struct Row {
    /// Its number.
    pub row: u64,
    /// The object of its JSON line.
    pub event: Box<RawValue>,
}

/// Why a row is an empty object: its text is longer than rows are.
#[derive(Debug, Serialize)]
struct Long<'e> {
    provider: &'e str,
    event: &'e str,
    message: String,
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

    /// Returns the row of an event; of a very long one only its names.
    pub fn row(&mut self, row: u64, event: &Event<'_>) -> etwkit::Result<Option<Row>> {
        let len = self.write(event)?;
        let text = if len <= MAX_ROW { self.text(MAX_ROW) } else { None };
        let text = text.or_else(|| long(event, len));
        Ok(text.and_then(|text| RawValue::from_string(text).ok()).map(|event| Row { row, event }))
    }

    /// Returns the JSON line of an event if it is no longer than `most`.
    pub fn object(&mut self, event: &Event<'_>, most: usize) -> etwkit::Result<Option<Box<RawValue>>> {
        let len = self.write(event)?;
        let text = self.text(most).or_else(|| long(event, len));
        Ok(text.and_then(|text| RawValue::from_string(text).ok()))
    }

    fn write(&mut self, event: &Event<'_>) -> etwkit::Result<usize> {
        self.line.clear();
        self.format.event(&mut self.state, event, &mut self.line)?;
        Ok(self.line.len())
    }

    fn text(&self, most: usize) -> Option<String> {
        let line = self.line.trim_ascii_end();
        if line.len() > most { None } else { String::from_utf8(line.to_vec()).ok() }
    }
}

fn long(event: &Event<'_>, len: usize) -> Option<String> {
    let message = format!("{len} bytes of JSON are too long to be shown");
    serde_json::to_string(&Long { provider: event.provider(), event: event.name(), message }).ok()
}
