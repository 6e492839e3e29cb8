//! A MOF file and traces with its events, in both pointer sizes.
#![allow(clippy::unwrap_used, reason = "a test")]

use etwkit::bytes::Guid;
use etwkit::decode::Fit;
use etwkit::input::Input;
use etwkit::output::JsonLines;
use etwkit::parser::Parsers;
use etwkit::schema::text;
use etwkit::trace::{Filter, Order, RunOptions, Trace};
use etwkit_mof::Mof;
use etwkit_synth::{Buffer, ClassicEvent, LogfileHeader, Payload, PointerSize, TraceBuilder};

const SAMPLE: &str = include_str!("sample.mof");
const CLASS: u128 = 0x5a1b_0000_0000_4000_8000_0000_0000_0002;

fn event(size: PointerSize, opcode: u8, version: u16, payload: Payload) -> ClassicEvent {
    let start = LogfileHeader::default().t0;
    ClassicEvent::new(size, etwkit_synth::Guid::new(CLASS), opcode).version(version).at(start + 1000).payload(payload)
}

fn census(event: ClassicEvent) -> Trace {
    let header = LogfileHeader { buffer_size: 1 << 16, ..LogfileHeader::default() };
    let bytes = TraceBuilder::new(header).buffer(Buffer::on(0).event(event)).build().bytes;
    let parsers = Parsers::none().with(Mof::parse("sample.mof", SAMPLE.as_bytes()).unwrap());
    Trace::open(Input::bytes("made", bytes), parsers).unwrap()
}

/// Returns the JSON line of the event, and how its payload fits.
fn decoded(event: ClassicEvent) -> (String, Option<Fit>) {
    let trace = census(event);
    let mut events = trace.events_in(Order::File, &Filter::default());
    let mut fit = None;
    while let Some(event) = events.next().unwrap() {
        fit = event.schema().map(|_| event.fit()).or(fit);
    }
    let mut sink = JsonLines::new(&trace, Vec::new());
    trace.run(&RunOptions::default().threads(1), &mut sink).unwrap();
    let text = String::from_utf8(sink.finish().unwrap()).unwrap();
    let class = Guid::from_u128(CLASS).to_string();
    let line = text.lines().find(|line| line.contains(&class) || line.contains("MadeUp"));
    (line.unwrap().to_owned(), fit)
}

/// Returns a payload of all types. The numbers of pointers have bits that 32-bit pointers lose.
fn payload(size: PointerSize) -> Payload {
    let guid = etwkit_synth::Guid::new(0x0011_2233_4455_6677_8899_aabb_ccdd_eeff);
    let mut payload = Payload::new().u8(200).i8(-3).u16(60_000).i16(-300).u32(0xBEEF).i32(-70_000);
    payload = payload.u64(1 << 40).i64(-5).f32(1.5).f64(-0.25).u8(1).u8(b'z').u16(0x263A);
    payload = payload.ptr(size, 0x1_0000_1000).ptr(size, 0x2_0000_2000).ptr(size, 77).guid(guid).port(443);
    payload = payload.bytes(&[192, 0, 2, 7]).zeros(15).u8(1).mof_sid(size, 5, &[18]).u32(0);
    payload = payload.bytes(&[9, 9, 9]).ansi_z("narrow").utf16z("w\u{ef}de").utf16_counted("counted");
    payload = payload.utf16_reverse_counted("reverse").ansi_counted("short").utf16_fixed("ab", 4);
    payload.u16(1).u16(2).u8(2).u32(10).u32(20).u8(1).u8(0x82).i64(LogfileHeader::default().t0).utf16("rest")
}

#[test]
fn every_type_in_both_pointer_sizes() {
    for (size, pointers) in
        [(PointerSize::Four, ["0x1000", "0x2000"]), (PointerSize::Eight, ["0x100001000", "0x200002000"])]
    {
        let (line, fit) = decoded(event(size, 2, 2, payload(size)));
        assert_eq!(fit, Some(Fit::Exact), "{line}");
        let [pointer, second] = pointers;
        for wanted in [
            "\"MadeUp\"",
            "\"Uint8\":200,\"Sint8\":-3,\"Uint16\":60000,\"Sint16\":-300,\"Hex\":\"0xbeef\",\"Sint32\":-70000",
            "\"Uint64\":1099511627776,\"Sint64\":-5,\"Real32\":1.5,\"Real64\":-0.25,\"Boolean\":true",
            "\"Letter\":\"z\",\"Wide\":\"\u{263A}\"",
            &format!("\"Pointer\":\"{pointer}\",\"PointerType\":\"{second}\",\"Size\":\"0x4d\""),
            "\"Guid\":\"00112233-4455-6677-8899-aabbccddeeff\",\"Port\":443,\"Address\":\"192.0.2.7\",\"Address6\":\"::1\"",
            "\"Sid\":\"S-1-5-18\",\"NoSid\":\"\"",
            "\"Narrow\":\"narrow\",\"WideText\":\"w\u{ef}de\",\"Counted\":\"counted\",\"Reverse\":\"reverse\"",
            "\"NarrowCounted\":\"short\",\"Fixed\":\"ab\",\"Pair\":[1,2],\"Count\":2,\"List\":[10,20]",
            "\"Kind\":\"some\"",
            "\"Bits\":\"b|c\",\"Time\":\"2026-01-02T03:04:05.0000000Z\"",
            "\"Rest\":\"rest\"",
        ] {
            assert!(line.contains(wanted), "{wanted} is not in\n{line}");
        }
    }
}

#[test]
fn versions_choose_the_class() {
    let (line, fit) = decoded(event(PointerSize::Eight, 1, 1, Payload::new().u32(5)));
    assert!(line.contains("\"Number\":5") && fit == Some(Fit::Exact), "{line}");
    // Version 3 is read by version 2, the highest below it; opcode 1 of version 0 is nowhere.
    let mof = Mof::parse("sample.mof", SAMPLE.as_bytes()).unwrap();
    let find = |opcode, version| mof.find(Guid::from_u128(CLASS), opcode, version).unwrap();
    let origin = |opcode, version| find(opcode, version).map(|schema| schema.origin().to_string());
    assert_eq!(origin(1, 3).as_deref(), Some("user version-guessed"));
    assert_eq!((origin(1, 2).as_deref(), origin(1, 0), origin(7, 2)), (Some("user"), None, None));
    let names = find(2, 2).unwrap().names().clone();
    assert_eq!((names.full().as_deref(), names.event.as_deref()), (Some("Work/Stop"), Some("Work_Types")));
    assert_eq!((names.provider.as_deref(), names.detail("MofFile")), (Some("MadeUp"), Some("sample.mof")));
    assert_eq!(names.provider_guid, Some(Guid::from_u128(0x5a1b_0000_0000_4000_8000_0000_0000_0001)));
}

#[test]
fn what_is_not_known_stays_undecoded_and_is_told() {
    let (line, fit) = decoded(event(PointerSize::Eight, 9, 2, Payload::new().u32(5).u32(6).u32(7)));
    assert!(line.contains("\"Number\":5") && !line.contains("After"), "{line}");
    assert_eq!(fit, Some(Fit::Surplus));
    let mof = Mof::parse("sample.mof", SAMPLE.as_bytes()).unwrap();
    let notes: Vec<_> = mof.notes().iter().map(ToString::to_string).collect();
    let wanted = [
        "sample.mof:73:49: `Unknown` has the extension `variant`, whose layout is not known: fields end before it",
        "sample.mof:75:38: `Beside` has no WmiDataId: it is not a field of the payload",
    ];
    assert_eq!(notes, wanted);
}

#[test]
fn schemas_are_printed_and_read_back() {
    let entries =
        Mof::parse("sample.mof", SAMPLE.as_bytes()).unwrap().entries().collect::<Result<Vec<_>, _>>().unwrap();
    assert_eq!(entries.len(), 4);
    let printed = text::print(&entries);
    let mut again = text::parse(&printed).unwrap();
    assert_eq!(text::print(&again), printed);
    again.sort_by(|a, b| (&a.select, a.versions.start()).cmp(&(&b.select, b.versions.start())));
    let mut entries = entries;
    entries.sort_by(|a, b| (&a.select, a.versions.start()).cmp(&(&b.select, b.versions.start())));
    assert_eq!(again, entries, "{printed}");
}

#[test]
fn utf16_says_the_same() {
    let narrow = Mof::parse("a", SAMPLE.as_bytes()).unwrap().entries().collect::<Result<Vec<_>, _>>().unwrap();
    let wide: Vec<u8> = std::iter::once(0xFEFF).chain(SAMPLE.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    assert_eq!(Mof::parse("a", &wide).unwrap().entries().collect::<Result<Vec<_>, _>>().unwrap(), narrow);
}

#[test]
fn folders_are_searched_and_errors_tell_the_place() {
    let folder = std::env::temp_dir().join(format!("etwkit-mof-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("inner")).unwrap();
    // The base is in another file.
    let (first, second) = SAMPLE.split_once("/* Every type").unwrap();
    std::fs::write(folder.join("b.mof"), first).unwrap();
    std::fs::write(folder.join("inner/a.MOF"), format!("/* {second}")).unwrap();
    std::fs::write(folder.join("broken.mof"), "class A {\n  uint32 x\n};").unwrap();
    let mof = Mof::load([&folder]).unwrap();
    assert_eq!((mof.events().count(), mof.skipped().len()), (4, 1));
    let error = Mof::load([folder.join("broken.mof")]).unwrap_err().to_string();
    assert!(error.contains("broken.mof: line 3: column 1: expected `;`"), "{error}");
    assert!(Mof::load([folder.join("none.mof")]).unwrap_err().to_string().contains("none.mof"));
    std::fs::remove_dir_all(&folder).unwrap();
}
