//! Blobs that the synth crate writes: what they state must come out, and what is broken must not hurt.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "helpers of tests, which clippy does not count as tests"
)]

use etwkit::bytes::Guid;
use etwkit::input::Input;
use etwkit::limits;
use etwkit::parser::Parsers;
use etwkit::schema::{Count, DisplayFormat, Len, MapKind, Scalar, Schema, SchemaSource as Origin, UserPart, Wire};
use etwkit::trace::Trace;
use etwkit_synth::event::PointerSize;
use etwkit_synth::schema::{EventInfo, EventMap, Property, map_event, schema_event};
use etwkit_synth::{Buffer, ClassicEvent, LogfileHeader, ModernEvent, Payload, TraceBuilder};
use etwkit_tei::TraceEventInfo;
use proptest::prelude::*;

const PROVIDER: u128 = 0x00112233_4455_6677_8899_aabbccddeeff;

/// Returns an event with a map, a counted array of structs with bytes of a length of their own, and text.
fn info() -> EventInfo {
    let property = |name: &str, input, output| Property::new(name, input, output, 0);
    let items =
        Property { flags: 1 | 4, name: "Items".into(), in_type: 4, out_type: 2, count: 1, ..Property::default() };
    let data = Property { flags: 2, length: 4, ..property("Data", 14, 15) };
    EventInfo {
        provider: etwkit_synth::Guid::new(PROVIDER),
        id: 7,
        version: 2,
        level: 4,
        opcode: 11,
        keyword: 0x0001_0000_0000_0005,
        provider_name: "Provider".into(),
        task_name: "Task".into(),
        opcode_name: "Opcode".into(),
        level_name: "Information".into(),
        channel_name: "Channel".into(),
        keywords: vec!["One".into(), "Four".into()],
        message: "%1 of %4%n".into(),
        top_level: 4,
        properties: vec![
            Property { map: "Kinds".into(), ..property("Kind", 8, 8) },
            property("Count", 4, 0),
            items,
            property("Name", 1, 1),
            property("Size", 6, 0),
            data,
        ],
        ..EventInfo::default()
    }
}

fn map() -> EventMap {
    EventMap { name: "Kinds".into(), flag: 1, entries: vec![(1, "First".into()), (2, "Second".into())] }
}

fn compiled(info: &EventInfo, map: Option<&EventMap>) -> Schema {
    let mut parser = TraceEventInfo::new();
    parser.add_info(&info.to_bytes()).unwrap();
    if let Some(map) = map {
        parser.add_map(&Payload::new().guid(info.provider).bytes(&map.to_bytes()).into_bytes()).unwrap();
    }
    parser.manifest_schema(Guid::from_u128(PROVIDER), info.id, info.version).unwrap().unwrap()
}

#[test]
fn names_lose_their_blanks_and_standard_ones_are_left_out() {
    let schema = compiled(&info(), None);
    let names = schema.names();
    assert_eq!(names.full().as_deref(), Some("Task/Opcode"));
    assert_eq!((names.provider.as_deref(), names.channel.as_deref()), (Some("Provider"), Some("Channel")));
    assert_eq!(names.level, None);
    // Bit 48 is Windows' own and has no name in the list.
    assert_eq!(*names.keywords, [(1, "One".into()), (4, "Four".into())]);
    assert_eq!(schema.message().unwrap().to_string(), "%1 of %4%n");
    assert_eq!(schema.origin().source, Origin::TRACE_EVENT_INFO);
}

#[test]
fn structs_references_and_maps_come_out() {
    let schema = compiled(&info(), Some(&map()));
    let names: Vec<_> = schema.fields().iter().map(|field| &*field.name).collect();
    assert_eq!(names, ["Kind", "Count", "Items", "Size", "Data", "Name"]);
    let [kind, _, items, size, data, _] = schema.fields() else { panic!("six fields") };
    assert_eq!(schema.map(kind).map(|map| (map.kind(), map.value(2))), Some((MapKind::Values, Some("Second"))));
    assert_eq!((items.count, items.wire), (Count::Field(1), Wire::Struct { fields: 2 }));
    assert_eq!((size.wire, data.wire), (Wire::Scalar(Scalar::U16), Wire::Bytes { len: Len::Field(3) }));
}

#[test]
fn a_custom_schema_is_no_map_and_tags_are_kept() {
    let mut info = info();
    info.properties[0].flags = 0x80;
    let mut blob = info.to_bytes();
    blob[112 + 24] |= 0x40; // the second property has tags ...
    blob[112 + 24 + 20..112 + 24 + 24].copy_from_slice(&0xF123_4567u32.to_le_bytes()); // ... of 28 bits
    let mut parser = TraceEventInfo::new();
    parser.add_info(&blob).unwrap();
    let schema = parser.schemas().next().unwrap().unwrap();
    assert_eq!((schema.fields()[0].map, schema.fields()[0].display), (None, DisplayFormat::Plain));
    assert_eq!(schema.fields()[1].tag, 0x0123_4567);
}

#[test]
fn blobs_may_come_after_their_events_and_maps_after_blobs() {
    let payload = Payload::new().u32(2).u8(2).u16(1).u8(0xAA).u16(0).utf16z("end");
    let guid = etwkit_synth::Guid::new(PROVIDER);
    let header = LogfileHeader::default();
    let event = ModernEvent::new(guid).id(7).version(2).opcode(11).at(header.t0 + 1).payload(payload);
    let mof = EventInfo { event_guid: etwkit_synth::Guid::new(5), decoding_source: 1, ..info() };
    let class = ClassicEvent::new(PointerSize::Four, mof.event_guid, 11).version(2).at(header.t0 + 2);
    let class = class.payload(Payload::new().u32(1).u8(0).utf16z("x"));
    let buffer = Buffer::on(0)
        .event(event)
        .event(class)
        .event(schema_event(PointerSize::Eight, &info()).at(header.t0 + 3))
        .event(schema_event(PointerSize::Four, &mof).at(header.t0 + 3))
        .event(map_event(PointerSize::Eight, guid, &map()).at(header.t0 + 4));
    let bytes = TraceBuilder::new(header).buffer(buffer).build().bytes;
    let parsers = Parsers::none().with(TraceEventInfo::new());
    let trace = Trace::open(Input::bytes("synth", bytes), parsers).unwrap();
    assert!(trace.problems().is_empty(), "{:?}", trace.problems());
    let mut events = trace.events();
    let mut found = Vec::new();
    while let Some(event) = events.next().unwrap() {
        if let Some(schema) = event.schema() {
            assert!(event.remainder().is_empty());
            found.push((schema.names().provider_guid, event.fields().count(), schema.maps().len()));
        }
    }
    assert_eq!(found, [(None, 4, 1), (Some(Guid::from_u128(PROVIDER)), 4, 1)]);
}

#[test]
fn errors_tell_the_offset() {
    let offset = |blob: &[u8]| TraceEventInfo::new().add_info(blob).unwrap_err().offset();
    assert_eq!(offset(&[]), Some(0));
    assert_eq!(offset(&info().to_bytes()[..44]), Some(40));
    let first = |blob: &[u8]| {
        let mut parser = TraceEventInfo::new();
        parser.add_info(blob).unwrap();
        parser.schemas().next().unwrap().unwrap_err().offset()
    };
    assert_eq!(first(&info().to_bytes()[..112 + 24 * 6 - 1]), Some(112)); // properties cut
    let mut blob = info().to_bytes();
    blob[100..104].copy_from_slice(&u32::MAX.to_le_bytes());
    assert_eq!(first(&blob), Some(100)); // property count
    let mut blob = info().to_bytes();
    blob[68..72].copy_from_slice(&0xFFFF_FFF0u32.to_le_bytes());
    assert_eq!(first(&blob), Some(0xFFFF_FFF0)); // task name
}

#[test]
fn a_broken_blob_does_not_hide_a_good_one() {
    let mut broken = info().to_bytes();
    broken[100] = 200;
    let mut parser = TraceEventInfo::new();
    parser.add_info(&info().to_bytes()).unwrap();
    parser.add_info(&broken).unwrap();
    assert!(parser.schemas().all(|schema| schema.is_ok()));
    // The same blob again, and one for the other pointer size, change nothing.
    parser.add_info(&info().to_bytes()).unwrap();
    let schema = parser.schemas().next().unwrap().unwrap();
    assert!(schema.alternative().is_none());
}

proptest! {
    #[test]
    fn nothing_makes_it_panic(
        spots in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..12),
        cut in any::<prop::sample::Index>(),
        is_cut in any::<bool>(),
    ) {
        let mut parser = TraceEventInfo::new();
        for original in [info().to_bytes(), Payload::new().guid(info().provider).bytes(&map().to_bytes()).into_bytes()] {
            let mut blob = original;
            for (at, value) in &spots {
                let at = at.index(blob.len());
                blob[at] = *value;
            }
            if is_cut {
                blob.truncate(cut.index(blob.len()));
            }
            let _ = parser.add_info(&blob);
            let _ = parser.add_map(&blob);
        }
        parser.schemas().for_each(drop);
    }
}

/// Returns the payload of a map event whose entries all have one text, of `len` letters.
fn map_of_one_text(name: &str, entries: u32, len: usize) -> Vec<u8> {
    let names = 16 + 8 * entries;
    let text = names + 2 * (u32::try_from(name.len()).unwrap() + 1);
    let mut payload = Payload::new().guid(etwkit_synth::Guid::new(PROVIDER)).u32(names).u32(1).u32(entries).u32(0);
    for value in 0..entries {
        payload = payload.u32(text).u32(value);
    }
    payload.utf16z(name).utf16z(&"t".repeat(len)).into_bytes()
}

/// A map takes more memory than bytes in the trace: that is what is limited.
#[test]
fn maps_are_paid_for_by_what_they_take() {
    let limit = limits::MAX_LEARNED;
    let mut parser = TraceEventInfo::new();
    let payload = |number: u32| map_of_one_text(&format!("M{number}"), 7_000, 2);
    let len = payload(0).len();
    let learned = (0..1 << 16).take_while(|number| parser.add_map(&payload(*number)).is_ok()).count();
    // An entry of 8 bytes takes 24 and its text.
    assert!(learned * 7_000 * 24 <= limit && learned * len * 5 > limit, "{learned} maps of {len} bytes");
    let error = parser.add_map(&payload(u32::MAX)).unwrap_err();
    assert!(error.to_string().contains("bytes of schemas in the trace"), "{error}");
}

/// A map that comes again takes no more room than one.
#[test]
fn a_map_takes_the_place_of_an_older_one() {
    let mut parser = TraceEventInfo::new();
    let payload = map_of_one_text("M", 7_000, 2);
    for _ in 0..2 * limits::MAX_LEARNED / (7_000 * 24) {
        parser.add_map(&payload).unwrap();
    }
}

#[test]
fn a_template_of_user_data_keeps_its_elements() {
    // `<R>%1</R>` in binary XML: header; tag, size, hash, name; the first property; ends.
    let fragment = [15, 1, 1, 0, 1, 0xFF, 0xFF, 14, 0, 0, 0, 0x52, 0, 1, 0, b'R', 0, 0, 0, 2, 13, 0, 0, 8, 4, 0];
    let with = |flags: u32, place: Option<u32>, len: u32| {
        let mut blob = info().to_bytes();
        let end = blob.len() as u32;
        blob.extend(fragment);
        for (at, number) in [(84, place.unwrap_or(end)), (88, len), (108, flags)] {
            blob[at..at + 4].copy_from_slice(&number.to_le_bytes());
        }
        let mut parser = TraceEventInfo::new();
        parser.add_info(&blob).unwrap();
        parser.manifest_schema(Guid::from_u128(PROVIDER), 7, 2).unwrap().unwrap()
    };
    let len = fragment.len() as u32;
    let schema = with(2, None, len);
    let expected = [UserPart::Element("R".into()), UserPart::Field(0), UserPart::End];
    assert_eq!(schema.user_data().unwrap().parts(), expected);
    // A list of fields; not there; not all of it; no such place.
    for other in [with(1, None, len), with(2, Some(0), len), with(2, None, len - 4), with(2, Some(u32::MAX), len)] {
        assert_eq!((other.user_data(), other.fields().len()), (None, schema.fields().len()));
    }
}
