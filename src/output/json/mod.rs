//! JSON lines: one object an event (`docs/json.md`).

mod items;
mod member;
mod names;
mod stack;

use std::sync::Arc;

use crate::decode::{Event, Fit};
use crate::error::Result;
use crate::render::json::{FieldKeys, push_fields, push_integer};
use crate::render::time::TimeCache;
use crate::render::{Zone, write_message};
use crate::select::{HeaderField, HeaderValue};
use crate::trace::Trace;

use super::{LineFormat, LineSink, PerType};
use items::push_items;
use member::{push_bytes, push_number, push_text, push_value};
use names::push_names;
use stack::push_stack;

/// Writes each event as one JSON object and a line feed.
pub type JsonLines<'t, W> = LineSink<'t, JsonFormat, W>;

/// The options of [`JsonLines`].
#[derive(Clone, Debug, Default)]
pub struct JsonFormat {
    zone: Zone,
}

impl JsonFormat {
    /// Sets the zone for the times of events; those inside of payloads stay UTC.
    #[must_use]
    pub fn zone(mut self, zone: Zone) -> Self {
        self.zone = zone;
        self
    }
}

/// The state of one thread between events.
#[derive(Debug)]
pub struct JsonState {
    texts: PerType<Texts>,
    time: TimeCache,
    message: String,
    addresses: Vec<u64>,
}

/// The parts that are the same for nearly all events of a key.
#[derive(Debug)]
struct Texts {
    /// From `,"provider"` to `"channel":..`.
    names: Vec<u8>,
    /// From `,"kind"` on.
    kind: Vec<u8>,
    fields: Option<Arc<FieldKeys>>,
}

impl LineFormat for JsonFormat {
    type State = JsonState;

    fn state(&self, _: &Trace) -> JsonState {
        let (texts, message, addresses) = <_>::default();
        JsonState { texts, time: TimeCache::new(self.zone.clone()), message, addresses }
    }

    fn event(&self, state: &mut JsonState, event: &Event<'_>, out: &mut Vec<u8>) -> Result<()> {
        let raw = event.raw();
        let texts = state.texts.of(event, |known| Texts::new(event, known));
        out.push(b'{');
        if let Some(HeaderValue::Time { filetime, is_local }) = HeaderField::Time.value(event) {
            out.extend_from_slice(b"\"time\":\"");
            state.time.push_of(out, filetime, is_local);
            out.extend_from_slice(b"\",");
        }
        out.extend_from_slice(b"\"raw_time\":");
        push_integer(out, raw.time());
        out.extend_from_slice(&texts.names);
        push_header(out, event);
        out.extend_from_slice(&texts.kind);
        let clock = event.clock();
        if let Some(keys) = &texts.fields {
            out.extend_from_slice(b",\"fields\":");
            push_fields(out, event, keys, clock);
        }
        push_rest(out, event);
        push_items(out, raw);
        push_stack(out, event, &mut state.addresses);
        if let Some(HeaderValue::Message(message)) = HeaderField::Message.value(event) {
            state.message.clear();
            write_message(&mut state.message, message, event, clock);
            push_text(out, "message", state.message.as_bytes());
        }
        out.extend_from_slice(b"}\n");
        Ok(())
    }
}

impl Texts {
    fn new(event: &Event<'_>, known: Option<&Self>) -> Self {
        let mut names = Vec::new();
        push_names(&mut names, event);
        let mut kind = Vec::new();
        for field in [HeaderField::Kind, HeaderField::Schema] {
            push_value(&mut kind, field, field.value(event));
        }
        let fields = match known {
            Some(known) => known.fields.clone(),
            None => event.schema().map(|schema| Arc::new(FieldKeys::new(schema))),
        };
        Self { names, kind, fields }
    }
}

/// Ids, processor and activities: different in every event.
fn push_header(out: &mut Vec<u8>, event: &Event<'_>) {
    let (raw, found) = (event.raw(), event.attribution());
    // One call for each, so that the compiler sees which field it is: these are in nearly every event.
    push_value(out, HeaderField::Pid, HeaderField::Pid.of_attribution(found, event));
    push_value(out, HeaderField::Process, HeaderField::Process.of_attribution(found, event));
    push_value(out, HeaderField::Tid, HeaderField::Tid.of_attribution(found, event));
    push_number(out, HeaderField::Cpu.name(), event.processor());
    for field in [HeaderField::Activity, HeaderField::RelatedActivity] {
        push_value(out, field, field.in_header(raw, None));
    }
    if let Some(message) = raw.message() {
        if let Some(sequence) = message.sequence {
            push_number(out, "sequence", sequence);
        }
        if let Some(component) = message.component {
            push_number(out, "component", component);
        }
    }
}

/// What is wrong with the payload, and the bytes outside the fields: surplus, a misfit, or the whole payload.
fn push_rest(out: &mut Vec<u8>, event: &Event<'_>) {
    if event.schema().is_some() && !event.fit().is_whole() {
        push_text(out, "problem", problem(event).as_bytes());
    }
    if let Some(text) = event.unterminated() {
        push_text(out, "unterminated", text.name().as_bytes());
    }
    if let Some(HeaderValue::Bytes(rest)) = HeaderField::Extra.value(event) {
        push_bytes(out, if event.schema().is_some() { HeaderField::Extra.name() } else { "payload" }, rest);
    }
}

/// Why fields are missing.
#[cold]
fn problem(event: &Event<'_>) -> String {
    let (name, values) = (event.misfit_name(), event.left_out());
    match event.fit() {
        Fit::Cut => format!("fields from {name} on would print too much: {values} values left out"),
        _ => format!("field {name} does not fit"),
    }
}
