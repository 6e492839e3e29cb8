//! UTF-16 with surrogates that have no partner: every format prints U+FFFD for each.

use etwkit_synth::schema::{Metadata, in_type};
use etwkit_synth::{ExtendedItem, Guid, LogfileHeader, ModernEvent, Payload, TraceBuilder};
use quick_xml::events::Event as Xml;
use serde_json::Value;

use crate::etwkit;
use crate::formats::formats;

/// A high one, a low one, a pair in the wrong order, one at the end; a real pair.
const TEXTS: [&[u16]; 5] =
    [&[0x61, 0xD800, 0x62], &[0x61, 0xDC00, 0x62], &[0x61, 0xDE00, 0xD83D, 0x62], &[0x61, 0xDBFF], &[0xD83D, 0xDE00]];
/// What each prints as.
const PRINTED: [&str; 5] = ["a\u{FFFD}b", "a\u{FFFD}b", "a\u{FFFD}\u{FFFD}b", "a\u{FFFD}", "\u{1F600}"];

/// A trace of an event for each text, which is a field that ends with NUL and one with a count.
fn trace() -> Vec<u8> {
    let header = LogfileHeader::default();
    let events = TEXTS.iter().zip(1..).map(|(units, number)| {
        let bytes: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let schema =
            Metadata::event("Lone").field("nul", in_type::UTF16, 0).field("counted", in_type::COUNTED_UTF16, 0);
        let payload = Payload::new().bytes(&bytes).bytes(&[0, 0]).counted(&bytes);
        ModernEvent::new(Guid::new(7))
            .channel(11)
            .at(header.after(number))
            .item(ExtendedItem::schema_tl(schema))
            .payload(payload)
    });
    let events: Vec<ModernEvent> = events.collect();
    events.into_iter().fold(TraceBuilder::new(header), |trace, event| trace.log(0, event)).build().bytes
}

#[test]
fn a_lone_surrogate_prints_as_replacement_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("lone.etl"), trace()).unwrap();
    for format in formats() {
        let output = etwkit(folder.path(), &["dump", "lone.etl", "--format", &format]);
        assert_eq!(output.status.code(), Some(0), "{format}");
        let text = String::from_utf8(output.stdout).unwrap();
        // Of events without a message it prints the name alone.
        if format == "tracefmt" {
            continue;
        }
        for printed in PRINTED {
            assert_eq!(text.matches(printed).count() % 2, 0, "{format}: {printed} in both fields: {text}");
            assert!(text.contains(printed), "{format}: {printed}: {text}");
        }
        let lone = 2 * PRINTED.iter().map(|text| text.matches('\u{FFFD}').count()).sum::<usize>();
        assert_eq!(text.matches('\u{FFFD}').count(), lone, "{format}: {text}");
    }
}

#[test]
fn outputs_with_lone_surrogates_are_read_back() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("lone.etl"), trace()).unwrap();
    let dump = |format| String::from_utf8(etwkit(folder.path(), &["dump", "lone.etl", "-f", format]).stdout).unwrap();
    let lines: Vec<Value> = dump("jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let events = lines.iter().filter(|line| line["event"] == "Lone");
    let read: Vec<[&str; 2]> =
        events.map(|line| ["nul", "counted"].map(|name| line["fields"][name].as_str().unwrap())).collect();
    assert_eq!(read, PRINTED.map(|text| [text, text]));
    let xml = dump("xml");
    let mut reader = quick_xml::Reader::from_str(&xml);
    while !matches!(reader.read_event().unwrap(), Xml::Eof) {}
}
