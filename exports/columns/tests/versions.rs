//! The columns of fields that versions of an event have in different types or forms, and of those whose values depend on
//! the writer.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test")]

#[allow(dead_code, reason = "other tests use the rest")]
mod support;

use etwkit::Input;
use etwkit::trace::{RunOptions, Trace};
use etwkit_columns::{EventName, Table};
use etwkit_parsers::{Additions, UserSchemas};
use etwkit_synth::{Guid, LogfileHeader, ModernEvent, PointerSize, TraceBuilder};
use serde_json::{Value, json};
use support::{JsonOfEvents, rows_of};

const PROVIDER: Guid = Guid::new(0x1111_1111_2222_3333_4444_5555_5555_5555);

/// The version of an event and its payload.
type Of<'p> = (u8, &'p [u8]);

/// Returns columns of fields with their types, the rows, and the fields as JSON.
fn table(layouts: &str, size: PointerSize, events: &[Of<'_>]) -> (Vec<String>, Vec<Vec<Value>>, Vec<Value>) {
    let header = LogfileHeader::default();
    let t0 = header.t0;
    let event = |(at, (version, payload)): (i64, &Of<'_>)| {
        let event = ModernEvent::new(PROVIDER).id(1).version(*version).size(size);
        event.payload(payload.to_vec()).at(t0 + 10 + at)
    };
    let events = (0..).zip(events).map(event);
    let bytes = events.fold(TraceBuilder::new(header), |builder, event| builder.log(0, event)).build().bytes;
    let mut additions = Additions::default();
    let maps = "map V values {\n0x1 \"one\"\n}\n";
    let guid = "{11111111-2222-3333-4444-555555555555}";
    additions.schemas = UserSchemas::parse(&format!("provider \"P\" {guid}\n{maps}{layouts}")).unwrap();
    let trace = Trace::open(Input::bytes("made", bytes), etwkit_parsers::with(additions)).unwrap();
    let row = trace.types().iter().find(|row| row.name() == Some("Foo")).unwrap();
    let table = Table::of_event(&trace, &EventName::of(row));
    let header = table.columns().iter().position(|column| column.name == "extra").unwrap() + 1;
    let columns = table.columns()[header..].iter().map(|column| format!("{} {}", column.name, column.data_type));
    let columns = columns.collect();
    let rows = rows_of(&trace, &RunOptions::default(), vec![table]).remove(&0).unwrap();
    let rows = rows.into_iter().map(|row| row[header..].iter().cloned().map(Option::unwrap_or_default).collect());
    let mut json = JsonOfEvents::default();
    trace.run(&RunOptions::default(), &mut json).unwrap();
    let of_event = json.events.into_iter().filter(|(name, _)| name.as_ref().is_some_and(|name| name.event == "Foo"));
    (columns, rows.collect(), of_event.map(|(_, event)| event["fields"].clone()).collect())
}

/// Returns the schema of two versions of an event with one field each.
fn two(first: &str, second: &str) -> String {
    let version = |number: u8, field: &str| format!("event id 1 version {number} task \"Foo\" {{\n{field}\n}}\n");
    version(0, first) + &version(1, second)
}

#[test]
fn the_integer_beside_a_name_is_that_of_each_version() {
    for (first, second, events, column, numbers) in [
        ("a u8 map V", "a u32 as ipv4", [&[1][..], &[10, 0, 0, 1]], "a_value u32", [json!(1), json!(0x0100_000a)]),
        (
            "a i32 as hresult",
            "a u64 map V",
            [&0x8000_4005_u32.to_le_bytes(), &7_u64.to_le_bytes()],
            "a_value u64",
            [json!(0x8000_4005_u32), json!(7)],
        ),
        (
            "a u32 as signed",
            "a i64 map V",
            [&(-5_i32).to_le_bytes(), &1_i64.to_le_bytes()],
            "a_value i64",
            [json!(-5), json!(1)],
        ),
        ("a u16 as port", "a u16 map V", [&[0, 80], &[1, 0]], "a_value u16", [json!(80), json!(1)]),
        (
            "a i64 map V",
            "a u64 map V",
            [&(-1_i64).to_le_bytes(), &u64::MAX.to_le_bytes()],
            "a_value text",
            [json!("-1"), json!(u64::MAX.to_string())],
        ),
    ] {
        let events = [(0, events[0]), (1, events[1])];
        let (columns, rows, _) = table(&two(first, second), PointerSize::Eight, &events);
        assert_eq!(columns[1], column, "{first}, {second}");
        assert_eq!([&rows[0][1], &rows[1][1]], [&numbers[0], &numbers[1]], "{first}, {second}");
    }
}

/// What is behind a name is shown as the field shows what has no name.
#[test]
fn the_integer_beside_a_name_has_the_form_of_the_field() {
    let layout = "event id 1 task \"Foo\" {\na i32 as hresult map V\nb u16 as port map V\n}\n";
    let payload = [&0x8000_4005_u32.to_le_bytes()[..], &[0, 80]].concat();
    let (columns, rows, _) = table(layout, PointerSize::Eight, &[(0, &payload)]);
    assert_eq!(columns, ["a text", "a_value u32", "b text", "b_value u16"]);
    assert_eq!((&rows[0][1], &rows[0][3]), (&json!(0x8000_4005_u32), &json!(80)));
}

#[test]
fn a_field_keeps_its_name_beside_the_integer_of_another() {
    let layout = "event id 1 task \"Foo\" {\nf u8 map V\nf_value i16\n}\n";
    let (columns, rows, json) = table(layout, PointerSize::Eight, &[(0, &[1, 7, 0])]);
    assert_eq!(columns, ["f text", "f_value_2 u8", "f_value i16"]);
    assert_eq!(rows[0], [json!("one"), json!(1), json!(7)]);
    assert_eq!(json[0]["f_value"], 7);
}

#[test]
fn addresses_of_32_bits_have_their_sign_and_are_no_times() {
    let layout = "event id 1 task \"Foo\" {\np ptr as signed\nt ptr as filetime\nc ptr as clocktime\nmore u32\n}\n";
    let payload = [(-1_i32).to_le_bytes(), 5_i32.to_le_bytes(), 6_i32.to_le_bytes(), [9, 9, 9, 9]].concat();
    let (columns, rows, json) = table(layout, PointerSize::Four, &[(0, &payload)]);
    assert_eq!((&rows[0][0], &json[0]["p"]), (&json!(-1), &json!(-1)), "{columns:?}");
    // As the value of a whole field: five ticks since 1601 are less than a microsecond.
    let time = |name: &str| columns.iter().position(|column| column.starts_with(name)).unwrap();
    let ticks = etwkit::FileTime::UNIX_EPOCH.0;
    assert_eq!(rows[0][time("t ")], json!((5 - ticks).div_euclid(10)), "{} and {}", rows[0][1], json[0]);
    assert_eq!(rows[0][time("t_value")], 5);
    assert_eq!(rows[0][time("c_value")], 6);
    let clock = rows[0][time("c ")].as_i64().map(support::rows::time_text).unwrap();
    assert!(json[0]["c"].as_str().unwrap().starts_with(&clock), "{clock} and {}", json[0]);
}

#[test]
fn structs_and_lists_that_become_text_have_times_as_json() {
    let times = [1000_u64.to_le_bytes(), 2000_u64.to_le_bytes()].concat();
    let second = [&times[..], &[4]].concat();
    let structs = two("s struct {\nt u64 as clocktime\nd u64\n}", "s struct {\nt u64 as clocktime\nd u64\nmore u8\n}");
    let lists = two("s u64 x 2 as clocktime", "s u64 as clocktime");
    for (layouts, second) in [(structs, &second[..]), (lists, &times[..8])] {
        let (columns, rows, json) = table(&layouts, PointerSize::Eight, &[(0, &times), (1, second)]);
        assert_eq!(columns[0], "s text");
        for (row, json) in rows.iter().zip(&json) {
            let text = row[0].as_str().unwrap();
            let own: Value = serde_json::from_str(text).unwrap_or_else(|_| text.into());
            assert_eq!(own, json["s"]);
            assert!(text.contains('T'), "{text}");
        }
    }
}

#[test]
fn no_value_is_lost_where_layouts_have_one_or_both_of_two_spellings() {
    let one = |version: u8, fields: &str| format!("event id 1 version {version} task \"Foo\" {{\n{fields}}}\n");
    let layouts = [one(0, "a u8\n"), one(1, "A u8\n"), one(2, "a u8\nA u8\n"), one(3, "A u8\na u8\n")];
    let payloads: [(u8, &[u8]); 4] = [(0, &[1]), (1, &[2]), (2, &[3, 4]), (3, &[5, 6])];
    let (columns, rows, _) = table(&layouts.concat(), PointerSize::Eight, &payloads);
    assert_eq!(columns, ["a u8", "A_2 u8"]);
    assert_eq!(json!(rows), json!([[1, null], [null, 2], [3, 4], [6, 5]]));
}

#[test]
fn names_in_another_case_are_those_that_are_spelled_so() {
    let one = |version: u8, fields: [&str; 2]| {
        format!("event id 1 version {version} task \"Foo\" {{\n{} u8\n{} u8\n}}\n", fields[0], fields[1])
    };
    let (columns, rows, _) = table(
        &[one(0, ["a", "A"]), one(1, ["A", "a"]), one(2, ["a", "b"]), one(3, ["B", "A"])].concat(),
        PointerSize::Eight,
        &[(0, &[1, 2]), (1, &[2, 1]), (2, &[1, 3]), (3, &[3, 2])],
    );
    assert_eq!(columns, ["a u8", "A_2 u8", "b u8"]);
    let expected = json!([[1, 2, null], [1, 2, null], [1, null, 3], [null, 2, 3]]);
    assert_eq!(json!(rows), expected);
    // Without one that is spelled so, a name in another case is the same.
    let (columns, rows, _) =
        table(&two("ProcessID u8", "ProcessId u16"), PointerSize::Eight, &[(0, &[7]), (1, &[8, 0])]);
    assert_eq!((columns, rows), (vec!["ProcessID u16".to_owned()], vec![vec![json!(7)], vec![json!(8)]]));
}
