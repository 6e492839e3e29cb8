//! What follows from the fields of kernel events and the traced system has names for conditions, columns and groups, and
//! is in JSON lines.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

mod elapsed;
mod files;
mod threads;

use etwkit::input::Input;
use etwkit::output::{LineSink, RowFormat, TableFormat};
use etwkit::query::Expression;
use etwkit::sink::Sink;
use etwkit::trace::{Filter, RunOptions, Trace};
use etwkit_synth::{Buffer, Event, LogfileHeader, Payload, PointerSize, SystemEvent, TraceBuilder, kernel};

const EIGHT: PointerSize = PointerSize::Eight;

/// Makes a trace of these events.
fn trace_of(header: &LogfileHeader, events: impl IntoIterator<Item = Event>) -> Trace {
    let buffer = events.into_iter().fold(Buffer::on(0), Buffer::event);
    let bytes = TraceBuilder::new(header.clone()).buffer(buffer).build().bytes;
    Trace::open(Input::bytes("made", bytes), etwkit_parsers::standard()).unwrap()
}

/// The derived members of the JSON lines of events that pass: what comes after the fields of the payload.
fn json(trace: &Trace, condition: &str) -> Vec<String> {
    let mut sink = etwkit::output::JsonLines::new(trace, Vec::new());
    run(trace, condition, &mut sink);
    let lines = String::from_utf8(sink.finish().unwrap()).unwrap();
    let derived = |line: &str| line.rsplit_once("},").map_or("", |(_, rest)| rest.trim_end_matches('}')).to_owned();
    lines.lines().map(derived).collect()
}

fn rows(trace: &Trace, fields: &str, condition: &str) -> String {
    let columns: Vec<_> = fields.split(',').map(|name| etwkit::output::Column::Named(name.parse().unwrap())).collect();
    let mut sink = LineSink::with_format(trace, TableFormat::new(columns, RowFormat::Json), Vec::new());
    run(trace, condition, &mut sink);
    String::from_utf8(sink.finish().unwrap()).unwrap()
}

fn run(trace: &Trace, condition: &str, sink: &mut impl Sink) {
    let filter = Filter::default().expression(condition.parse::<Expression>().unwrap());
    trace.run(&RunOptions::default().threads(1).filter(filter), sink).unwrap();
}

#[test]
fn samples_have_the_image_of_their_address() {
    let (header, base) = (LogfileHeader::default(), 0xffff_f800_0100_0000);
    let image = kernel::image(EIGHT, 0x1403, base, 0x1000, 0, r"\SystemRoot\system32\ntoskrnl.exe").at(header.t0);
    let sample = |at: i64, ip: u64| kernel::sampled_profile(EIGHT, ip, 8).at(header.after(at));
    let call = Payload::new().ptr(EIGHT, base + 0x34);
    let call = SystemEvent::perfinfo(EIGHT, 0x0f33).version(2).payload(call).at(header.after(30));
    let events = [image, sample(10, base + 0x12), sample(20, base + 0x1000), call];
    let trace = trace_of(&header, events.map(Event::from));
    let images = "{\"image\":\"ntoskrnl.exe+0x12\"}\n{\"image\":\"ntoskrnl.exe+0x34\"}\n";
    assert_eq!(rows(&trace, "image", "has image"), images);
    assert_eq!(json(&trace, "has image"), [r#""image":"ntoskrnl.exe+0x12""#, r#""image":"ntoskrnl.exe+0x34""#]);
}
