//! EventSource manifests in the trace, in chunks.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "helpers of tests, which clippy does not count as tests"
)]

use etwkit::EventType;
use etwkit::bytes::Guid;
use etwkit::decode::Fit;
use etwkit::input::Input;
use etwkit::parser::{Parsers, SchemaProvider};
use etwkit::schema::{SchemaSource as Origin, Wire};
use etwkit::trace::Trace;
use etwkit_manifest::EventSourceManifests;
use etwkit_synth::schema::manifest_events;
use etwkit_synth::{Buffer, LogfileHeader, ModernEvent, Payload, TraceBuilder};

const SOURCE: u128 = 0x00112233_4455_6677_8899_aabbccddeeff;

/// Returns a manifest as .NET writes it, with one event of the given fields.
fn manifest(version: u8, fields: &str) -> String {
    format!(
        r#"<instrumentationManifest xmlns="http://schemas.microsoft.com/win/2004/08/events">
 <instrumentation><events><provider name="My-Source" guid="{{00112233-4455-6677-8899-aabbccddeeff}}" resourceFileName="a.dll" messageFileName="a.dll" symbol="MySource">
  <tasks><task name="Request" message="$(string.task_Request)" value="65533"/></tasks>
  <opcodes></opcodes>
  <events><event value="1" version="{version}" level="win:Informational" symbol="RequestStart" task="Request" opcode="win:Start" template="RequestArgs"/></events>
  <templates><template tid="RequestArgs">{fields}</template></templates>
 </provider></events></instrumentation>
 <localization><resources culture="en-US"><stringTable><string id="task_Request" value="Request"/></stringTable></resources></localization>
</instrumentationManifest>"#
    )
}

const NUMBER: &str = r#"<data name="Number" inType="win:UInt32"/>"#;
const BYTES: &str =
    r#"<data name="DataSize" inType="win:UInt32"/><data name="Data" inType="win:Binary" length="DataSize"/>"#;

/// Returns the chunk events of a manifest as (number, payload).
fn chunks(xml: &str, size: usize) -> Vec<Vec<u8>> {
    let parts: Vec<&[u8]> = xml.as_bytes().chunks(size).collect();
    let total = (parts.len() as u16).to_le_bytes();
    let envelope = |at: u16| [&[1, 1, 0, 0x5B][..], &total, &at.to_le_bytes()].concat();
    (0..).zip(parts).map(|(at, part)| [&envelope(at)[..], part].concat()).collect()
}

fn add(parser: &mut EventSourceManifests, pid: u32, payload: &[u8]) {
    parser.add_chunk(Guid::from_u128(SOURCE), pid, 1, payload).unwrap();
}

fn field_names(parser: &EventSourceManifests, version: u8) -> Vec<String> {
    let schemas = parser.providers().filter_map(|provider| provider.schema(1, version, Origin::USER).unwrap());
    schemas.map(|schema| schema.fields().iter().map(|field| &*field.name).collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn chunks_of_several_processes_may_be_mixed() {
    let mut parser = EventSourceManifests::new();
    let (first, second) = (chunks(&manifest(0, NUMBER), 100), chunks(&manifest(0, BYTES), 120));
    for at in 0..first.len().max(second.len()) {
        if let Some(chunk) = first.get(at) {
            add(&mut parser, 10, chunk);
        }
        if let Some(chunk) = second.get(at) {
            add(&mut parser, 20, chunk);
        }
    }
    let mut names = field_names(&parser, 0);
    names.sort();
    assert_eq!(names, ["DataSize Data", "Number"]);
}

#[test]
fn the_one_completed_last_goes_first() {
    let mut parser = EventSourceManifests::new();
    let [first, second] = [NUMBER, BYTES].map(|fields| chunks(&manifest(0, fields), usize::MAX).remove(0));
    add(&mut parser, 10, &first);
    add(&mut parser, 20, &second);
    assert_eq!(field_names(&parser, 0), ["DataSize Data", "Number"]);
    add(&mut parser, 30, &first);
    assert_eq!(field_names(&parser, 0), ["Number", "DataSize Data"]);
}

#[test]
fn a_first_chunk_begins_anew_and_one_out_of_turn_drops_what_was_begun() {
    let text = manifest(0, NUMBER);
    let parts = chunks(&text, text.len().div_ceil(4));
    let read = |order: &[usize]| {
        let mut parser = EventSourceManifests::new();
        for at in order {
            add(&mut parser, 10, &parts[*at]);
        }
        parser.providers().count()
    };
    assert_eq!(parts.len(), 4);
    assert_eq!(read(&[0, 1, 2, 3]), 1);
    assert_eq!(read(&[0, 1, 0, 1, 2, 3]), 1);
    assert_eq!(read(&[0, 1, 3, 2, 3]), 0);
    assert_eq!(read(&[1, 2, 3]), 0); // a wrapped file has lost the first
    assert_eq!(read(&[0, 1, 2]), 0);
}

#[test]
fn other_events_with_the_id_teach_nothing() {
    let mut parser = EventSourceManifests::new();
    let good = chunks(&manifest(0, NUMBER), usize::MAX).remove(0);
    for (at, value) in [(0, 2), (3, 0x5C), (4, 0), (6, 1)] {
        let mut bad = good.clone();
        bad[at] = value; // format, magic, no chunks, chunk beyond the last
        add(&mut parser, 10, &bad);
    }
    add(&mut parser, 10, &good[..7]);
    assert_eq!(parser.claims(), EventSourceManifests::new().claims(), "no provider is claimed");
    let mut broken = good;
    broken.truncate(300);
    assert!(parser.add_chunk(Guid::from_u128(SOURCE), 10, 1, &broken).is_err());
    assert_ne!(parser.claims(), EventSourceManifests::new().claims(), "its chunks have a schema");
}

/// Returns a trace of these events.
fn census(events: Vec<ModernEvent>) -> Trace {
    let header = LogfileHeader::default();
    let mut buffer = Buffer::on(0);
    for (at, event) in (1..).zip(events) {
        buffer = buffer.event(event.at(header.t0 + at).by(400, 404));
    }
    let bytes = TraceBuilder::new(header).buffer(buffer).build().bytes;
    let parsers = Parsers::none().with(EventSourceManifests::new());
    Trace::open(Input::bytes("synth", bytes), parsers).unwrap()
}

fn event(version: u8, payload: Payload) -> ModernEvent {
    ModernEvent::new(etwkit_synth::Guid::new(SOURCE)).id(1).version(version).opcode(1).payload(payload)
}

fn source() -> etwkit_synth::Guid {
    etwkit_synth::Guid::new(SOURCE)
}

#[test]
fn a_manifest_may_come_after_its_events_and_is_an_event_itself() {
    let mut events = vec![event(0, Payload::new().u32(42))];
    events.extend(manifest_events(source(), &manifest(0, NUMBER), 400));
    let trace = census(events);
    assert!(trace.problems().is_empty(), "{:?}", trace.problems());
    let mut events = trace.events();
    let mut names = Vec::new();
    while let Some(event) = events.next().unwrap() {
        let Some(schema) = event.schema() else { continue };
        assert_eq!((event.fit(), schema.origin().source), (Fit::Exact, Origin::IN_TRACE_MANIFEST));
        assert_eq!(schema.names().provider.as_deref(), Some("My-Source"));
        names.push(format!("{} {}", schema.names().full().unwrap(), event.fields().count()));
    }
    assert_eq!(names, ["Request/Start 1", "ManifestData 7", "ManifestData 7", "ManifestData 7"]);
}

#[test]
fn each_payload_takes_the_manifest_that_it_fits() {
    let mut events = manifest_events(source(), &manifest(0, BYTES), 60_000);
    events.extend(manifest_events(source(), &manifest(0, NUMBER), 60_000));
    events.push(event(0, Payload::new().u32(3)));
    events.push(event(0, Payload::new().u32(3).u8(1).u8(2).u8(3)));
    let trace = census(events);
    let mut events = trace.events();
    let mut found = Vec::new();
    while let Some(event) = events.next().unwrap() {
        if event.raw().id() == 1 && event.raw().hook().is_none() {
            found.push((
                event.fit(),
                event.fields().map(|view| view.field.name.to_string()).collect::<Vec<_>>().join(" "),
            ));
        }
    }
    assert_eq!(found, [(Fit::Exact, "Number".to_owned()), (Fit::Exact, "DataSize Data".to_owned())]);
}

#[test]
fn a_higher_version_is_read_by_the_lower_one_and_says_so() {
    let mut events = manifest_events(source(), &manifest(2, NUMBER), 60_000);
    events.push(event(3, Payload::new().u32(3).u32(4)));
    events.push(event(1, Payload::new().u32(3)));
    let trace = census(events);
    let guessed = |version: u8| {
        let is_wanted = |row: &&EventType| row.key().id == 1 && row.key().version == version;
        trace
            .types()
            .iter()
            .find(is_wanted)
            .unwrap()
            .schema()
            .map(|schema| (schema.origin().guessed_version, schema.fields()[0].wire))
    };
    assert!(matches!(guessed(3), Some((true, Wire::Scalar(_)))));
    assert!(guessed(1).is_none());
}

/// Whose manifest it is cannot be known: an event that both describe in the same way is none the less certain.
#[test]
fn what_two_manifests_describe_differently_is_a_guess() {
    let other = NUMBER.replace("Number", "Count");
    for (second, is_guess) in [(&*other, true), (NUMBER, false)] {
        let mut events = manifest_events(source(), &manifest(0, NUMBER), 60_000);
        // Texts that differ in what is no description are two manifests, too.
        events.extend(manifest_events(source(), &format!("{}\n", manifest(0, second)), 60_000));
        events.push(event(0, Payload::new().u32(3)));
        let trace = census(events);
        let schemas = trace.types().iter().filter(|row| row.key().id == 1).filter_map(EventType::schema);
        let guesses: Vec<bool> = schemas.map(|schema| schema.origin().guessed_build).collect();
        assert_eq!(guesses, [is_guess], "{second}");
    }
}
