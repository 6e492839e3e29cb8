//! Events of which only the names are known: they have these, and are undecoded for all else.
#![allow(clippy::unwrap_used, reason = "a test")]

use etwkit::event::RawEvent;
use etwkit::output::{JsonFormat, LineFormat, LineSink, TextFormat};
use etwkit::parser::{Claims, Parsers, SchemaProvider, TraceFacts};
use etwkit::schema::{Names, Schema, SchemaSource};
use etwkit::trace::{RunOptions, UndecodedReason};
use etwkit::{Guid, Input, Trace};
use etwkit_synth::{Buffer, LogfileHeader, ModernEvent, Payload, TraceBuilder};

const DOOR: u128 = 0x5e7a_1000_00fe_4b1d_9c0d_e7a5_1d0c_00fe;

/// Knows what its events are called; those with id 2 have no fields.
#[derive(Clone, Debug)]
struct Door;

impl SchemaProvider for Door {
    fn name(&self) -> &str {
        "door"
    }

    fn claims(&self) -> Claims {
        Claims::provider(Guid::from_u128(DOOR))
    }

    fn schema(&self, event: &RawEvent<'_>, _: &TraceFacts) -> etwkit::Result<Option<Schema>> {
        let make = if event.id() == 2 { Schema::empty } else { Schema::names_only };
        make(Names::default().task("Open"), SchemaSource::USER.into()).map(Some)
    }
}

fn trace() -> Trace {
    let event = |id: u16, payload: Payload| {
        let event = ModernEvent::new(etwkit_synth::Guid::new(DOOR)).id(id).payload(payload);
        event.at(LogfileHeader::default().t0 + i64::from(id) * 1_000)
    };
    let events = [event(1, Payload::new().u16(0xCAFE)), event(2, Payload::new()), event(3, Payload::new())];
    let buffer = events.into_iter().fold(Buffer::on(0), Buffer::event);
    let bytes = TraceBuilder::new(LogfileHeader::default()).buffer(buffer).build().bytes;
    Trace::open(Input::bytes("door", bytes), Parsers::none().with(Door)).unwrap()
}

/// Returns the lines of the three events.
fn lines(format: impl LineFormat) -> Vec<String> {
    let trace = trace();
    let mut sink = LineSink::with_format(&trace, format, Vec::new());
    let summary = trace.run(&RunOptions::default(), &mut sink).unwrap();
    // With the event of the file's header.
    assert_eq!((summary.events, summary.undecoded, summary.misfits), (4, 3, 0));
    let text = String::from_utf8(sink.finish().unwrap()).unwrap();
    text.lines().filter(|line| line.contains("Open")).map(str::to_owned).collect()
}

#[test]
fn the_payload_is_bytes() {
    let json = lines(JsonFormat::default());
    let has = |line: &str, member: &str| line.contains(&format!("\"{member}\":"));
    let members = |line: &str| ["payload", "fields", "schema", "extra", "problem"].map(|member| has(line, member));
    assert_eq!(members(&json[0]), [true, false, false, false, false], "{json:?}");
    assert!(json[0].contains("\"payload\":\"feca\""), "{json:?}");
    assert_eq!(members(&json[1]), [false, true, true, false, false], "{json:?}");
    assert_eq!(members(&json[2]), [false; 5], "{json:?}");
    let text = lines(TextFormat::default());
    assert!(!text[0].contains("misfit") && !text[0].contains("extra"), "{text:?}");
}

#[cfg(feature = "serde")]
#[test]
fn serialized_events_are_the_same() {
    let (trace, mut seen) = (trace(), Vec::new());
    let mut events = trace.events();
    while let Some(event) = events.next().unwrap() {
        seen.push(serde_json::to_string(&event).unwrap());
    }
    let json = lines(JsonFormat::default());
    assert_eq!(seen.iter().filter(|event| event.contains("Open")).collect::<Vec<_>>(), json.iter().collect::<Vec<_>>());
}

#[test]
fn they_are_counted_as_undecoded() {
    let trace = trace();
    assert_eq!(trace.decoded(), (1, 3));
    let fields: u64 = trace
        .undecoded_types()
        .iter()
        .filter(|types| types.missing == UndecodedReason::Fields)
        .map(|types| types.events)
        .sum();
    assert_eq!(fields, 2);
    assert_eq!(trace.sources()[&SchemaSource::USER].events, 1);
}
