//! The report as one JSON object. What is not known is absent. Keys are those of the corpus' `truth.jsonl`.

use std::collections::BTreeMap;

use etwkit::Problem;
use etwkit::event::{EventKey, Kind};
use etwkit::format::{HeaderType, LogFileHeader, TimeZone};
use etwkit::system::StackJoins;
use etwkit::trace::{ProviderCount, SourceCount, UndecodedTypes};
use etwkit_parsers::wpp::ReferencedPdb;
use etwkit_windows_analyses::product;
use serde_json::{Map, Value, json};

use crate::problem_text;
use crate::time_text::{rfc3339, seconds};

use super::machines::TracedMachine;
use super::report::Report;
use super::undecoded;
use super::uses::{answered, uses};

/// The whole object.
pub(super) fn object(report: &Report) -> Value {
    let counts = report.counts();
    let mut object = Object::default();
    if report.is_together() {
        object.put("files", report.files().collect::<Vec<_>>());
    } else {
        object.put("file", report.name());
    }
    contents(&mut object, report);
    session(&mut object, report);
    machine(&mut object, report);
    object.put("time_inversions", counts.time_inversions);
    object.put("stacks", report.stacks().map(stacks));
    decoding(&mut object, report);
    object.put("counters", counters(report));
    object.put("problems", report.problems().iter().map(|found| problem_of(found, report)).collect::<Vec<_>>());
    Value::Object(object.0)
}

/// The system, and the commands for what is there.
fn machine(object: &mut Object, report: &Report) {
    let machine = report.machine();
    object.put("product", report.log().and_then(|log| product(log.os_build)));
    if report.machines().len() > 1 {
        object.put("machines", report.machines().iter().map(traced_machine).collect::<Vec<_>>());
    } else {
        object.put("build", machine.build.as_deref());
        object.put("computer", machine.computer.as_deref());
        object.put("cpu_mhz", machine.megahertz);
        object.put("memory_mb", machine.memory);
    }
    let commands: Vec<&str> = uses(report).into_iter().map(|found| found.command).collect();
    if !commands.is_empty() {
        object.put("commands", commands);
    }
    object.put("analyses", answered(report));
}

/// One of several machines.
fn traced_machine(machine: &TracedMachine) -> Value {
    let mut row = Object::default();
    row.put("computer", machine.computer.as_deref());
    row.put("os_build", machine.build);
    row.put("product", machine.product());
    row.put("boot_time", machine.booted.and_then(rfc3339));
    row.put("files", machine.files.as_slice());
    Value::Object(row.0)
}

/// Sizes and counts.
fn contents(object: &mut Object, report: &Report) {
    let counts = report.counts();
    object.put("bytes", report.bytes());
    object.put("sha256", report.sha256.as_deref());
    object.put("buffers", counts.buffers);
    object.put("compressed_buffers", counts.compressed_buffers);
    object.put("events", counts.events);
    object.put("by_header", by_header(report));
    object.put("payload_bytes", counts.payload_bytes);
    object.put("raw_time_min", counts.first_time.map(|time| time.0));
    object.put("raw_time_max", counts.last_time.map(|time| time.0));
    object.put("processors_seen", report.trace.processor_numbers().len());
    object.put("by_provider", by_provider(report));
    object.put("by_kernel_hook", numbered(&counts.by_hook, |hook| format!("{hook:04x}")));
    object.put("by_extended_item", numbered(&counts.by_item, |item| item.to_string()));
    object.put("header", report.log().map(header));
}

/// What decodes the events, and what is missing for the others.
fn decoding(object: &mut Object, report: &Report) {
    let (decoded, undecoded) = report.trace.decoded();
    object.put("decoded_events", decoded);
    object.put("undecoded_events", undecoded);
    object.put("schemas", sources(report));
    if !report.undecoded_types().is_empty() {
        object.put("missing_schemas", report.undecoded_types().iter().map(undecoded_type).collect::<Vec<_>>());
    }
    if !report.siblings().is_empty() {
        object.put("siblings", report.siblings());
    }
    if !report.missing_symbols().is_empty() {
        object.put("missing_symbols", report.missing_symbols().iter().map(wanted_pdb).collect::<Vec<_>>());
    }
}

/// Events and schemas by the source of the schemas.
fn sources(report: &Report) -> Map<String, Value> {
    let row = |count: SourceCount| {
        json!({
            "events": count.events,
            "schemas": count.schemas,
            "version_guessed": count.version_guessed,
            "build_guessed": count.build_guessed,
        })
    };
    report.trace.sources().into_iter().map(|(source, count)| (source.name().to_owned(), row(count))).collect()
}

/// Keys of one provider that are listed.
const LISTED_KEYS: usize = 256;

/// Events of one provider that lack something.
fn undecoded_type(types: &UndecodedTypes) -> Value {
    let mut row = Object::default();
    row.put("kind", types.kind.name());
    row.put("guid", types.guid.to_string());
    row.put("name", types.name.as_deref());
    row.put("events", types.events);
    row.put("missing", types.missing.name());
    row.put("why", undecoded::why(types.kind, types.missing));
    row.put("supply", undecoded::supply(types.kind, types.missing));
    row.put("keys", types.keys.iter().take(LISTED_KEYS).map(key).collect::<Vec<_>>());
    let more = types.keys.len().saturating_sub(LISTED_KEYS);
    row.put("more_keys", Some(more).filter(|more| *more > 0));
    Value::Object(row.0)
}

/// The numbers of a key that matter for its kind.
fn key((key, events): &(EventKey, u64)) -> Value {
    let mut row = Object::default();
    row.put("id", Some(key.id).filter(|_| matches!(key.kind, Kind::Manifest | Kind::Wpp)));
    row.put("opcode", Some(key.opcode).filter(|_| matches!(key.kind, Kind::Classic | Kind::TraceLogging)));
    row.put("version", Some(key.version).filter(|_| matches!(key.kind, Kind::Classic | Kind::Manifest)));
    row.put("events", *events);
    Value::Object(row.0)
}

/// A problem, with its file if there are several.
fn problem_of(found: &Problem, report: &Report) -> Value {
    problem_text::json_of(found, report.files().nth(found.file.index()).filter(|_| report.is_together()))
}

/// What a performance log records; null for other traces.
fn counters(report: &Report) -> Value {
    let counters = report.counters();
    let paths: Vec<&str> = counters.paths().collect();
    let (samples, unreadable) = (counters.samples(), counters.unreadable());
    if paths.is_empty() && samples + unreadable == 0 {
        return Value::Null;
    }
    let mut row = json!({ "paths": paths, "samples": samples, "unreadable": unreadable });
    if let (unlisted @ 1.., Some(row)) = (counters.unlisted(), row.as_object_mut()) {
        row.insert("unlisted".to_owned(), unlisted.into());
    }
    row
}

/// An object under construction: nulls are left out.
#[derive(Default)]
struct Object(Map<String, Value>);

impl Object {
    fn put(&mut self, key: &str, value: impl Into<Value>) {
        match value.into() {
            Value::Null => {}
            value => drop(self.0.insert(key.to_owned(), value)),
        }
    }
}

/// How stacks and events were joined.
fn stacks(joins: &StackJoins) -> Value {
    let orphans: Map<String, Value> = reasons(&joins.orphans, |why| why.reason());
    json!({
        "events_inline": joins.inline,
        "events_joined": joins.joined,
        "events_shared": joins.shared,
        "parts": joins.parts,
        "parts_joined": joins.parts_joined,
        "parts_without_event": orphans,
        "events_incomplete": reasons(&joins.incomplete, |why| why.reason()),
        "events_without_stack": reasons(&joins.bare, |why| why.reason()),
    })
}

fn reasons<T>(counts: &BTreeMap<T, u64>, reason: impl Fn(&T) -> &'static str) -> Map<String, Value> {
    counts.iter().map(|(why, count)| (reason(why).to_owned(), (*count).into())).collect()
}

fn by_header(report: &Report) -> Map<String, Value> {
    let counts = HeaderType::ALL.iter().zip(report.counts().by_header);
    counts.filter(|(_, count)| *count > 0).map(|(kind, count)| (kind.name().to_owned(), count.into())).collect()
}

fn by_provider(report: &Report) -> Map<String, Value> {
    let row = |count: ProviderCount| {
        let mut row = Object::default();
        row.put("name", count.name);
        row.put("events", count.events);
        row.put("decoded", count.decoded);
        Value::Object(row.0)
    };
    report.trace.by_provider().into_iter().map(|(guid, count)| (guid.to_string(), row(count))).collect()
}

fn numbered(counts: &BTreeMap<u16, u64>, key: impl Fn(u16) -> String) -> Map<String, Value> {
    counts.iter().map(|(number, count)| (key(*number), (*count).into())).collect()
}

/// The fields as the file has them.
fn header(log: &LogFileHeader) -> Value {
    json!({
        "Version": log.version_text(),
        "ProviderVersion": log.os_build,
        "PtrSize": log.pointer_size,
        "Mode": format!("{:#x}", log.mode.0),
        "Clock": log.clock.0,
        "Freq": log.frequency,
        "BufferSize": log.buffer_size,
        "BufWritten": log.buffers_written,
        "EventsLost": log.events_lost,
        "BufLost": log.buffers_lost,
        "NProc": log.processors,
    })
}

/// What the header states, in words and times.
fn session(object: &mut Object, report: &Report) {
    let Some(log) = report.log() else {
        if report.is_together() {
            spans(object, report);
            losses(object, report);
        }
        return;
    };
    let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    object.put("os_build", Some(log.os_build).filter(|build| *build > 0));
    object.put("pointer_size", log.pointer_size);
    object.put("processors", log.processors);
    object.put("clock", report.clock().map(|clock| clock.kind().name()).filter(|name| *name != "unknown"));
    object.put("session", text(&log.session));
    object.put("log_file", text(&log.log_file));
    spans(object, report);
    object.put("boot_time", Some(log.boot_time).filter(|time| time.0 > 0).and_then(rfc3339));
    object.put("time_zone", time_zone(&log.time_zone));
    losses(object, report);
}

fn spans(object: &mut Object, report: &Report) {
    object.put("start", report.start().and_then(rfc3339));
    object.put("end", report.end().and_then(rfc3339));
    object.put("duration_s", report.duration().map(seconds));
    object.put("first_event", report.span().and_then(|(first, _)| report.event_time(first)));
    object.put("last_event", report.span().and_then(|(_, last)| report.event_time(last)));
}

fn losses(object: &mut Object, report: &Report) {
    let (events, buffers) = report.lost();
    object.put("events_lost", events);
    object.put("buffers_lost", buffers);
}

/// Minutes to add to local time for UTC, and the names.
fn time_zone(zone: &TimeZone) -> Value {
    let mut object = Object::default();
    object.put("bias", zone.bias);
    object.put("standard_name", Some(zone.standard_name.clone()).filter(|name| !name.is_empty()));
    object.put("standard_bias", zone.standard_bias);
    object.put("daylight_name", Some(zone.daylight_name.clone()).filter(|name| !name.is_empty()));
    object.put("daylight_bias", zone.daylight_bias);
    Value::Object(object.0)
}

/// A PDB file that would decode messages of the trace.
fn wanted_pdb(pdb: &ReferencedPdb) -> Value {
    let providers: Vec<String> = pdb.providers.iter().map(ToString::to_string).collect();
    serde_json::json!({ "name": pdb.name, "guid": pdb.guid.to_string(), "age": pdb.age, "providers": providers })
}
