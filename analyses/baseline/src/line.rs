//! One line.

use std::fmt::Write;

use etwkit::bytes::{u8_at, u16_at};
use etwkit::event::{Header, Kind};
use etwkit::format::ExtendedType;

use crate::evaluate::ShownEvent;
use crate::names::MANIFEST_ID;
use crate::net;
use crate::view::EventView;

/// UTF-16 units of a value that are shown.
const LONGEST: usize = 20;

impl ShownEvent<'_, '_> {
    /// Returns the line of an event, without its end.
    pub(crate) fn line(&self, name: &str, view: Option<&EventView>, start: i64) -> String {
        let raw = &self.event.raw();
        let id = |id: Option<u32>| id.map_or(-1, |id| i64::from(id.cast_signed()));
        let mut line = String::from("EVENT ");
        let _ = write!(
            line,
            "{}: {name} PID={}; TID={}; PName={}; ProceNum={}; DataLen={}; ",
            net::three_decimals(self.milliseconds_since(start)),
            id(self.whose.pid),
            id(self.whose.tid),
            self.process_name(self.whose.pid),
            raw.processor(),
            raw.payload().len()
        );
        for (name, text) in self.fields(view, !name.ends_with(')')) {
            let _ = write!(line, "{name}={}; ", shortened(&text));
        }
        if self.event.left_out() > 0 {
            let _ = write!(line, "ValuesLeftOut={}; ", self.event.left_out());
        }
        if let Some(container) = raw.item(ExtendedType::CONTAINER_ID) {
            let id = match container.guid() {
                Some(guid) if container.data.len() == 16 => guid.to_string().to_uppercase(),
                _ => String::from_utf8_lossy(container.data).trim_end_matches('\0').to_owned(),
            };
            let _ = write!(line, "ContainerID={}; ", without_line_ends(&id));
        }
        line
    }

    fn fields(&self, view: Option<&EventView>, is_named: bool) -> Vec<(String, String)> {
        let views = self.views;
        match view {
            Some(view) => {
                views.columns(view).iter().map(|column| (column.name.to_string(), self.column(column))).collect()
            }
            None if self.event.raw().id() == MANIFEST_ID => {
                // What is not a manifest for TraceEvent has no fields.
                if self.compat && !is_named { Vec::new() } else { chunk(self.event.raw().payload()) }
            }
            // Classic events that TraceEvent does not know have nothing to show there.
            None if self.compat && self.event.raw().kind() == Kind::Classic => Vec::new(),
            None => self.plain_fields(),
        }
    }

    /// Events before the start count as at the start, as in TraceEvent; for it all of a `.btl` file is at the start.
    fn milliseconds_since(&self, start: i64) -> f64 {
        if self.compat && matches!(self.event.raw().header(), Header::Record(_)) {
            return 0.0;
        }
        let frequency = self.clock().map_or(1, |clock| clock.frequency().max(1));
        self.event.raw().time().0.saturating_sub(start).max(0) as f64 * 1000.0 / frequency as f64
    }
}

/// Returns the head of an EventSource manifest chunk.
fn chunk(payload: &[u8]) -> Vec<(String, String)> {
    if payload.len() < 8 {
        return Vec::new();
    }
    let fields = [
        ("Format", u16::from(u8_at(payload, 0))),
        ("MajorVersion", u8_at(payload, 1).into()),
        ("MinorVersion", u8_at(payload, 2).into()),
        ("Magic", u8_at(payload, 3).into()),
        ("TotalChunks", u16_at(payload, 4)),
        ("ChunkNumber", u16_at(payload, 6)),
        ("PayloadLength", payload.len() as u16),
    ];
    fields.iter().map(|(name, value)| ((*name).to_owned(), value.to_string())).collect()
}

/// At most 20 UTF-16 units, and no line ends.
fn shortened(text: &str) -> String {
    let mut out = text.to_owned();
    if text.encode_utf16().count() > LONGEST {
        let units: Vec<u16> = text.encode_utf16().take(LONGEST).collect();
        out = String::from_utf16_lossy(&units) + "...";
    }
    without_line_ends(&out)
}

fn without_line_ends(text: &str) -> String {
    text.replace('\n', "\\n").replace('\r', "\\r")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_values_are_cut_before_line_ends_are_written() {
        assert_eq!(shortened("12345678901234567890"), "12345678901234567890");
        assert_eq!(shortened("1234567890123456789\n0"), "1234567890123456789\\n...");
    }
}
