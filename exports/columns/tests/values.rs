//! Every value of a column is the one that the event's JSON line has.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

mod support;

use std::collections::BTreeMap;

use etwkit::input::Input;
use etwkit::trace::{RunOptions, Trace};
use etwkit_columns::{Column, ColumnError, DataType, EventName, HeaderColumn, MOST_TABLES, Table};
use etwkit_synth::{Buffer, Guid, LogfileHeader, ModernEvent, TraceBuilder};
use serde_json::Value;
use support::rows::{field_of, is_same, rows, text_of, time_text};
use support::{JsonOfEvents, rows_of};

/// Events that are compared of each trace: values of a type are alike.
const EVENTS: u64 = 3_000;

#[test]
fn columns_have_the_values_of_json_lines() {
    let mut compared = 0;
    for (name, path) in support::traces() {
        let Ok(trace) = Trace::open(path.as_path(), etwkit_parsers::standard()) else { continue };
        let mut options = RunOptions::default();
        options.first = Some(EVENTS);
        let mut json = JsonOfEvents::default();
        trace.run(&options, &mut json).unwrap();
        compared += json.events.len();
        flat(&name, &trace, &options, &json);
        by_event(&name, &trace, &options, &json);
    }
    assert!(compared > 100);
}

fn flat(name: &str, trace: &Trace, options: &RunOptions, json: &JsonOfEvents) {
    let table = Table::of_all_events();
    let rows = rows_of(trace, options, vec![table.clone()]).remove(&0).unwrap_or_default();
    assert_eq!(rows.len(), json.events.len(), "{name}");
    for (row, (_, event)) in rows.iter().zip(&json.events) {
        compare_header(name, trace, table.columns(), row, event);
    }
}

fn compare_header(name: &str, trace: &Trace, columns: &[Column], row: &[Option<Value>], event: &Value) {
    for (column, value) in columns.iter().zip(row) {
        let other = match column.name.as_str() {
            // Without a name, a provider is its GUID; without a schema, all bytes are outside of fields.
            "provider" => "provider_guid",
            "extra" => "payload",
            // Of events that have no table of their own.
            "provider_name" => {
                if event.get("provider").is_some() {
                    "provider"
                } else {
                    "provider_guid"
                }
            }
            "event_name" => "event",
            same => same,
        };
        let member = event.get(&column.name).or_else(|| event.get(other));
        let value = value.as_ref();
        match column.name.as_str() {
            "time_100ns" => assert_eq!(value.is_some(), event.get("time").is_some(), "{name}: {event}"),
            "file" => assert!(value.is_some()),
            "offset" => assert_eq!(value, Some(&support::offset_of(trace, event).into()), "{name}"),
            "time" => compare_time(name, value, member),
            // Objects are their own text, bits numbers.
            "fields" => {
                let parsed = value.map(|text| serde_json::from_str::<Value>(text.as_str().unwrap()).unwrap());
                assert_eq!(parsed.as_ref(), member, "{name}");
            }
            "keywords" => assert_eq!(value.map(|bits| format!("{:#x}", bits.as_u64().unwrap())), member.map(text_of)),
            // Integers beyond 2^53 are texts in JSON.
            _ => assert_eq!(value.map(text_of), member.map(text_of), "{name}: {} of {event}", column.name),
        }
    }
}

fn compare_time(name: &str, value: Option<&Value>, member: Option<&Value>) {
    let shown = value.map(|micros| time_text(micros.as_i64().unwrap()));
    // JSON has 100 ns.
    // What is not a date is there as ticks, and local times have no `Z`.
    let member = member.filter(|text| text.as_str().unwrap().ends_with('Z'));
    let json = member.map(|text| text.as_str().unwrap().trim_end_matches('Z').chars().take(26).collect::<String>());
    assert_eq!(shown, json, "{name}");
}

fn by_event(name: &str, trace: &Trace, options: &RunOptions, json: &JsonOfEvents) {
    let (names, tables): (Vec<_>, Vec<_>) = Table::by_event(trace).into_iter().unzip();
    let rows = rows_of(trace, options, tables.clone());
    let mut events: BTreeMap<Option<EventName>, Vec<&Value>> = BTreeMap::new();
    json.events.iter().for_each(|(name, event)| events.entry(name.clone()).or_default().push(event));
    assert_eq!(rows.values().map(Vec::len).sum::<usize>(), json.events.len(), "{name}");
    let is_named = |name: &str| {
        let of_others = ["provider_name", "event_name", "fields"];
        HeaderColumn::all().any(|column| column.name() == name) || of_others.contains(&name)
    };
    for (number, rows) in rows {
        let events = &events[&names[number]];
        assert_eq!(rows.len(), events.len(), "{name}: {:?}", names[number]);
        let columns = tables[number].columns();
        let header = columns.iter().take_while(|column| is_named(&column.name)).count();
        let in_name = columns.iter().filter(|column| ["provider", "event"].contains(&column.name.as_str())).count();
        assert_eq!(in_name, 0, "{name}");
        for (row, event) in rows.iter().zip(events) {
            let (own, payload) = row.split_at(header);
            compare_header(name, trace, &columns[..header], own, event);
            compare_payload(name, &columns[header..], payload, event);
        }
    }
}

#[test]
fn events_without_a_table_of_their_own_have_their_names_in_columns() {
    let header = LogfileHeader::default();
    let provider = Guid::new(0x2d1c_7a40_5f1e_4b7a_9a3b_0c5d_6e7f_8091);
    let event = |id: u16| ModernEvent::new(provider).id(id).at(header.t0 + 1000 + i64::from(id)).by(400, 404);
    let ids: Vec<u16> = (1..=u16::try_from(MOST_TABLES).unwrap() + 3).collect();
    let buffers = ids.chunks(30).map(|ids| Buffer::on(0).events(ids.iter().map(|id| event(*id)).collect::<Vec<_>>()));
    let bytes = TraceBuilder::new(header.clone()).buffers(buffers.collect::<Vec<_>>()).build().bytes;
    let trace = Trace::open(Input::bytes("many", bytes), etwkit_parsers::standard()).unwrap();
    let options = RunOptions::default();
    let mut json = JsonOfEvents::default();
    trace.run(&options, &mut json).unwrap();
    let (names, tables): (Vec<_>, Vec<_>) = Table::by_event(&trace).into_iter().unzip();
    assert_eq!((names.len(), names.last()), (MOST_TABLES + 1, Some(&None)));
    // Readers of folders show the names of these as columns `provider` and `event`, and refuse a file that has such.
    let columns = tables[MOST_TABLES].columns();
    let place = |name: &str| columns.iter().position(|column| column.name == name);
    assert_eq!((place("provider"), place("event")), (None, None));
    let (provider, fields) = (place("provider_name").unwrap(), place("fields").unwrap());
    let others = rows_of(&trace, &options, tables.clone()).remove(&MOST_TABLES).unwrap();
    let (all, named) = (json.events.len(), rows_of(&trace, &options, tables[..MOST_TABLES].to_vec()));
    assert_eq!(others.len() + named.values().map(Vec::len).sum::<usize>(), all);
    assert!(others.len() >= 3 && others.iter().all(|row| row[provider].is_some() && row.len() == fields + 1));
}

/// Compares the columns of the payload with the fields of the event's JSON.
fn compare_payload(name: &str, columns: &[Column], row: &[Option<Value>], event: &Value) {
    let none = serde_json::Map::new();
    let fields = event.get("fields").and_then(Value::as_object).unwrap_or(&none);
    let mut shown = 0;
    for (column, value) in columns.iter().zip(row) {
        let Some(field) = field_of(&column.name, fields) else { continue };
        shown += 1;
        let Some(value) = value else {
            let is_no_time = column.data_type == DataType::Time && !text_of(field).contains('T');
            assert!(is_no_time, "{name}: {} is null, {field} in {event}", column.name);
            continue;
        };
        assert!(is_same(&column.data_type, value, field), "{name}: {}: {value} and {field}", column.name);
    }
    assert!(fields.contains_key("#left_out") || shown == fields.len(), "{name}: {shown} of {event}: {columns:?}");
}

#[test]
fn a_table_of_one_event_has_its_rows_alone() {
    let path = support::fixtures().into_iter().find(|(name, _)| name.ends_with("hello.etl")).unwrap().1;
    let trace = Trace::open(path.as_path(), etwkit_parsers::standard()).unwrap();
    let row = trace.types().iter().find(|row| row.name() == Some("CoffeeOrder/Start")).unwrap();
    let table = Table::of_event(&trace, &EventName::of(row)).project(["provider", "event", "OrderId"]).unwrap();
    let rows = rows_of(&trace, &RunOptions::default(), vec![table]).remove(&0).unwrap();
    assert_eq!(rows.len() as u64, row.events());
    assert!(rows.iter().all(|row| row[1] == Some("CoffeeOrder/Start".into()) && row[2].is_some()));
}

#[test]
fn a_table_of_chosen_columns_has_these() {
    let path = support::fixtures().into_iter().find(|(name, _)| name.ends_with("hello.etl")).unwrap().1;
    let trace = Trace::open(path.as_path(), etwkit_parsers::standard()).unwrap();
    let table = Table::of_all_events().project(["pid", "event", "Schema"]).unwrap();
    let names: Vec<&str> = table.columns().iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names, ["pid", "event", "schema"]);
    let rows = rows_of(&trace, &RunOptions::default(), vec![table]).remove(&0).unwrap();
    assert_eq!(rows.len() as u64, trace.events_total());
    assert!(rows.iter().all(|row| row.len() == 3 && row[2].is_some()));
    let error = |names: [&str; 2]| Table::of_all_events().project(names).unwrap_err();
    assert_eq!(error(["pid", "colour"]), ColumnError::Unknown("colour".to_owned()));
    assert_eq!(error(["pid", "ProcessId"]), ColumnError::Repeated("pid".to_owned()));
}

#[test]
fn names_of_events_follow_from_types() {
    let mut compared = 0;
    for (name, path) in support::traces() {
        let Ok(trace) = Trace::open(path.as_path(), etwkit_parsers::standard()) else { continue };
        let table = Table::of_all_events().project(["event", "provider"]).unwrap();
        let Some(batches) = table.rows_of_types(&trace) else { continue };
        let counted = |rows: Vec<Vec<Option<Value>>>| {
            let mut counts: BTreeMap<String, u64> = BTreeMap::new();
            for row in rows {
                *counts.entry(format!("{row:?}")).or_default() += 1;
            }
            counts
        };
        let own = batches.flat_map(|batch| rows(&batch)).collect();
        let rows = rows_of(&trace, &RunOptions::default(), vec![table]).remove(&0).unwrap_or_default();
        assert_eq!(counted(own), counted(rows), "{name}");
        compared += 1;
    }
    assert!(compared > 5);
}

#[test]
fn rows_of_types_have_no_other_columns() {
    let (_, path) = support::fixtures().remove(0);
    let trace = Trace::open(path.as_path(), etwkit_parsers::standard()).unwrap();
    let table = Table::of_all_events().project(["event", "pid"]).unwrap();
    assert!(table.rows_of_types(&trace).is_none());
}
