//! Readable lines: one an event.
//!
//! `time cpu pid tid Provider/Event field=value ...`

use std::io::Write;
use std::ops::ControlFlow;

use crate::clock::Clock;
use crate::decode::{Event, Value, Visitor};
use crate::error::Result;
use crate::event::Kind;
use crate::render::time::TimeCache;
use crate::render::value::{self, ValueContext, Written};
use crate::render::{Zone, push_message};
use crate::schema::{Field, Message, Schema, Show};
use crate::trace::Trace;

use super::lines::{key_names, push_clean, push_name};
use crate::sink::{Sink, Worker};

/// Writes each event as a line of text. Control characters in values are made visible, so that a trace cannot
/// command the terminal it is shown on.
#[derive(Debug)]
pub struct TextLines<'c, W> {
    trace: &'c Trace,
    zone: Zone,
    colored: bool,
    /// Characters that the longest name of an event has.
    width: usize,
    writer: W,
}

/// Longer names of events do not move the fields of others to the right.
const WIDEST: usize = 60;

impl<'c, W: Write> TextLines<'c, W> {
    /// Writes to `writer`, which should not buffer.
    pub fn new(trace: &'c Trace, writer: W) -> Self {
        let names = trace.types().iter().map(key_names);
        let width = names.map(|(provider, event)| provider.chars().count() + 1 + event.chars().count());
        let width = width.filter(|width| *width <= WIDEST).max().unwrap_or(0);
        Self { trace, zone: Zone::default(), colored: false, width, writer }
    }

    /// With times of events in a zone.
    #[must_use]
    pub fn zone(mut self, zone: Zone) -> Self {
        self.zone = zone;
        self
    }

    /// With colours, as terminals know them: names by level, keys apart from values.
    #[must_use]
    pub const fn colored(mut self, colored: bool) -> Self {
        self.colored = colored;
        self
    }

    /// The writer.
    pub fn into_inner(self) -> W {
        self.writer
    }
}

impl<'c, W: Write> Sink for TextLines<'c, W> {
    type Worker = TextWorker<'c>;

    fn worker(&self) -> TextWorker<'c> {
        let (out, scratch) = <_>::default();
        let time = TimeCache::new(self.zone.clone());
        let paint = if self.colored { &COLORS } else { &PLAIN };
        TextWorker { trace: self.trace, paint, width: self.width, out, time, scratch }
    }

    fn accept(&mut self, batch: Vec<u8>) -> Result<ControlFlow<()>> {
        self.writer.write_all(&batch)?;
        Ok(ControlFlow::Continue(()))
    }
}

/// What switches colours on and off.
#[derive(Debug)]
struct Paint {
    time: &'static str,
    /// By level, 0 to 5.
    name: [&'static str; 6],
    key: &'static str,
    off: &'static str,
}

static PLAIN: Paint = Paint { time: "", name: [""; 6], key: "", off: "" };
static COLORS: Paint = Paint {
    time: "\u{1b}[2m",
    name: ["\u{1b}[1m", "\u{1b}[1;31m", "\u{1b}[31m", "\u{1b}[33m", "\u{1b}[1m", "\u{1b}[2m"],
    key: "\u{1b}[36m",
    off: "\u{1b}[0m",
};

impl Paint {
    fn name_of(&self, level: u8) -> &'static str {
        self.name.get(usize::from(level)).copied().unwrap_or(self.off)
    }
}

/// Makes the lines of one thread.
#[derive(Debug)]
pub struct TextWorker<'c> {
    trace: &'c Trace,
    paint: &'static Paint,
    width: usize,
    out: Vec<u8>,
    time: TimeCache,
    scratch: Vec<u8>,
}

impl Worker for TextWorker<'_> {
    type Batch = Vec<u8>;

    fn event(&mut self, event: &Event<'_>) -> Result<()> {
        let (raw, paint) = (&event.raw, self.paint);
        self.out.extend_from_slice(paint.time.as_bytes());
        match event.time {
            Some(time) => {
                self.time.push_of(&mut self.out, time, event.is_local_time());
            }
            None => write!(self.out, "{}", raw.time())?,
        }
        self.out.extend_from_slice(paint.off.as_bytes());
        let id = |id: Option<u32>| id.map_or("-".to_owned(), |id| id.to_string());
        let whose = event.attribution();
        write!(self.out, " {:>3} {:>6} {:>6} ", raw.processor(), id(whose.pid), id(whose.tid))?;
        self.out.extend_from_slice(paint.name_of(raw.level()).as_bytes());
        let start = self.out.len();
        push_name(&mut self.out, event);
        let name = self.out.get(start..).unwrap_or_default().utf8_chunks();
        let width: usize = name.map(|part| part.valid().chars().count()).sum();
        self.out.extend_from_slice(paint.off.as_bytes());
        let end = self.out.len();
        self.out.resize(end + self.width.saturating_sub(width), b' ');
        let filled = self.out.len();
        match event.schema.and_then(Schema::message).filter(|_| raw.kind() == Kind::Wpp) {
            Some(message) => self.message(message, event),
            None => self.fields(event),
        }
        if self.out.len() == filled {
            self.out.truncate(end);
        }
        self.out.push(b'\n');
        Ok(())
    }

    fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.out)
    }
}

impl TextWorker<'_> {
    /// A message of WPP is a text made for people: its values alone say little.
    fn message(&mut self, message: &Message, event: &Event<'_>) {
        let clock = self.trace.clock(event.raw.place().file);
        self.scratch.clear();
        push_message(&mut self.scratch, message, event, clock);
        self.out.push(b' ');
        push_clean(&mut self.out, String::from_utf8_lossy(&self.scratch).trim_end());
        self.rest(event);
    }

    /// What does not fit.
    fn rest(&mut self, event: &Event<'_>) {
        if !event.fit().is_whole() {
            self.out.extend_from_slice(b" !misfit=");
            push_clean(&mut self.out, event.misfit_name());
        }
        if event.left_out() > 0 {
            let _ = write!(self.out, " !left-out={}", event.left_out());
        }
        if !event.remainder().is_empty() {
            self.out.extend_from_slice(b" extra=");
            crate::bytes::write_hex(&mut self.out, event.remainder());
        }
    }

    fn fields(&mut self, event: &Event<'_>) {
        let clock = self.trace.clock(event.raw.place().file);
        let Some(schema) = event.schema else {
            if !event.remainder().is_empty() {
                self.out.extend_from_slice(b" payload=");
                crate::bytes::write_hex(&mut self.out, event.remainder());
            }
            return;
        };
        let (out, scratch) = (&mut self.out, &mut self.scratch);
        let mut writer = Writer { out, scratch, schema, clock, paint: self.paint, in_array: 0 };
        for view in event.fields().filter(|view| view.field.show != Show::Hidden) {
            view.visit(&mut writer);
        }
        self.rest(event);
    }
}

struct Writer<'o, 'a> {
    out: &'o mut Vec<u8>,
    scratch: &'o mut Vec<u8>,
    schema: &'a Schema,
    clock: Option<&'a Clock>,
    paint: &'static Paint,
    in_array: u64,
}

impl Writer<'_, '_> {
    fn key(&mut self, field: &Field) {
        if !matches!(self.out.last(), Some(b'[' | b'{')) {
            self.out.push(b' ');
        }
        if self.in_array & 1 == 0 {
            self.out.extend_from_slice(self.paint.key.as_bytes());
            push_clean(self.out, &field.name);
            self.out.extend_from_slice(self.paint.off.as_bytes());
            self.out.push(b'=');
        }
    }
}

impl Visitor for Writer<'_, '_> {
    fn value(&mut self, _: usize, field: &Field, value: Value<'_>) {
        self.key(field);
        self.scratch.clear();
        let context = ValueContext { field, map: self.schema.map(field), clock: self.clock };
        let written = value::push(self.scratch, value, context);
        let text = String::from_utf8_lossy(self.scratch);
        let is_text = matches!(value, Value::Utf16(_) | Value::Ansi(_) | Value::Utf8(_));
        if written == Written::Text && is_text {
            self.out.push(b'"');
            push_clean(self.out, &text);
            self.out.push(b'"');
        } else {
            push_clean(self.out, &text);
        }
    }

    fn begin_array(&mut self, _: usize, field: &Field) {
        self.key(field);
        self.out.push(b'[');
        self.in_array = self.in_array << 1 | 1;
    }

    fn end_array(&mut self, _: usize, _: &Field) {
        self.out.push(b']');
        self.in_array >>= 1;
    }

    fn begin_struct(&mut self, _: usize, field: &Field) {
        self.key(field);
        self.out.push(b'{');
        self.in_array <<= 1;
    }

    fn end_struct(&mut self, _: usize, _: &Field) {
        self.out.push(b'}');
        self.in_array >>= 1;
    }
}
