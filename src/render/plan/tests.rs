//! A plan writes what the executor's visitor does, or refuses. Other dialects use the parts of this test.

use proptest::prelude::*;

use super::{Dialect, Json, JsonInCsv, Plan, PlanContext};
use crate::FileId;
use crate::bytes::PointerSize;
use crate::decode::{Event, Fit, Scratch};
use crate::event::{BufferContext, RawEvent};
use crate::format::{HeaderType, Marker};
use crate::limits;
use crate::render::json::{FieldKeys, push_fields};
use crate::render::pen::Pen;
use crate::schema::{Schema, arbitrary};

/// Compares both ways for an event with a payload; `located` appends the fields. Returns how many of its bytes are in
/// fields, and whether the plan took it.
pub(crate) fn compare<D: Dialect>(
    schema: &Schema,
    (header, payload): (HeaderType, &[u8]),
    keys: &D::Keys,
    located: impl Fn(&mut Vec<u8>, &Event<'_>),
) -> (usize, bool) {
    let mut bytes = vec![0; header.fixed_len()];
    bytes.extend_from_slice(payload);
    let raw = RawEvent::new(&bytes, Marker { header, len: bytes.len() }, BufferContext::default()).unwrap();
    let mut scratch = Scratch::default();
    let event = Event::locate(raw, Some(schema), None, &mut scratch);
    let (consumed, pointer) = (payload.len() - event.remainder().len(), raw.pointer_size());
    let Some(mut plan) = Plan::<D>::new(schema, keys, pointer) else { return (consumed, false) };
    let mut pen = Pen::default();
    pen.begin();
    let slots = &mut [0; limits::MAX_REFERENCES];
    let context = PlanContext { schema, keys, clock: None, file: FileId::FIRST, pointer, slots };
    let is_taken = plan.write(&mut pen, payload, context);
    if is_taken {
        assert_eq!((event.fit(), event.unterminated().map(|text| text.name())), (Fit::Exact, None));
        let mut expected = Vec::new();
        located(&mut expected, &event);
        let written = pen.text().map(String::from_utf8_lossy);
        assert_eq!(written, Some(String::from_utf8_lossy(&expected)));
    }
    (consumed, is_taken)
}

/// Compares both ways for events with any payload and with only as many bytes as are in fields: more of them fit.
pub(crate) fn compare_all<D: Dialect>(
    schema: &Schema,
    (payload, is_wide): (&[u8], bool),
    keys: &D::Keys,
    located: impl Fn(&mut Vec<u8>, &Event<'_>),
) {
    let header = if is_wide { HeaderType::System64 } else { HeaderType::System32 };
    let (consumed, _) = compare::<D>(schema, (header, payload), keys, &located);
    compare::<D>(schema, (header, &payload[..consumed]), keys, &located);
}

/// Appends the members of an event and the closing bracket.
fn members(out: &mut Vec<u8>, event: &Event<'_>) {
    push_fields(out, event, &FieldKeys::new(event.schema().unwrap()), None);
    out.remove(0);
}

/// As [`members`], with each quote twice.
fn members_in_csv(out: &mut Vec<u8>, event: &Event<'_>) {
    members(out, event);
    *out = String::from_utf8(std::mem::take(out)).unwrap().replace('"', "\"\"").into_bytes();
}

/// Bytes that are often zero: texts end, and lengths are small.
pub(crate) fn payload() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(prop_oneof![2 => Just(0), 2 => 0..4_u8, 2 => 0x20..0x7F_u8, 1 => any::<u8>()], 0..160)
}

pub(crate) fn of_text(fields: &str) -> Schema {
    let text = format!(
        "provider P {{00000000-0000-0000-0000-000000000001}}\nmap F bits {{ 1 \"a\" 2 \"b\" }}\nmap V values {{ 1 \"one\" }}\nevent id 1 {{\n{fields}\n}}"
    );
    crate::schema::text::parse(&text).unwrap().remove(0).schema
}

/// As many arrays of structs in each other as a schema may have, and an array in the innermost.
pub(crate) fn nested() -> (Schema, Vec<u8>) {
    let open: String = (0..limits::MAX_DEPTH).fold(String::new(), |text, n| text + &format!("S{n} struct x 1 {{\n"));
    let close = "}\n".repeat(limits::MAX_DEPTH);
    (of_text(&format!("{open}A u8 x 2\n{close}Last u8")), vec![7; 3])
}

#[test]
fn json_is_valid_however_deep_structs_are_in_each_other() {
    let (schema, payload) = nested();
    let header = HeaderType::System64;
    let mut bytes = vec![0; header.fixed_len()];
    bytes.extend_from_slice(&payload);
    let raw = RawEvent::new(&bytes, Marker { header, len: bytes.len() }, BufferContext::default()).unwrap();
    let mut scratch = Scratch::default();
    let event = Event::locate(raw, Some(&schema), None, &mut scratch);
    assert_eq!(event.fit(), Fit::Exact);
    let mut out = Vec::new();
    push_fields(&mut out, &event, &FieldKeys::new(&schema), None);
    let text = String::from_utf8(out).unwrap();
    let innermost = (0..limits::MAX_DEPTH).fold(String::new(), |text, n| text + &format!("\"S{n}\":[{{"));
    let expected = format!("{{{innermost}\"A\":[7,7]{},\"Last\":7}}", "}]".repeat(limits::MAX_DEPTH));
    assert_eq!(text, expected);
}

#[test]
fn usual_payloads_are_taken() {
    let taken = |fields: &str, payload: &[u8]| {
        let schema = of_text(fields);
        let (keys, event) = (FieldKeys::new(&schema), (HeaderType::System64, payload));
        let json = compare::<Json>(&schema, event, &keys, members).1;
        assert_eq!(compare::<JsonInCsv>(&schema, event, &keys, members_in_csv).1, json);
        json
    };
    assert!(taken("A u8\nB i16\nC ptr\nD utf16\nE ansi", b"\xFF\xFE\xFF\x01\0\0\0\0\0\0\0x\0\0\0y\\\0"));
    assert!(taken(
        "N u16\nL u32 as hex x N\nF u8 map F\nT u64 as filetime",
        &[1, 0, 7, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1]
    ));
    // Values without a name are as without the map.
    assert!(taken("A i16 map V\nB u32 as hex map V\nC u16 as port map V", b"\xFE\xFF\xAB\0\0\0\xBB\x01"));
    // Bits have the sign of the bytes that they need.
    assert!(taken("F u32\nS bits[F 0..7] as signed\nH u8 as hidden", &[0x80, 0, 0, 0, 5]));
    // An optional field that is not there is not shown.
    assert!(taken("A u8\nB u32 optional\nC u16 optional x rest", &[1]));
    assert!(!taken("A u8\nB u32", &[1]) && !taken("A u8", &[1, 2]) && !taken("A utf16", b"x\0"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn a_plan_writes_what_a_visitor_does(schema in arbitrary::schema(), payload in payload(), is_wide in any::<bool>()) {
        let keys = FieldKeys::new(&schema);
        compare_all::<Json>(&schema, (&payload, is_wide), &keys, members);
        compare_all::<JsonInCsv>(&schema, (&payload, is_wide), &keys, members_in_csv);
    }
}

#[test]
fn an_absent_field_counts_nothing_whatever_events_were_before() {
    let schema = of_text("A u8\nN u16 optional\nLow bits[N 0..7] as signed\nB u8 x N");
    let mut scratch = Scratch::default();
    let mut lines = |payload: &[u8]| {
        let mut bytes = vec![0; HeaderType::System64.fixed_len()];
        bytes.extend_from_slice(payload);
        let marker = Marker { header: HeaderType::System64, len: bytes.len() };
        let raw = RawEvent::new(&bytes, marker, BufferContext::default()).unwrap();
        let event = Event::locate(raw, Some(&schema), None, &mut scratch);
        let mut out = Vec::new();
        members(&mut out, &event);
        String::from_utf8(out).unwrap()
    };
    assert_eq!(lines(&[1, 2, 0, 8, 9]), r#""A":1,"N":2,"Low":2,"B":[8,9]}"#);
    assert_eq!(lines(&[1]), r#""A":1,"Low":0,"B":[]}"#);

    let (keys, pointer) = (FieldKeys::new(&schema), PointerSize::Eight);
    assert!(Plan::<Json>::new(&schema, &keys, pointer).is_none());
    // Within an element of an array, what is referred to is there.
    let elements = of_text("N u8\nS struct x N {\nL u8\nT bytes[L]\n}");
    assert!(Plan::<Json>::new(&elements, &FieldKeys::new(&elements), pointer).is_some());
    let behind = of_text("N u8\nS struct x N {\nL u8\n}\nT bytes[L]");
    assert!(Plan::<Json>::new(&behind, &FieldKeys::new(&behind), pointer).is_none());
}
