//! Readable lines: one per event, below one line with the names of the columns.
//!
//! `time level process:pid tid Provider/Event message field=value ...`, and the file before the provider if several are
//! read.

mod bytes;
mod columns;
mod fields;
mod name;
mod paint;
mod parts;
mod quick;

use std::io::Write as _;
use std::sync::OnceLock;

use crate::decode::{Event, EventType, PendingEvent};
use crate::error::Result;
use crate::event::Kind;
use crate::render::{Zone, terminal};
use crate::select::{HeaderField, derived_in_text};
use crate::trace::Trace;

use super::{LineFormat, LineSink, PerType};
use bytes::push_with_text;
use columns::{Columns, Layout, Look};
use fields::push_fields;
pub(super) use name::middle;
use paint::{COLORS, PLAIN, Paint};
use parts::{push_derived, push_message_line, push_payload};
use quick::Quick;

/// Summarizes an event in place of its fields; `None` to print the fields.
pub type Summarize = fn(&Event<'_>) -> Option<String>;

/// Writes each event as a line of text for people, with what they look for in sight: a short time, the level, the
/// process, the event, its message. Bytes are cut. Control characters in values are made visible, so that a trace
/// cannot command the terminal that shows it.
pub type TextLines<'t, W> = LineSink<'t, TextFormat, W>;

/// The options of [`TextLines`].
#[derive(Clone, Debug, Default)]
pub struct TextFormat {
    zone: Zone,
    colored: bool,
    summarize: Option<Summarize>,
    /// Types that may have a summary; `None` for all.
    summarized: Option<fn(&EventType) -> bool>,
    /// Found once for all threads.
    layout: OnceLock<Layout>,
}

impl TextFormat {
    /// Sets the zone for the times of events.
    #[must_use]
    pub fn zone(mut self, zone: Zone) -> Self {
        self.zone = zone;
        self
    }

    /// Sets what describes events better than their fields do, such as network packets in a line each.
    #[must_use]
    pub const fn summarize(mut self, summarize: Summarize) -> Self {
        self.summarize = Some(summarize);
        self
    }

    /// Sets which types of events may have a summary, so that those of all others are written faster.
    #[must_use]
    pub const fn summarized(mut self, summarized: fn(&EventType) -> bool) -> Self {
        self.summarized = Some(summarized);
        self
    }

    /// Sets whether there are colours, as terminals know them: names by level, keys apart from values.
    #[must_use]
    pub const fn colored(mut self, colored: bool) -> Self {
        self.colored = colored;
        self
    }
}

/// The state of one thread between events.
#[derive(Debug)]
pub struct TextState {
    look: Look,
    columns: Columns,
    /// The derived values that events of the type may have.
    derived: PerType<Box<[HeaderField]>>,
    scratch: Vec<u8>,
    quick: Quick,
}

impl TextFormat {
    /// Returns whether events of a type may have a summary.
    fn may_summarize(&self, row: Option<&EventType>) -> bool {
        self.summarize.is_some() && self.summarized.is_none_or(|summarized| row.is_none_or(summarized))
    }

    fn layout(&self, trace: &Trace) -> &Layout {
        self.layout.get_or_init(|| Layout::new(trace, &self.zone))
    }
}

impl LineFormat for TextFormat {
    type State = TextState;

    fn state(&self, trace: &Trace) -> TextState {
        let paint = if self.colored { &COLORS } else { &PLAIN };
        let look = Look { layout: self.layout(trace).clone(), paint };
        let (derived, scratch, quick) = <_>::default();
        TextState { look, columns: Columns::new(&self.zone), derived, scratch, quick }
    }

    fn head(&self, trace: &Trace) -> Vec<u8> {
        self.layout(trace).head().into_bytes()
    }

    fn event(&self, state: &mut TextState, event: &Event<'_>, out: &mut Vec<u8>) -> Result<()> {
        let TextState { look, columns, derived, scratch, .. } = state;
        columns.push(out, look, event);
        let filled = out.len();
        if let Some(summary) = self.summarize.and_then(|summarize| summarize(event)) {
            out.push(b' ');
            terminal::push(out, &summary);
        } else {
            push_data(out, scratch, look.paint, event);
            for field in derived.of(event, |_| derived_in_text(event)) {
                push_derived(out, look.paint, event, *field);
            }
        }
        if out.len() == filled {
            let end = out.iter().rposition(|byte| *byte != b' ').map_or(0, |last| last + 1);
            out.truncate(end);
        }
        out.push(b'\n');
        Ok(())
    }

    fn compiled(&self, state: &mut TextState, pending: &mut PendingEvent<'_>, out: &mut Vec<u8>) -> bool {
        let TextState { look, columns, scratch, quick, .. } = state;
        !self.may_summarize(pending.event_type()) && quick.line(pending, look, columns, scratch, out)
    }
}

/// Appends the message, if there is one, and the fields. The values of a WPP message state little without its text, and
/// nothing more beside it.
fn push_data(out: &mut Vec<u8>, scratch: &mut Vec<u8>, paint: &Paint, event: &Event<'_>) {
    let Some(schema) = event.layout_schema() else {
        return push_payload(out, event.remainder());
    };
    push_message_line(out, scratch, event, schema);
    if schema.message().is_none() || event.raw().kind() != Kind::Wpp {
        push_fields(out, paint, event, schema);
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
        push_with_text(out, event.remainder());
    }
}
