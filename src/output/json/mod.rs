//! JSON lines: one object per event (`docs/json.md`).

mod derived;
mod fields_json;
mod frames;
mod header_member;
mod names;
mod object;
mod quick;
mod raw_time;
mod texts;

use crate::decode::{Event, PendingEvent};
use crate::error::Result;
use crate::render::Zone;
use crate::render::json::{push_fields, push_integer};
use crate::render::members::{MemberValue, MemberWriter};
use crate::render::time::TimeCache;
use crate::select::{HeaderField, HeaderValue};
use crate::trace::{Trace, TraceFile};

use super::compiled::TypeTexts as _;
use super::{LineFormat, LineSink, PerType};
pub use fields_json::FieldsJson;
#[cfg(feature = "serde")]
pub(crate) use names::{write_kind, write_names};
pub(crate) use object::{Buffers, EventWriter, write_derived, write_event};
use quick::{LineParts, Quick};
use texts::Texts;

/// Writes each event as one JSON object and a line feed.
pub type JsonLines<'t, W> = LineSink<'t, JsonFormat, W>;

/// The options of [`JsonLines`].
#[derive(Clone, Debug, Default)]
pub struct JsonFormat {
    zone: Zone,
    has_file: bool,
}

impl JsonFormat {
    /// Sets the zone for the times of events; those inside of payloads stay UTC.
    #[must_use]
    pub fn zone(mut self, zone: Zone) -> Self {
        self.zone = zone;
        self
    }

    /// Sets whether each event has its file also if only one is read.
    #[must_use]
    pub const fn with_file(mut self, with_file: bool) -> Self {
        self.has_file = with_file;
        self
    }
}

/// The state of one thread between events.
#[derive(Debug)]
pub struct JsonState {
    texts: PerType<Texts>,
    time: TimeCache,
    /// The member `file` of each file; empty if events do not have it.
    files: Box<[Box<[u8]>]>,
    buffers: Buffers,
    quick: Quick,
}

impl LineFormat for JsonFormat {
    type State = JsonState;

    fn state(&self, trace: &Trace) -> JsonState {
        let (texts, buffers, quick) = <_>::default();
        let files = if self.has_file || trace.files().len() > 1 { file_members(trace) } else { Box::default() };
        JsonState { texts, time: TimeCache::new(self.zone.clone()), files, buffers, quick }
    }

    fn event(&self, state: &mut JsonState, event: &Event<'_>, out: &mut Vec<u8>) -> Result<()> {
        let JsonState { texts, time, files, buffers, .. } = state;
        let texts = texts.of(event, |known| Texts::new(event, &(), known));
        out.push(b'{');
        write_event(&mut Line { out, texts, time, files }, event, buffers);
        out.extend_from_slice(b"}\n");
        Ok(())
    }

    fn compiled(&self, state: &mut JsonState, pending: &mut PendingEvent<'_>, out: &mut Vec<u8>) -> bool {
        let JsonState { time, files, buffers, quick, .. } = state;
        quick.line(pending, LineParts { time, files, buffers }, out)
    }
}

/// Returns the member `file` for the events of each file.
fn file_members(trace: &Trace) -> Box<[Box<[u8]>]> {
    let member = |file: &TraceFile| {
        let mut out = Vec::new();
        out.member(HeaderField::File.name(), MemberValue::Text(file.source.name().as_bytes()));
        out.into()
    };
    trace.files().iter().map(member).collect()
}

/// A line that is being written.
struct Line<'l> {
    out: &'l mut Vec<u8>,
    texts: &'l Texts,
    time: &'l mut TimeCache,
    files: &'l [Box<[u8]>],
}

impl EventWriter for Line<'_> {
    type Members = Vec<u8>;

    #[inline]
    fn members(&mut self) -> &mut Vec<u8> {
        self.out
    }

    #[inline]
    fn times(&mut self, event: &Event<'_>) {
        if let Some(HeaderValue::Time { time, is_local }) = HeaderField::Time.value(event) {
            self.out.extend_from_slice(b"\"time\":\"");
            self.time.push_of(self.out, time, is_local);
            self.out.extend_from_slice(b"\",");
        }
        self.out.extend_from_slice(b"\"raw_time\":");
        push_integer(self.out, event.raw().time().0);
        if let Some(file) = self.files.get(event.raw().place().file.index()) {
            self.out.extend_from_slice(file);
        }
    }

    #[inline]
    fn names(&mut self, _: &Event<'_>) {
        self.out.extend_from_slice(&self.texts.names);
    }

    #[inline]
    fn kind(&mut self, _: &Event<'_>) {
        self.out.extend_from_slice(&self.texts.kind);
    }

    #[inline]
    fn fields(&mut self, event: &Event<'_>) {
        if let Some(keys) = &self.texts.layout.fields {
            self.out.extend_from_slice(b",\"fields\":");
            push_fields(self.out, event, keys, event.clock());
        }
    }

    #[inline]
    fn derived(&mut self, event: &Event<'_>) {
        write_derived(self.out, event, &self.texts.layout.derived);
    }
}
