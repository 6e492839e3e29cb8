//! JSON lines: one object an event (`docs/json.md`).

use std::io::Write;
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::bytes::{Guid, Sid, u32_at, u64_at, write_hex};
use crate::decode::{Attribution, Event, EventType, Fit};
use crate::error::Result;
use crate::event::{ExtendedItem, Header, Kind, RawEvent};
use crate::format::ExtendedType;
use crate::render::json::{FieldKeys, push_fields, push_integer, push_key, quoted};
use crate::render::time::TimeCache;
use crate::render::{Zone, escape, value, write_message};
use crate::schema::Schema;
use crate::system::System;
use crate::trace::Trace;

use super::prepared::Prepared;
use crate::sink::{Sink, Worker};

/// Writes each event as one JSON object and a line feed.
#[derive(Debug)]
pub struct JsonLines<'c, W> {
    trace: &'c Trace,
    zone: Zone,
    writer: W,
}

impl<'c, W: Write> JsonLines<'c, W> {
    /// Writes to `writer`, which should not buffer: lines come in large batches.
    pub fn new(trace: &'c Trace, writer: W) -> Self {
        Self { trace, zone: Zone::default(), writer }
    }

    /// With times of events in a zone.
    #[must_use]
    pub fn zone(mut self, zone: Zone) -> Self {
        self.zone = zone;
        self
    }

    /// The writer.
    pub fn into_inner(self) -> W {
        self.writer
    }
}

impl<'c, W: Write> Sink for JsonLines<'c, W> {
    type Worker = JsonWorker<'c>;

    fn worker(&self) -> JsonWorker<'c> {
        let (out, prepared, message, addresses) = <_>::default();
        let time = TimeCache::new(self.zone.clone());
        JsonWorker { trace: self.trace, out, prepared, time, message, addresses }
    }

    fn accept(&mut self, batch: Vec<u8>) -> Result<ControlFlow<()>> {
        self.writer.write_all(&batch)?;
        Ok(ControlFlow::Continue(()))
    }
}

/// Makes the lines of one thread.
#[derive(Debug)]
pub struct JsonWorker<'c> {
    trace: &'c Trace,
    out: Vec<u8>,
    prepared: Prepared<Texts>,
    time: TimeCache,
    message: String,
    addresses: Vec<u64>,
}

/// What is the same for nearly all events of a key.
#[derive(Debug)]
struct Texts {
    /// From `,"provider"` to `"channel":..`.
    names: Vec<u8>,
    /// From `,"kind"` on.
    kind: Vec<u8>,
    fields: Option<Arc<FieldKeys>>,
}

impl Worker for JsonWorker<'_> {
    type Batch = Vec<u8>;

    fn event(&mut self, event: &Event<'_>) -> Result<()> {
        let raw = &event.raw;
        let trace = self.trace;
        let prepared = self.prepared.of(event, |known| Texts::new(event, known));
        let out = &mut self.out;
        out.push(b'{');
        if let Some(time) = event.time {
            out.extend_from_slice(b"\"time\":\"");
            self.time.push_of(out, time, event.is_local_time());
            out.extend_from_slice(b"\",");
        }
        out.extend_from_slice(b"\"raw_time\":");
        push_integer(out, raw.time());
        out.extend_from_slice(&prepared.names);
        push_header(out, raw, event.attribution(), trace.system());
        out.extend_from_slice(&prepared.kind);
        let clock = trace.clock(raw.place().file);
        if let Some(keys) = &prepared.fields {
            out.extend_from_slice(b",\"fields\":");
            push_fields(out, event, keys, clock);
        }
        push_rest(out, event);
        push_items(out, raw);
        push_stack(out, event, trace.system(), &mut self.addresses);
        if let Some(message) = event.schema.and_then(Schema::message) {
            self.message.clear();
            write_message(&mut self.message, message, event, clock);
            push_text(out, "message", self.message.as_bytes());
        }
        out.extend_from_slice(b"}\n");
        Ok(())
    }

    fn take(&mut self) -> Vec<u8> {
        let capacity = self.out.capacity().min(8 << 20);
        std::mem::replace(&mut self.out, Vec::with_capacity(capacity))
    }
}

impl Texts {
    fn new(event: &Event<'_>, known: Option<&Self>) -> Self {
        let mut names = Vec::new();
        push_names(&mut names, event);
        let mut kind = Vec::new();
        push_text(&mut kind, "kind", event.raw.kind_name().as_bytes());
        if let Some(schema) = event.schema {
            push_text(&mut kind, "schema", schema.origin().to_string().as_bytes());
        }
        let fields = match known {
            Some(known) => known.fields.clone(),
            None => event.schema.map(|schema| Arc::new(FieldKeys::new(schema))),
        };
        Self { names, kind, fields }
    }
}

/// Provider, event and descriptor.
fn push_names(out: &mut Vec<u8>, event: &Event<'_>) {
    let raw = &event.raw;
    if let Some(provider) = event.event_type().and_then(EventType::provider_name) {
        push_text(out, "provider", provider.as_bytes());
    }
    let guid = event.provider_guid();
    if !guid.is_null() {
        push_guid(out, "provider_guid", guid);
    }
    let kind = raw.kind();
    if kind == Kind::Classic && guid != raw.provider() && !raw.provider().is_null() {
        push_guid(out, "task_guid", raw.provider());
    }
    if let Some(name) = event.schema.and_then(|schema| schema.names().full()) {
        push_text(out, "event", name.as_bytes());
    }
    push_details(out, event);
    if matches!(kind, Kind::Manifest | Kind::TraceLogging | Kind::Wpp) {
        push_number(out, "id", raw.id());
    }
    if kind == Kind::Wpp || kind == Kind::Error {
        return;
    }
    push_number(out, "version", raw.version());
    if raw.hook().is_none() {
        push_number(out, "level", raw.level());
    }
    push_number(out, "opcode", raw.opcode());
    if raw.described().is_some() {
        push_number(out, "task", raw.task());
        out.extend_from_slice(b",\"keywords\":");
        quoted(out, |out| {
            value::hex(out, raw.keywords());
        });
        push_number(out, "channel", raw.channel());
    }
}

/// What else the schema's source tells of the event, an object.
fn push_details(out: &mut Vec<u8>, event: &Event<'_>) {
    let mut begun = false;
    for (key, value) in event.schema.into_iter().flat_map(|schema| schema.names().own_details()) {
        if begun {
            out.push(b',');
        } else {
            push_key_after_comma(out, "details");
            out.push(b'{');
        }
        begun = true;
        quoted(out, |out| escape::push_utf8(out, key.as_bytes()));
        out.push(b':');
        quoted(out, |out| escape::push_utf8(out, value.as_bytes()));
    }
    if begun {
        out.push(b'}');
    }
}

/// Ids, processor and activities: different in every event.
fn push_header(out: &mut Vec<u8>, raw: &RawEvent<'_>, whose: Attribution, state: &System) {
    if let Some(pid) = whose.pid {
        push_number(out, "pid", pid);
        if let Some(name) = state.process_name_at(pid, raw) {
            push_text(out, "process", name.as_bytes());
        }
    }
    if let Some(tid) = whose.tid {
        push_number(out, "tid", tid);
    }
    push_number(out, "cpu", raw.processor());
    if let Some(activity) = raw.activity() {
        push_guid(out, "activity", activity);
    }
    if let Some(related) = raw.related_activity() {
        push_guid(out, "related_activity", related);
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

/// What the fields do not hold: surplus, a misfit, or the whole payload.
fn push_rest(out: &mut Vec<u8>, event: &Event<'_>) {
    let rest = event.remainder();
    if event.schema.is_none() {
        if !rest.is_empty() {
            push_bytes(out, "payload", rest);
        }
        return;
    }
    if !event.fit().is_whole() {
        push_text(out, "problem", problem(event).as_bytes());
    }
    if !rest.is_empty() {
        push_bytes(out, "extra", rest);
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

/// Stacks, hardware counters and the other extended items.
fn push_items(out: &mut Vec<u8>, raw: &RawEvent<'_>) {
    let (pebs, counters) = raw.header().counters(raw.bytes());
    if let Some(index) = pebs {
        push_key_after_comma(out, "pebs_index");
        push_integer(out, index.cast_signed());
    }
    if !counters.is_empty() {
        push_list(out, "counters", counters.chunks_exact(8).map(|c| u64_at(c, 0)), push_counter);
    }
    if let Header::Instance(instance) = raw.header() {
        push_number(out, "instance", instance.instance.get());
        push_number(out, "parent_instance", instance.parent_instance.get());
        push_guid(out, "parent_class", instance.parent_class);
    }
    if !raw.has_extended() {
        return;
    }
    push_other_items(out, raw);
}

/// The stack, and the images that its addresses lie in.
fn push_stack(out: &mut Vec<u8>, event: &Event<'_>, state: &System, addresses: &mut Vec<u64>) {
    let Some(found) = event.stack(addresses) else { return };
    push_list(out, "stack", addresses.iter().copied(), push_address);
    if let Some(missing) = found.missing {
        push_text(out, "stack_missing", missing.reason().as_bytes());
    }
    if !addresses.is_empty() && !state.images.list().is_empty() {
        let time = state.times.of(&event.raw);
        let image = |address: u64| state.images.at(found.pid.unwrap_or(0), address, time);
        push_list(out, "frames", addresses.iter().copied(), |out, address| match image(address) {
            Some(image) => quoted(out, |out| {
                escape::push_utf8(out, image.file_name().as_bytes());
                out.push(b'+');
                value::hex(out, address - image.base);
            }),
            None => out.extend_from_slice(b"null"),
        });
    }
}

fn push_other_items(out: &mut Vec<u8>, raw: &RawEvent<'_>) {
    let shown = |item: &ExtendedItem<'_>| {
        !matches!(
            item.item_type,
            ExtendedType::RELATED_ACTIVITY
                | ExtendedType::STACK_32
                | ExtendedType::STACK_64
                | ExtendedType::SCHEMA
                | ExtendedType::PROVIDER_TRAITS
        )
    };
    let mut first = true;
    for item in raw.extended().filter(shown) {
        if first {
            push_key_after_comma(out, "extended");
            out.push(b'{');
        } else {
            out.push(b',');
        }
        first = false;
        match item.item_type.name() {
            Some(name) => push_key(out, name),
            None => push_key(out, &item.item_type.0.to_string()),
        }
        push_item(out, item);
    }
    if !first {
        out.push(b'}');
    }
}

fn push_item(out: &mut Vec<u8>, item: ExtendedItem<'_>) {
    let data = item.data;
    match item.item_type {
        ExtendedType::SID if Sid::new(data).is_some() => {
            let sid = Sid::new(data).map(|sid| sid.to_string()).unwrap_or_default();
            quoted(out, |out| out.extend_from_slice(sid.as_bytes()));
        }
        ExtendedType::TERMINAL_SESSION if data.len() == 4 => push_integer(out, u32_at(data, 0).into()),
        ExtendedType::CONTROL_GUID | ExtendedType::CONTAINER_ID if data.len() == 16 => {
            let guid = item.guid().unwrap_or(Guid::NULL);
            quoted(out, |out| out.extend_from_slice(&guid.to_text()));
        }
        ExtendedType::PEBS_INDEX
        | ExtendedType::EVENT_KEY
        | ExtendedType::PROCESS_START_KEY
        | ExtendedType::QPC_DELTA
            if data.len() == 8 =>
        {
            quoted(out, |out| {
                value::hex(out, u64_at(data, 0));
            });
        }
        _ => quoted(out, |out| write_hex(out, data)),
    }
}

fn push_list(out: &mut Vec<u8>, name: &str, values: impl Iterator<Item = u64>, each: impl Fn(&mut Vec<u8>, u64)) {
    push_key_after_comma(out, name);
    out.push(b'[');
    for (at, value) in values.enumerate() {
        if at > 0 {
            out.push(b',');
        }
        each(out, value);
    }
    out.push(b']');
}

fn push_address(out: &mut Vec<u8>, address: u64) {
    quoted(out, |out| {
        value::hex(out, address);
    });
}

fn push_counter(out: &mut Vec<u8>, value: u64) {
    match i64::try_from(value) {
        Ok(value) => push_integer(out, value),
        Err(_) => quoted(out, |out| out.extend_from_slice(value.to_string().as_bytes())),
    }
}

#[inline]
fn push_key_after_comma(out: &mut Vec<u8>, name: &str) {
    out.extend_from_slice(b",\"");
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b"\":");
}

#[inline]
fn push_number(out: &mut Vec<u8>, name: &str, value: impl itoa::Integer) {
    push_key_after_comma(out, name);
    out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}

fn push_text(out: &mut Vec<u8>, name: &str, text: &[u8]) {
    push_key_after_comma(out, name);
    quoted(out, |out| escape::push_utf8(out, text));
}

fn push_guid(out: &mut Vec<u8>, name: &str, guid: Guid) {
    push_key_after_comma(out, name);
    quoted(out, |out| out.extend_from_slice(&guid.to_text()));
}

fn push_bytes(out: &mut Vec<u8>, name: &str, bytes: &[u8]) {
    push_key_after_comma(out, name);
    quoted(out, |out| write_hex(out, bytes));
}
