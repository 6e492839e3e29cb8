//! All of one event, line by line.

use std::ops::Range;

use etwkit_browse::Detail;

use crate::limits::{MAX_CELL, MAX_DETAIL_LINES, MAX_VALUE};
use crate::list_view::ListView;
use crate::members::{Members, plain, shown};

/// A line of the pane.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DetailLine {
    /// The name of a field; empty in lines of text.
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) is_heading: bool,
    /// The field's bytes in the payload.
    pub(crate) bytes: Option<Range<usize>>,
}

/// The pane of an event.
#[derive(Clone, Debug, Default)]
pub(crate) struct DetailPane {
    /// The event, by its number in the list.
    pub(crate) row: Option<u64>,
    /// Its provider and its name, as the list shows them.
    pub(crate) title: String,
    pub(crate) lines: Vec<DetailLine>,
    pub(crate) payload: Vec<u8>,
    pub(crate) view: ListView,
    /// Characters that long lines are moved to the left by.
    pub(crate) shift: usize,
    /// Whether it has the place of the list, too.
    pub(crate) is_large: bool,
}

impl DetailPane {
    /// Shows another event. The place among the lines stays.
    pub(crate) fn set(&mut self, row: u64, detail: Detail) {
        let members = Members::of(&detail.event);
        self.lines.clear();
        self.title = shown(format!("{} {}", members.provider(), members.event()).trim(), MAX_CELL);
        self.message(&members);
        self.fields(&members, &detail);
        self.header(&members, &detail);
        self.texts("Stack, innermost frame first", &mut detail.stack.iter().map(String::as_str));
        self.texts("Schema", &mut detail.schema.as_deref().unwrap_or_default().lines());
        self.lines.truncate(MAX_DETAIL_LINES);
        self.row = Some(row);
        self.payload = detail.payload;
        self.view.select(self.view.selected, self.lines.len() as u64);
    }

    /// The bytes of the selected field.
    pub(crate) fn marked(&self) -> Option<Range<usize>> {
        usize::try_from(self.view.selected).ok().and_then(|line| self.lines.get(line))?.bytes.clone()
    }

    fn message(&mut self, members: &Members) {
        if let Some(message) = members.get("message") {
            self.texts("Message", &mut plain(message).lines());
        }
    }

    fn fields(&mut self, members: &Members, detail: &Detail) {
        self.heading(format!("Fields, payload of {} bytes", detail.payload_len));
        let fields = members.get("fields").map(Members::of).unwrap_or_default();
        for (name, value) in &fields.0 {
            let place = detail.fields.iter().find(|place| place.name == *name);
            let bytes = place.map(|place| place.from..place.from.saturating_add(place.len));
            self.pair(name, &plain(value), bytes);
        }
    }

    fn header(&mut self, members: &Members, detail: &Detail) {
        self.heading("Header".to_owned());
        for (name, value) in members.0.iter().filter(|(name, _)| !matches!(name.as_str(), "fields" | "message")) {
            self.pair(name, &plain(value), None);
        }
        let place =
            format!("byte {} of buffer {}, file {}", detail.offset_in_buffer, detail.buffer, u32::from(detail.file));
        self.pair("(place)", &place, None);
    }

    fn heading(&mut self, text: String) {
        self.lines.push(DetailLine { text, is_heading: true, ..DetailLine::default() });
    }

    fn pair(&mut self, name: &str, value: &str, bytes: Option<Range<usize>>) {
        let (name, text) = (shown(name, MAX_VALUE), shown(value, MAX_VALUE));
        self.lines.push(DetailLine { name, text, is_heading: false, bytes });
    }

    fn texts(&mut self, title: &str, lines: &mut dyn Iterator<Item = &str>) {
        let mut lines = lines.take(MAX_DETAIL_LINES).peekable();
        if lines.peek().is_some() {
            self.heading(title.to_owned());
        }
        let line = |text| DetailLine { text: shown(text, MAX_VALUE), ..DetailLine::default() };
        self.lines.extend(lines.map(line));
    }
}
