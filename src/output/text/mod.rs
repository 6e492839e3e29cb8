//! Readable lines: one an event.
//!
//! `time cpu pid tid Provider/Event field=value ...`, and the file before the provider if several are read.

mod fields;
mod paint;

use std::io::Write as _;
use std::sync::OnceLock;

use crate::bytes::write_hex;
use crate::decode::Event;
use crate::error::Result;
use crate::event::Kind;
use crate::render::time::TimeCache;
use crate::render::{Zone, push_message, terminal};
use crate::select::{HeaderField, HeaderValue};
use crate::trace::Trace;

use super::file_labels::file_labels;
use super::names::{names_of_type, push_name};
use super::{LineFormat, LineSink};
use fields::push_fields;
use paint::{COLORS, PLAIN, Paint};

/// Writes each event as a line of text for people. Control characters in values are made visible, so that a trace
/// cannot command the terminal that shows it.
pub type TextLines<'t, W> = LineSink<'t, TextFormat, W>;

/// The options of [`TextLines`].
#[derive(Clone, Debug, Default)]
pub struct TextFormat {
    zone: Zone,
    colored: bool,
    /// Characters of the longest name of an event; counted once for all threads.
    width: OnceLock<usize>,
}

/// Longer names of events do not move the fields of others to the right.
const WIDEST: usize = 60;

impl TextFormat {
    /// Sets the zone for the times of events.
    #[must_use]
    pub fn zone(mut self, zone: Zone) -> Self {
        self.zone = zone;
        self
    }

    /// Sets whether there are colours, as terminals know them: names by level, keys apart from values.
    #[must_use]
    pub const fn colored(mut self, colored: bool) -> Self {
        self.colored = colored;
        self
    }
}

/// Returns the characters of the longest name that is not too long.
fn width_of_names(trace: &Trace) -> usize {
    let names = trace.types().iter().map(names_of_type);
    let widths = names.map(|(provider, event)| provider.chars().count() + 1 + event.chars().count());
    widths.filter(|width| *width <= WIDEST).max().unwrap_or(0)
}

/// The state of one thread between events.
#[derive(Debug)]
pub struct TextState {
    paint: &'static Paint,
    width: usize,
    /// What to show of each file; empty if there is only one.
    files: Box<[Box<str>]>,
    time: TimeCache,
    scratch: Vec<u8>,
}

impl LineFormat for TextFormat {
    type State = TextState;

    fn state(&self, trace: &Trace) -> TextState {
        TextState {
            paint: if self.colored { &COLORS } else { &PLAIN },
            width: *self.width.get_or_init(|| width_of_names(trace)),
            files: file_labels(trace),
            time: TimeCache::new(self.zone.clone()),
            scratch: Vec::new(),
        }
    }

    fn event(&self, state: &mut TextState, event: &Event<'_>, out: &mut Vec<u8>) -> Result<()> {
        push_header(out, state, event)?;
        let width = push_colored_name(out, state.paint, event);
        let end = out.len();
        out.resize(end + state.width.saturating_sub(width), b' ');
        let filled = out.len();
        push_data(out, &mut state.scratch, state.paint, event);
        if out.len() == filled {
            out.truncate(end);
        }
        out.push(b'\n');
        Ok(())
    }
}

/// Time, processor, process and thread; the file of several.
fn push_header(out: &mut Vec<u8>, state: &mut TextState, event: &Event<'_>) -> Result<()> {
    let paint = state.paint;
    out.extend_from_slice(paint.time.as_bytes());
    match HeaderField::Time.value(event) {
        Some(HeaderValue::Time { time, is_local }) => {
            state.time.push_of(out, time, is_local);
        }
        _ => write!(out, "{}", event.raw().time().0)?,
    }
    out.extend_from_slice(paint.off.as_bytes());
    let found = event.attribution();
    let id = |field: HeaderField| number(field.of_attribution(found, event)).map_or("-".into(), |id| id.to_string());
    let cpu = number(HeaderField::Cpu.value(event)).unwrap_or_default();
    write!(out, " {cpu:>3} {:>6} {:>6} ", id(HeaderField::Pid), id(HeaderField::Tid))?;
    if let Some(file) = state.files.get(usize::from(event.raw().place().file)) {
        write!(out, "{file} ")?;
    }
    Ok(())
}

fn number(value: Option<HeaderValue<'_>>) -> Option<u64> {
    value.and_then(|value| value.number())
}

/// Returns the name, coloured by level; returns its characters.
fn push_colored_name(out: &mut Vec<u8>, paint: &Paint, event: &Event<'_>) -> usize {
    let level = number(HeaderField::Level.value(event)).unwrap_or_default();
    out.extend_from_slice(paint.name_of(level).as_bytes());
    let start = out.len();
    push_name(out, event);
    let name = out.get(start..).unwrap_or_default().utf8_chunks();
    let width = name.map(|part| part.valid().chars().count()).sum();
    out.extend_from_slice(paint.off.as_bytes());
    width
}

/// The fields, or the message of a WPP event: it is text for people, its values alone say little.
fn push_data(out: &mut Vec<u8>, scratch: &mut Vec<u8>, paint: &'static Paint, event: &Event<'_>) {
    let Some(schema) = event.schema() else {
        if !event.remainder().is_empty() {
            out.extend_from_slice(b" payload=");
            write_hex(out, event.remainder());
        }
        return;
    };
    match schema.message().filter(|_| event.raw().kind() == Kind::Wpp) {
        Some(message) => {
            scratch.clear();
            push_message(scratch, message, event, event.clock());
            out.push(b' ');
            terminal::push(out, String::from_utf8_lossy(scratch).trim_end());
        }
        None => push_fields(out, scratch, paint, event, schema),
    }
    push_rest(out, event);
}

/// Appends the part that does not fit.
fn push_rest(out: &mut Vec<u8>, event: &Event<'_>) {
    if !event.fit().is_whole() {
        out.extend_from_slice(b" !misfit=");
        terminal::push(out, event.misfit_name());
    }
    if event.left_out() > 0 {
        // Writing to a vector cannot fail.
        let _ = write!(out, " !left-out={}", event.left_out());
    }
    if !event.remainder().is_empty() {
        out.extend_from_slice(b" extra=");
        write_hex(out, event.remainder());
    }
}
