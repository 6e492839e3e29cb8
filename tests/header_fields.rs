//! One answer to "does this event have that header field, and what is it": JSON lines, tables, conditions, groups and
//! the library agree for every event of every fixture.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

use std::collections::{BTreeMap, BTreeSet};

use etwkit::bytes::PointerSize;
use etwkit::input::Input;
use etwkit::output::{Column, JsonFormat, JsonLines, LineSink, RowFormat, TableFormat, Tally};
use etwkit::parser::Parsers;
use etwkit::query::Expression;
use etwkit::select::HeaderField;
use etwkit::sink::Sink;
use etwkit::trace::{Filter, Order, RunOptions, Trace};
use etwkit_synth::event::option::{POINTER32, POINTER64};
use etwkit_synth::{Buffer, Guid, LogfileHeader, MessageEvent, TraceBuilder};
use serde_json::Value;

/// Texts of a field that are looked for one by one.
const LOOKED_FOR: usize = 6;

/// Returns all fixtures, read with and without parsers.
fn traces() -> Vec<(String, Trace)> {
    let mut all = Vec::new();
    for fixture in etwkit_synth::fixtures().into_iter().filter(|fixture| fixture.expected.is_trace()) {
        for (parsers, how) in [(etwkit_parsers::standard(), "decoded"), (Parsers::none(), "raw")] {
            let input = Input::bytes(fixture.name, fixture.bytes.clone());
            all.push((format!("{} {how}", fixture.name), Trace::open(input, parsers).unwrap()));
        }
    }
    assert!(all.len() >= 60);
    all
}

fn run(trace: &Trace, sink: &mut impl Sink) {
    trace.run(&RunOptions::default().threads(1), sink).unwrap();
}

fn parsed(lines: &[u8]) -> Vec<Value> {
    let lines = lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| serde_json::from_slice(line).unwrap()).collect()
}

/// Returns the events as JSON lines.
fn lines(trace: &Trace) -> Vec<Value> {
    let format = JsonFormat::default().with_file(true);
    let mut sink: JsonLines<'_, _> = LineSink::with_format(trace, format, Vec::new());
    run(trace, &mut sink);
    parsed(&sink.finish().unwrap())
}

/// Returns the name by which the header's field is meant, whatever the payload has.
fn named(field: HeaderField) -> String {
    format!("header.{}", field.name())
}

/// What a JSON line has of a field. The whole payload of an event without a schema is a member of another name.
fn member(line: &Value, field: HeaderField) -> Value {
    match &line[field.name()] {
        Value::Null if field == HeaderField::Extra => line["payload"].clone(),
        value => value.clone(),
    }
}

/// Returns the text of a field by its JSON line. A provider without a name is called by its GUID, which is a member of
/// its own.
fn text(line: &Value, field: HeaderField) -> Option<String> {
    match member(line, field) {
        Value::Null if field == HeaderField::Provider => text(line, HeaderField::ProviderGuid),
        Value::Null => None,
        Value::String(text) => Some(text),
        other => Some(other.to_string()),
    }
}

/// Fields whose text is an object.
const OBJECTS: [HeaderField; 3] = [HeaderField::Fields, HeaderField::Details, HeaderField::Extended];

/// Returns a text that is an object, with its members in the order in which `serde_json` prints them.
fn normal(text: &str, field: HeaderField) -> String {
    if !OBJECTS.contains(&field) {
        return text.to_owned();
    }
    serde_json::from_str::<Value>(text).unwrap().to_string()
}

/// Which events, in time order, pass a filter.
fn passing(trace: &Trace, filter: &Filter) -> BTreeSet<usize> {
    let mut places = BTreeMap::new();
    let mut events = trace.events_in(Order::Time, &Filter::default());
    while let Some(event) = events.next().unwrap() {
        places.insert(event.raw().place(), places.len());
    }
    let mut events = trace.events_in(Order::Time, filter);
    let mut passing = BTreeSet::new();
    while let Some(event) = events.next().unwrap() {
        passing.insert(places[&event.raw().place()]);
    }
    passing
}

fn condition(text: &str) -> Filter {
    let expression = text.parse::<Expression>().unwrap_or_else(|error| panic!("{text}: {error}"));
    Filter::default().expression(expression)
}

/// Returns the places of lines for which a condition is true.
fn places(lines: &[Value], holds: impl Fn(&Value) -> bool) -> BTreeSet<usize> {
    (0..).zip(lines).filter(|(_, line)| holds(line)).map(|(place, _)| place).collect()
}

/// Returns the fields that are members of JSON lines. Those of WPP messages alone are in `details`.
fn fields() -> impl Iterator<Item = HeaderField> {
    use HeaderField::{File, Flags, Function, Line, SourceFile, Symbols};
    HeaderField::columns()
        .chain(HeaderField::rare())
        .filter(|field| ![Function, Flags, File, SourceFile, Line, Symbols].contains(field))
}

/// Returns all fields but the time, which conditions do not take.
fn in_conditions() -> impl Iterator<Item = HeaderField> {
    fields().filter(|field| *field != HeaderField::Time)
}

#[test]
fn every_documented_member_is_a_field() {
    let page = include_str!("../docs/json.md");
    let table = page.lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" |")).map(|(keys, _)| keys);
    let keys: Vec<&str> = table.flat_map(|keys| keys.split('`').skip(1).step_by(2)).collect();
    assert!(keys.len() >= 38, "{keys:?}");
    for key in keys {
        assert!(HeaderField::from_name(key).is_some_and(|field| field.name() == key), "{key}");
    }
}

#[test]
fn tables_show_what_json_lines_have() {
    for (name, trace) in traces() {
        let columns: Vec<Column> = fields().map(|field| Column::Named(named(field).parse().unwrap())).collect();
        let format = TableFormat::new(columns, RowFormat::Json);
        let mut sink = LineSink::with_format(&trace, format, Vec::new());
        run(&trace, &mut sink);
        let (rows, lines) = (parsed(&sink.finish().unwrap()), lines(&trace));
        assert_eq!(rows.len(), lines.len(), "{name}");
        for (row, line) in rows.iter().zip(&lines) {
            for field in fields() {
                assert_eq!(row[named(field)], member(line, field), "{name} {} {line}", field.name());
            }
        }
    }
}

#[test]
fn conditions_find_what_json_lines_have() {
    for (name, trace) in traces() {
        let lines = lines(&trace);
        for field in in_conditions() {
            let has = passing(&trace, &condition(&format!("has {}", named(field))));
            assert_eq!(has, places(&lines, |line| text(line, field).is_some()), "{name}: has {}", field.name());
            let texts: BTreeSet<String> = lines.iter().filter_map(|line| text(line, field)).collect();
            // Objects are printed by `serde_json` in another order.
            for known in texts.into_iter().filter(|_| !OBJECTS.contains(&field)).take(LOOKED_FOR) {
                let quoted = known.replace('\\', "\\\\").replace('\'', "\\'");
                let equal = passing(&trace, &condition(&format!("{} == '{quoted}'", named(field))));
                let expected = places(&lines, |line| text(line, field).as_ref() == Some(&known));
                assert!(expected.is_subset(&equal), "{name}: {} == {known}: {expected:?} {equal:?}", field.name());
                let other = passing(&trace, &condition(&format!("{} != '{quoted}'", named(field))));
                assert!(
                    other.is_disjoint(&equal) && other.union(&equal).eq(&has),
                    "{name}: {} != {known}",
                    field.name()
                );
            }
        }
    }
}

#[test]
fn groups_are_of_what_json_lines_have() {
    for (name, trace) in traces() {
        let lines = lines(&trace);
        for field in fields() {
            let mut tally = Tally::new(vec![named(field).parse().unwrap()]).unwrap();
            run(&trace, &mut tally);
            let groups = tally.into_groups().list.into_iter();
            let counted = groups.map(|group| (group.values[0].as_ref().map(|text| normal(text, field)), group.events));
            let mut expected: BTreeMap<Option<String>, u64> = BTreeMap::new();
            for line in &lines {
                *expected.entry(text(line, field)).or_default() += 1;
            }
            // An event without a name is counted under its numbers.
            let unnamed = expected.remove(&None).filter(|_| field == HeaderField::Event);
            let mut counted: BTreeMap<_, _> = counted.collect();
            if unnamed.is_some() {
                counted.retain(|text, _| expected.contains_key(text));
            } else {
                counted.remove(&None);
            }
            assert_eq!(counted, expected, "{name} {}", field.name());
        }
    }
}

#[test]
fn values_are_those_of_json_lines() {
    for (name, trace) in traces() {
        let lines = lines(&trace);
        let mut events = trace.events_in(Order::Time, &Filter::default());
        for line in &lines {
            let event = events.next().unwrap().unwrap();
            for field in fields() {
                let found = field.value(&event).map(|value| normal(&value.text(&event), field));
                assert_eq!(found, text(line, field), "{name} {} {line}", field.name());
            }
        }
        assert!(events.next().unwrap().is_none(), "{name}");
    }
}

#[test]
fn ids_are_filtered_as_json_lines_have_them() {
    for (name, trace) in traces() {
        let lines = lines(&trace);
        let ids: BTreeSet<u64> = lines.iter().filter_map(|line| line["id"].as_u64()).chain([0]).collect();
        for id in ids {
            let filter = Filter::default().ids([u16::try_from(id).unwrap()]);
            assert_eq!(passing(&trace, &filter), places(&lines, |line| line["id"] == id), "{name}: --id {id}");
        }
    }
}

/// Without a flag for the size of pointers, a message has those of the log.
#[test]
fn messages_have_the_pointers_of_the_log_unless_they_state_theirs() {
    for (pointer_size, of_log) in [(4, PointerSize::Four), (8, PointerSize::Eight)] {
        let header = LogfileHeader { pointer_size, ..LogfileHeader::default() };
        let message = |flags: u16| {
            let event = MessageEvent::new(Guid::new(1), 7).options(0x2A | flags);
            event.at(header.after(i64::from(flags) + 1))
        };
        let flags = [0, POINTER32, POINTER64, POINTER32 | POINTER64];
        let buffer = Buffer::on(0).events(flags.map(message));
        let bytes = TraceBuilder::new(header.clone()).buffer(buffer).build().bytes;
        let trace = Trace::open(Input::bytes("made", bytes), Parsers::none()).unwrap();
        for order in [Order::File, Order::Time] {
            let (mut events, mut found) = (trace.events_in(order, &Filter::default()), Vec::new());
            while let Some(event) = events.next_raw().unwrap() {
                found.extend(event.message().map(|_| event.pointer_size()));
            }
            assert_eq!(found, [of_log, PointerSize::Four, PointerSize::Eight, PointerSize::Four], "{order:?}");
        }
    }
}
