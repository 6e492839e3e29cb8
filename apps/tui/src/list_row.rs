//! One row of the list, as it is shown.

use etwkit::FileTime;
use serde_json::value::RawValue;

use crate::limits::MAX_CELL;
use crate::members::{Members, plain, shown};

/// The cells of an event; all are safe to be shown.
#[derive(Clone, Debug, Default)]
pub(crate) struct ListRow {
    pub(crate) number: u64,
    pub(crate) at: Option<FileTime>,
    /// RFC 3339.
    pub(crate) time: String,
    pub(crate) provider: String,
    pub(crate) event: String,
    pub(crate) process: String,
    pub(crate) level: Option<u8>,
    /// The message, or the fields.
    pub(crate) text: String,
}

impl ListRow {
    /// The row of an event, of which `json` is the JSON line.
    pub(crate) fn new(number: u64, at: Option<FileTime>, json: &RawValue) -> Self {
        let members = Members::of(json);
        let cell = |name| shown(&members.text(name), MAX_CELL);
        Self {
            number,
            at,
            time: cell("time"),
            provider: shown(&members.provider(), MAX_CELL),
            event: shown(&members.event(), MAX_CELL),
            process: process(cell("process"), &cell("pid")),
            level: members.text("level").parse().ok(),
            text: shown(&summary(&members), MAX_CELL),
        }
    }

    /// The time of day, with as many digits as a second is to have after the point.
    pub(crate) fn clock(&self, digits: usize) -> &str {
        let rest = self.time.split_once('T').map_or("", |(_, rest)| rest);
        let end = (8 + 1 + digits).min(rest.len());
        rest.get(..end).unwrap_or(rest)
    }
}

fn process(name: String, pid: &str) -> String {
    match (name.is_empty(), pid.is_empty()) {
        (false, false) => format!("{name} ({pid})"),
        (true, false) => format!("({pid})"),
        (_, true) => name,
    }
}

/// The message, or the fields with their values, or the payload.
fn summary(members: &Members) -> String {
    if let Some(message) = members.get("message") {
        return plain(message);
    }
    let Some(fields) = members.get("fields") else { return members.text("payload") };
    let mut text = String::new();
    for (name, value) in Members::of(fields).0 {
        if text.len() > MAX_CELL * 4 {
            break;
        }
        text.push_str(if text.is_empty() { "" } else { "  " });
        text.push_str(&name);
        text.push('=');
        text.push_str(&plain(&value));
    }
    text
}
