//! Texts that are packed, lack their end, or are arrays of characters.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "helpers of tests, which clippy does not count as tests"
)]

use std::path::Path;

use etwkit::input::Input;
use etwkit::output::JsonLines;
use etwkit::trace::{RunOptions, Trace};
use etwkit_parsers::{Additions, UserSchemas};
use etwkit_synth::compress::lznt1;
use etwkit_synth::{Buffer, ClassicEvent, Event, Guid, LogfileHeader, ModernEvent, Payload, PointerSize, TraceBuilder};
use serde_json::{Value, json};

const WIN_SAT: Guid = Guid::new(0xed54_dff8_c409_4cf6_bf83_05e1_e61a_09c4);
const PERF_TRACK: Guid = Guid::new(0xbf6e_f1cb_89b5_0490_80ac_b180_cfbc_ff0f);
const IMAGE_ID: Guid = Guid::new(0xb3e6_75d7_2554_4f18_830b_2762_7325_60de);
const HTTP: Guid = Guid::new(0xdd5e_f90a_6398_47a4_ad34_4dce_cdef_795f);

/// Returns the JSON of all events.
fn lines(input: Input) -> Vec<Value> {
    lines_with(input, Additions::default())
}

fn lines_with(input: Input, additions: Additions) -> Vec<Value> {
    let trace = Trace::open(input, etwkit_parsers::with(additions)).unwrap();
    let mut lines = JsonLines::new(&trace, Vec::new());
    trace.run(&RunOptions::default(), &mut lines).unwrap();
    let lines = String::from_utf8(lines.finish().unwrap()).unwrap();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns the JSON of the last event of a trace of this one.
fn line(event: impl Into<Event>) -> Value {
    let bytes = TraceBuilder::new(LogfileHeader::default()).buffer(Buffer::on(0).event(event)).build().bytes;
    lines(Input::bytes("made", bytes)).pop().unwrap()
}

fn classic(class: Guid, opcode: u8, version: u16, payload: Payload) -> ClassicEvent {
    let at = LogfileHeader::default().t0 + 1_000;
    ClassicEvent::new(PointerSize::Eight, class, opcode).version(version).at(at).payload(payload)
}

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

fn corpus(name: &str) -> Option<Vec<Value>> {
    let path = etwkit_corpus::path(name)?;
    Some(lines(Input::open(Path::new(&path)).unwrap()))
}

/// Returns the last event of a payload with these fields, as the text of schemas writes them: its fields, and the
/// bytes outside of them.
fn made(fields: &str, payload: &[u8]) -> (Value, Value) {
    let text = format!("provider {{{HTTP}}}\n\nevent id 1 {{\n{fields}\n}}\n");
    let mut additions = Additions::default();
    additions.schemas = UserSchemas::parse(&text).unwrap();
    let event = ModernEvent::new(HTTP).id(1).at(LogfileHeader::default().t0 + 1).payload(Payload::new().bytes(payload));
    let bytes = TraceBuilder::new(LogfileHeader::default()).buffer(Buffer::on(0).event(event)).build().bytes;
    let found = lines_with(Input::bytes("made", bytes), additions).pop().unwrap();
    (found["fields"].clone(), found["extra"].clone())
}

/// A text without its NUL ends with the payload, and half a character is neither text nor another field.
#[test]
fn nothing_is_read_after_a_text_without_an_end() {
    let three = "s utf16\nt utf16\nn u8";
    let ab = utf16("ab");
    let odd = [&ab[..], &[7]].concat();
    assert_eq!(made("s utf16", &odd), (json!({"s": "ab"}), json!("07")));
    assert_eq!(made(three, &odd), (json!({"s": "ab"}), json!("07")));
    assert_eq!(made(three, &[&utf16("ab\0")[..], &[7]].concat()), (json!({"s": "ab"}), json!("07")));
    assert_eq!(made(three, &[&utf16("ab\0\0")[..], &[7]].concat()), (json!({"s": "ab", "t": "", "n": 7}), json!(null)));
    assert_eq!(made("s utf16 x 2\nn u8", &[&utf16("ab\0")[..], &[7]].concat()).0, json!({}));
    assert_eq!(made("s struct {\n  t utf16\n  n u8\n}", &odd).0, json!({}));
    assert_eq!(made("s struct {\n  t utf16\n}\nn u8", &odd), (json!({"s": {"t": "ab"}}), json!("07")));
    assert_eq!(made("s utf16\nn u8 optional", &odd), (json!({"s": "ab"}), json!("07")));
    assert_eq!(made("s utf16\nt utf16 optional", &ab), (json!({"s": "ab"}), json!(null)));
}

/// Signed ones are as good as unsigned ones.
#[test]
fn arrays_of_characters_are_one_text() {
    for wire in ["u8", "i8"] {
        assert_eq!(made(&format!("s {wire} x 3 as char"), b"a\xe9b").0, json!({"s": "aéb"}));
    }
    for wire in ["u16", "i16"] {
        assert_eq!(made(&format!("s {wire} x 3 as char"), &utf16("aéb")).0, json!({"s": "aéb"}));
    }
}

#[test]
fn packed_xml_is_unpacked() {
    let text = "<WinSPR><SystemScore>8.2</SystemScore></WinSPR>".repeat(40);
    let wide = utf16(&text);
    let payload = Payload::new().u32(1).u32(wide.len() as u32).bytes(&lznt1::compress(&wide));
    let found = line(classic(WIN_SAT, 33, 0, payload));
    assert_eq!((&found["event"], found.get("extra")), (&json!("WinSat/WinSPR"), None));
    assert_eq!(found["fields"], json!({"State": 1, "UncompressedSize": wide.len(), "CompressedXml": text}));

    let payload = Payload::new().u32(text.len() as u32).bytes(&lznt1::compress(text.as_bytes()));
    let found = line(classic(PERF_TRACK, 33, 0, payload));
    assert_eq!((&found["event"], found.get("extra")), (&json!("PerfTrackMetaData/Xml"), None));
    assert_eq!(found["fields"], json!({"UncompressedSize": text.len(), "CompressedXml": text}));
}

/// A stream that is cut off, and a size that would take 4 GiB.
#[test]
fn what_cannot_be_unpacked_stays_bytes() {
    let packed = lznt1::compress(&utf16("<WinSPR/>"));
    for (size, packed) in [(18, &packed[..packed.len() - 8]), (u32::MAX, &packed[..])] {
        let payload = Payload::new().u32(1).u32(size).bytes(packed);
        let found = line(classic(WIN_SAT, 33, 0, payload));
        assert_eq!((&found["fields"], &found["problem"]), (&json!({}), &json!("field State does not fit")));
        assert_eq!(found["extra"].as_str().unwrap().len(), 2 * (8 + packed.len()));
    }
}

#[test]
fn the_configuration_of_a_real_machine_can_be_read() {
    let Some(lines) = corpus("misc/test.etl") else { return };
    let found: Vec<_> = lines.iter().filter(|line| line["fields"].get("CompressedXml").is_some()).collect();
    let names: Vec<_> = found.iter().map(|line| line["event"].as_str().unwrap()).collect();
    assert_eq!(names, ["WinSat/WinSPR", "WinSat/Metrics", "WinSat/SystemConfig"]);
    let texts: Vec<_> = found.iter().map(|line| line["fields"]["CompressedXml"].as_str().unwrap()).collect();
    for (line, text) in found.iter().zip(&texts) {
        // The NUL at the end is not shown.
        assert_eq!(utf16(text).len() as u64 + 2, line["fields"]["UncompressedSize"].as_u64().unwrap());
    }
    assert!(texts[0].contains("<SystemScore>8.2</SystemScore>"), "{}", texts[0]);
}

#[test]
fn the_texts_of_an_image_without_a_name_are_shown() {
    let both = Payload::new().utf16z("a.dll").utf16z(r"C:\a.dll");
    let found = line(classic(IMAGE_ID, 41, 1, both));
    assert_eq!(found["fields"], json!({"Text": "a.dll", "Text2": r"C:\a.dll"}));
    let found = line(classic(IMAGE_ID, 41, 1, Payload::new().utf16z("a.dll")));
    assert_eq!((&found["fields"], found.get("extra")), (&json!({"Text": "a.dll"}), None));
}

#[test]
fn a_text_without_its_end_has_a_mark() {
    let event =
        |payload: Payload| ModernEvent::new(HTTP).id(2).at(LogfileHeader::default().t0 + 1_000).payload(payload);
    let start = || Payload::new().u64(1).u32(4);
    let marked = |payload: Payload| {
        let found = line(event(payload));
        (found["fields"]["Url"].clone(), found.get("unterminated").cloned())
    };
    assert_eq!(marked(start().utf16z("http://x/")), (json!("http://x/"), None));
    assert_eq!(marked(start().bytes(&utf16("http://x/"))), (json!("http://x/"), Some(json!("Url"))));
    assert_eq!(marked(start().bytes(&utf16("x")).u8(7)), (json!("x"), Some(json!("Url"))));
    assert_eq!(marked(start().utf16z("x").u8(7)), (json!("x"), None));
    assert_eq!(marked(start().u16(0)), (json!(""), None));
}

#[test]
fn a_text_without_its_end_has_a_mark_before_fields_that_may_be_absent() {
    let schema = "provider \"P\" {11111111-2222-3333-4444-555555555555}\n\
                  event id 1 version 0 {\nName utf16\nMore utf16 optional\nLast u32 optional\n}";
    let guid = Guid::new(0x1111_1111_2222_3333_4444_5555_5555_5555);
    let marked = |payload: Payload| {
        let event = ModernEvent::new(guid).id(1).at(LogfileHeader::default().t0 + 1_000).payload(payload);
        let bytes = TraceBuilder::new(LogfileHeader::default()).buffer(Buffer::on(0).event(event)).build().bytes;
        let mut additions = Additions::default();
        additions.schemas = UserSchemas::parse(schema).unwrap();
        let found = lines_with(Input::bytes("made", bytes), additions).pop().unwrap();
        found.get("unterminated").cloned()
    };
    assert_eq!(marked(Payload::new().bytes(&utf16("a"))), Some(json!("Name")));
    assert_eq!(marked(Payload::new().utf16z("a")), None);
    assert_eq!(marked(Payload::new().utf16z("a").bytes(&utf16("b"))), Some(json!("More")));
    assert_eq!(marked(Payload::new().utf16z("a").utf16z("b").u32(1)), None);
}

/// Windows gave up on 291 of these events.
#[test]
fn the_texts_of_a_real_trace_that_lack_their_end_are_marked() {
    let Some(lines) = corpus("tx/HTTP_Server.etl") else { return };
    let found: Vec<_> = lines.iter().filter(|line| line.get("unterminated").is_some()).collect();
    assert_eq!(found.len(), 291);
    for line in found {
        let name = line["unterminated"].as_str().unwrap();
        assert!(line["fields"][name].as_str().is_some_and(|text| !text.is_empty()), "{line}");
    }
}

#[test]
fn an_array_of_characters_is_one_text() {
    let Some(lines) = corpus("airbus/AMSITrace.etl") else { return };
    let found: Vec<_> = lines.iter().filter(|line| line["fields"].get("Raw Script").is_some()).collect();
    assert_eq!(found.len(), 19);
    let raw: Vec<_> = found.iter().map(|line| line["fields"]["Raw Script"].as_str().unwrap()).collect();
    let start = "IWshShell3.Run(\"powershell.exe -nop -w 1 -enc RwBlAHQALQBBAGwAaQBhAHMA\", \"0\", \"true\");\r\n";
    assert_eq!([raw[0], raw[1]], [start, "Get-Alias"]);
    // The provider writes each script twice: as a text and as its characters.
    for (line, raw) in found.iter().zip(&raw) {
        assert_eq!(line["fields"]["Script"].as_str().unwrap().len(), raw.len());
    }
}
