//! Batches of columns and Parquet files of them, which must have what JSON lines have.

#[expect(clippy::indexing_slicing, clippy::unwrap_used, reason = "tests share it")]
#[path = "../../exports/columns/tests/support/own_text.rs"]
mod own_text;
#[expect(clippy::panic, reason = "tests share it")]
#[path = "../../exports/parquet/tests/read_text/mod.rs"]
mod read_text;
#[expect(clippy::indexing_slicing, clippy::unwrap_used, reason = "tests share it")]
#[path = "../../exports/columns/tests/support/rows.rs"]
mod rows;

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use bytes::Bytes;
use etwkit::event::EventTypeId;
use etwkit::output::JsonFormat;
use etwkit::sink::{Sink, Worker};
use etwkit::trace::{RunOptions, Trace};
use etwkit::{Event, EventType};
use etwkit_columns::{Batch, BatchSink, Column, EventName, HeaderColumn, Table};
use etwkit_parquet::{Options, ParquetWriter};
use parquet::file::reader::{FileReader, SerializedFileReader};
use serde_json::Value;

use crate::sinks::written;
use crate::traces;
use own_text::own_text;
use read_text::read_text;
use rows::{Row, field_of, is_same};

/// Makes columns of a trace (see `traces::file`): those of all events with the payload as JSON, and those of each event
/// with its fields. There must be a row for each event, with the values of its JSON line, by any number of threads; and
/// a reader of another make must find the same in a Parquet file.
pub fn columns(data: &[u8]) {
    let Some(file) = traces::file(data) else { return };
    let Some(trace) = traces::open(&file) else { return };
    let lines = lines(&trace);
    let all = Table::of_all_events();
    let batches = batches(&trace, vec![all.clone()], 1);
    compare_all(&all, &rows_of(&batches, 0), &lines);
    parquet(&all, batches.get(&0));
    by_event(&trace, &lines);
}

/// An event: what tells its table, and its JSON line.
type Line = (Option<EventName>, Value);

fn lines(trace: &Trace) -> Vec<Line> {
    let text = written(trace, JsonFormat::default());
    let mut types = Types::default();
    run(trace, &mut types, 1);
    assert_eq!(types.0.len(), text.lines().count(), "each event has a line");
    let name = |id: Option<EventTypeId>| id.and_then(|id| trace.event_type(id)).map(EventName::of);
    types.0.iter().map(|id| name(*id)).zip(text.lines().map(parsed)).collect()
}

fn parsed(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}: {json}"))
}

/// Compares the columns that the header has, and the payload as JSON.
fn compare_all(table: &Table, rows: &[Row], lines: &[Line]) {
    assert_eq!(rows.len(), lines.len(), "each event has a row");
    for (row, (_, line)) in rows.iter().zip(lines) {
        for (column, value) in table.columns().iter().zip(row) {
            let value = value.as_ref();
            match column.name.as_str() {
                "pid" | "tid" | "cpu" | "process" | "version" | "level" | "opcode" | "channel" | "id" | "kind" => {
                    let of_line = line.get(&column.name);
                    assert_eq!(value.map(rows::text_of), of_line.map(rows::text_of), "{} of {line:?}", column.name);
                }
                "fields" => {
                    let fields = value.and_then(Value::as_str).map(parsed);
                    assert_eq!(fields.as_ref(), line.get("fields"), "fields of {line:?}");
                }
                _ => {}
            }
        }
    }
}

/// Makes the table of each event, on one thread and on three.
fn by_event(trace: &Trace, lines: &[Line]) {
    let (names, tables): (Vec<_>, Vec<_>) = Table::by_event(trace).into_iter().unzip();
    let one = batches(trace, tables.clone(), 1);
    let three = batches(trace, tables.clone(), 3);
    let mut by_name: BTreeMap<&Option<EventName>, Vec<&Value>> = BTreeMap::new();
    for (name, line) in lines {
        by_name.entry(name).or_default().push(line);
    }
    let mut events = 0;
    for (number, (name, table)) in names.iter().zip(&tables).enumerate() {
        let rows = rows_of(&one, number);
        assert!(rows == rows_of(&three, number), "threads change the rows of {name:?}");
        // Events without a table of their own are in the last one.
        if let Some(lines) = by_name.get(name).filter(|_| name.is_some()) {
            assert_eq!(rows.len(), lines.len(), "rows of {name:?}");
            rows.iter().zip(lines).for_each(|(row, line)| compare_fields(table.columns(), row, line));
        }
        events += rows.len();
        parquet(table, one.get(&number));
    }
    assert_eq!(events, lines.len(), "each event is in one table");
}

/// Compares the columns after those of the header with the fields of a line.
fn compare_fields(columns: &[Column], row: &Row, line: &Value) {
    let Some(Value::Object(fields)) = line.get("fields") else { return };
    // A field that has the name of another one, in any case, has a number in both, which need not be the same.
    let is_unique = |name: &str| fields.keys().filter(|other| other.eq_ignore_ascii_case(name)).count() == 1;
    let is_header = |column: &Column| HeaderColumn::all().any(|header| header.name() == column.name);
    let payload = columns.iter().zip(row).skip_while(|(column, _)| is_header(column));
    for (column, value) in payload {
        let (Some(field), Some(value)) = (field_of(&column.name, fields).filter(|_| is_unique(&column.name)), value)
        else {
            continue;
        };
        assert!(is_same(&column.data_type, value, field), "{}: {value} is not {field}", column.name);
    }
}

/// Writes a Parquet file and reads it.
fn parquet(table: &Table, batches: Option<&Vec<Batch>>) {
    let Some(batches) = batches else { return };
    let mut out = Vec::new();
    let file = write(&mut out, table, batches).map(|()| SerializedFileReader::new(Bytes::from(out)));
    let reader = match file {
        Ok(Ok(reader)) => reader,
        Ok(Err(error)) => panic!("the file cannot be read: {error}"),
        Err(error) => panic!("memory can be written: {error}"),
    };
    let Ok(mut rows) = reader.get_row_iter(None) else { panic!("rows can be read") };
    for batch in batches.iter().cloned().map(Batch::expanded) {
        for row in 0..batch.rows {
            let Some(Ok(read)) = rows.next() else { panic!("a row is missing") };
            assert_eq!(read.len(), batch.columns.len());
            for (array, (name, field)) in batch.columns.iter().zip(read.get_column_iter()) {
                assert_eq!(read_text(field), own_text(array, row), "{name}");
            }
        }
    }
    assert!(rows.next().is_none(), "there are too many rows");
}

fn write(out: &mut Vec<u8>, table: &Table, batches: &[Batch]) -> Result<(), etwkit_parquet::ParquetError> {
    let mut writer = ParquetWriter::new(out, table, Options::default())?;
    batches.iter().try_for_each(|batch| writer.write(batch.clone()))?;
    writer.finish().map(drop)
}

/// Returns the batches of tables by their numbers.
fn batches(trace: &Trace, tables: Vec<Table>, threads: usize) -> BTreeMap<usize, Vec<Batch>> {
    let mut all: BTreeMap<usize, Vec<Batch>> = BTreeMap::new();
    let mut sink = BatchSink::new(tables, |table, batch| {
        all.entry(table).or_default().push(batch);
        Ok(ControlFlow::Continue(()))
    });
    run(trace, &mut sink, threads);
    drop(sink);
    all
}

fn rows_of(batches: &BTreeMap<usize, Vec<Batch>>, table: usize) -> Vec<Row> {
    batches.get(&table).into_iter().flatten().flat_map(rows::rows).collect()
}

fn run<S: Sink>(trace: &Trace, sink: &mut S, threads: usize) {
    let run = trace.run(&RunOptions::default().threads(threads), sink);
    assert!(run.is_ok(), "memory can be read: {:?}", run.err());
}

/// The type of each event.
#[derive(Debug, Default)]
struct Types(Vec<Option<EventTypeId>>);

impl Sink for Types {
    type Worker = Self;

    fn worker(&self) -> Self {
        Self::default()
    }

    fn accept(&mut self, batch: Self) -> etwkit::Result<ControlFlow<()>> {
        self.0.extend(batch.0);
        Ok(ControlFlow::Continue(()))
    }
}

impl Worker for Types {
    type Batch = Self;

    fn event(&mut self, event: &Event<'_>) -> etwkit::Result<()> {
        self.0.push(event.event_type().map(EventType::id));
        Ok(())
    }

    fn take(&mut self) -> Self {
        std::mem::take(self)
    }
}
