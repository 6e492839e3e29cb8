//! Every value comes back: `fixtures/values.etl`, which has values of every type, as JSON lines and as CSV, read by
//! other programs and turned into the bytes of the trace again.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

mod back;
#[path = "../common/mod.rs"]
mod common;
mod polars;

use std::collections::{BTreeMap, BTreeSet};

use etwkit_synth::values::{Value, ValueKind, ValueType, value_types};
use serde_json::Value as Json;

use common::Folder;

/// The largest integer that every reader of JSON keeps exact.
const SAFE: i128 = (1 << 53) - 1;
/// What is left out of all but `--fields`.
const HIDDEN: &str = "noprint";

/// What was read of an event's `value`, by event, in the order of the rows.
type ColumnValues<T> = BTreeMap<String, Vec<Option<T>>>;

fn output(folder: &Folder, arguments: &[&str]) -> String {
    let run = folder.run(&[&["dump", "-q", "values.etl"], arguments].concat());
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{arguments:?}");
    run.out
}

/// Compares what was read with what was written, event by event.
fn compare<T: std::fmt::Debug>(rows: &ColumnValues<T>, same: impl Fn(&ValueType, &Value, &T) -> Result<(), String>) {
    let mut wrong = Vec::new();
    for kind in value_types() {
        let read = rows.get(kind.event).unwrap_or_else(|| panic!("no events {}", kind.event));
        assert_eq!(read.len(), kind.values.len(), "{}", kind.event);
        for (value, read) in kind.values.iter().zip(read) {
            let done = match (read, &value.wire) {
                (None, None) => Ok(()),
                (Some(read), Some(_)) => same(&kind, value, read),
                (read, _) => Err(format!("{read:?} where {value:?} was written")),
            };
            wrong.extend(done.err().map(|error| format!("{}: {error}", kind.event)));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Whether a text is that of a value.
fn same_text(kind: &ValueType, value: &Value, text: &str) -> Result<(), String> {
    let same = match kind.kind {
        ValueKind::Text => value.text.as_deref() == Some(text),
        ValueKind::Json => same_json(value, &serde_json::from_str(text).map_err(|error| error.to_string())?),
        _ => back::bytes(kind.kind, text, &value.bytes).as_ref() == Some(&value.bytes),
    };
    if same { Ok(()) } else { Err(format!("{text:?} where {value:?} was written")) }
}

fn same_json(value: &Value, json: &Json) -> bool {
    serde_json::from_str::<Json>(value.text.as_deref().unwrap()).unwrap() == *json
}

/// Whether JSON is that of a value, and of the JSON type that the documentation states.
fn same(kind: &ValueType, value: &Value, json: &Json) -> Result<(), String> {
    let wrong = || Err(format!("{json} where {value:?} was written"));
    match (kind.kind, json) {
        (ValueKind::Json, json) => {
            if same_json(value, json) {
                Ok(())
            } else {
                wrong()
            }
        }
        // An absent time is not a date but the number 0.
        (ValueKind::Time, Json::Number(number)) if number.as_u64() == Some(0) => same_text(kind, value, "0"),
        (ValueKind::Float, Json::Number(number)) => {
            let number = number.as_f64().unwrap();
            let bytes = if value.bytes.len() == 4 {
                (number as f32).to_le_bytes().to_vec()
            } else {
                number.to_le_bytes().to_vec()
            };
            if bytes == value.bytes { Ok(()) } else { wrong() }
        }
        (ValueKind::Float, Json::String(text)) if text.parse::<f64>().is_ok_and(f64::is_finite) => wrong(),
        (ValueKind::Signed | ValueKind::Unsigned | ValueKind::Port | ValueKind::Named, Json::Number(number)) => {
            let is_safe = number.to_string().parse::<i128>().is_ok_and(|number| number.abs() <= SAFE);
            if is_safe { same_text(kind, value, &number.to_string()) } else { wrong() }
        }
        (ValueKind::Signed | ValueKind::Unsigned | ValueKind::Port, Json::String(text)) => {
            let is_large = text.parse::<i128>().is_ok_and(|number| number.abs() > SAFE);
            if is_large { same_text(kind, value, text) } else { wrong() }
        }
        (ValueKind::Bool, Json::Bool(yes)) => same_text(kind, value, &yes.to_string()),
        (ValueKind::Bits, Json::Number(number)) => same_text(kind, value, &number.to_string()),
        (ValueKind::Bool, _) => wrong(),
        (_, Json::String(text)) => same_text(kind, value, text),
        _ => wrong(),
    }
}

#[test]
fn there_are_values_of_every_type() {
    let types = value_types();
    let inputs: BTreeSet<u16> = types.iter().map(|kind| kind.in_type).collect();
    let outputs: BTreeSet<u16> = types.iter().map(|kind| kind.out_type).collect();
    // 24 is reserved.
    assert_eq!(inputs, (0..=23).chain([25]).chain(300..=310).filter(|input| *input != 24).collect());
    assert_eq!(outputs, (0..=38).chain([300, 301]).collect());
    assert!(types.iter().all(|kind| !kind.values.is_empty()));
}

#[test]
fn json_lines_read_back() {
    let folder = Folder::with(&["values.etl"]);
    let mut whole: ColumnValues<Json> = ColumnValues::new();
    for line in output(&folder, &["--provider", "Synth-Values"]).lines() {
        let event: Json = serde_json::from_str(line).unwrap();
        let name = event["event"].as_str().unwrap();
        let value = event["fields"].get("value").cloned();
        assert_eq!(value.is_none(), name == HIDDEN || event.get("problem").is_some(), "{line}");
        whole.entry(name.to_owned()).or_default().push(value);
    }
    let hidden = whole.get_mut(HIDDEN).unwrap();
    assert!(hidden.iter().all(Option::is_none), "what is not to be printed is not printed");
    *hidden = flat(&folder).remove(HIDDEN).unwrap();
    compare(&whole, same);
    compare(&flat(&folder), same);
}

/// With columns of our own.
fn flat(folder: &Folder) -> ColumnValues<Json> {
    let mut rows: ColumnValues<Json> = ColumnValues::new();
    let lines = output(folder, &["--provider", "Synth-Values", "--fields", "event,row,value"]);
    for line in lines.lines() {
        let event: Json = serde_json::from_str(line).unwrap();
        let row = rows.entry(event["event"].as_str().unwrap().to_owned()).or_default();
        assert_eq!(event["row"], row.len(), "{line}");
        row.push(event.get("value").cloned());
    }
    rows
}

#[test]
fn one_table_of_csv_reads_back() {
    let folder = Folder::with(&["values.etl"]);
    let table = output(&folder, &["--format", "csv", "--provider", "Synth-Values", "--fields", "event,row,value"]);
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let mut rows: ColumnValues<String> = ColumnValues::new();
    for record in reader.records().map(Result::unwrap) {
        rows.entry(record[0].to_owned()).or_default().push(Some(record[2].to_owned()));
    }
    compare_cells(rows);
}

#[test]
fn a_table_for_each_type_reads_back() {
    let folder = Folder::with(&["values.etl"]);
    output(&folder, &["--format", "csv", "--provider", "Synth-Values", "-o", "tables/"]);
    let mut rows: ColumnValues<String> = ColumnValues::new();
    for kind in value_types() {
        let path = folder.path().join("tables").join(format!("Synth-Values.{}.v0.csv", kind.event));
        let mut reader = csv::Reader::from_path(path).unwrap();
        let place = reader.headers().unwrap().iter().position(|name| name == "value");
        assert_eq!(place.is_none(), kind.event == HIDDEN);
        let cells = reader.records().map(|record| place.map(|place| record.unwrap()[place].to_owned()));
        rows.insert(kind.event.to_owned(), cells.collect());
    }
    rows.insert(
        HIDDEN.to_owned(),
        flat(&folder).remove(HIDDEN).unwrap().into_iter().map(|v| Some(v?.to_string())).collect(),
    );
    compare_cells(rows);
}

/// A cell of CSV does not distinguish an absent value from an empty one.
fn compare_cells(mut rows: ColumnValues<String>) {
    for kind in value_types() {
        let cells = rows.get_mut(kind.event).unwrap().iter_mut();
        let absent =
            cells.zip(&kind.values).filter(|(cell, value)| value.wire.is_none() && cell.as_deref() == Some(""));
        absent.for_each(|(cell, _)| *cell = None);
    }
    compare(&rows, |kind, value, text| same_text(kind, value, text));
}
