//! A reader of another make finds in a file what was written.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

#[path = "../../columns/tests/support/own_text.rs"]
mod own_text;
mod read_text;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

use bytes::Bytes;
use etwkit::trace::{RunOptions, Trace};
use etwkit_columns::{Batch, BatchSink, Table};
use etwkit_parquet::{Options, ParquetWriter};
use own_text::own_text;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use read_text::read_text;

#[test]
fn every_value_is_read_back() {
    let (mut files, mut nulls, mut lists, mut structs) = (0, 0, 0, 0);
    for path in fixtures() {
        let Ok(trace) = Trace::open(Path::new(&path), etwkit_parsers::standard()) else { continue };
        let tables: Vec<Table> = Table::by_event(&trace).into_iter().map(|(_, table)| table).collect();
        for (number, batches) in batches_of(&trace, &tables) {
            let reader = written(&tables[number], &batches);
            files += 1;
            let mut rows = reader.get_row_iter(None).unwrap();
            for batch in batches.into_iter().map(Batch::expanded) {
                for row in 0..batch.rows {
                    let read = rows.next().unwrap().unwrap();
                    for (array, (name, field)) in batch.columns.iter().zip(read.get_column_iter()) {
                        assert_eq!(read_text(field), own_text(array, row), "{path}: {name}");
                        nulls += usize::from(matches!(field, Field::Null));
                        lists += usize::from(matches!(field, Field::ListInternal(_)));
                        structs += read_text(field).matches('(').count();
                    }
                }
            }
            assert!(rows.next().is_none());
        }
    }
    assert!(files > 50 && nulls > 1000 && lists > 10 && structs > 10, "{files} {nulls} {lists} {structs}");
}

#[test]
fn rows_come_in_groups_and_the_file_says_what_it_is() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/hello.etl");
    let trace = Trace::open(path.as_path(), etwkit_parsers::standard()).unwrap();
    let table = Table::of_all_events().project(["time", "time_100ns", "provider"]).unwrap();
    let batches = batches_of(&trace, std::slice::from_ref(&table)).remove(&0).unwrap();
    let options = Options::default().metadata([("etwkit.session".to_owned(), "Hello".to_owned())]);
    let mut out = Vec::new();
    let mut writer = ParquetWriter::new(&mut out, &table, options).unwrap();
    for _ in 0..2 {
        for batch in &batches {
            writer.write(batch.clone()).unwrap();
        }
        writer.flush().unwrap();
        assert_eq!(writer.waiting(), 0);
    }
    let written = writer.finish().unwrap();
    assert_eq!((written.rows, written.row_groups), (2 * trace.events_total(), 2));
    let reader = SerializedFileReader::new(Bytes::from(out)).unwrap();
    let group = reader.metadata().row_group(0);
    assert!(group.columns().iter().all(|column| column.offset_index_offset().is_some()));
    let all = reader.metadata().file_metadata().key_value_metadata().unwrap();
    assert!(all.iter().any(|pair| pair.key == "etwkit.session" && pair.value.as_deref() == Some("Hello")));
    assert!(all.iter().all(|pair| pair.key != "ARROW:schema"));
}

fn fixtures() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let paths = std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path());
    paths
        .filter(|path| path.extension().is_some_and(|kind| kind == "etl"))
        .map(|path| path.display().to_string())
        .collect()
}

fn batches_of(trace: &Trace, tables: &[Table]) -> BTreeMap<usize, Vec<Batch>> {
    let mut all: BTreeMap<usize, Vec<Batch>> = BTreeMap::new();
    let mut sink = BatchSink::new(tables.to_vec(), |table, batch| {
        all.entry(table).or_default().push(batch);
        Ok(ControlFlow::Continue(()))
    });
    trace.run(&RunOptions::default(), &mut sink).unwrap();
    all
}

fn written(table: &Table, batches: &[Batch]) -> SerializedFileReader<Bytes> {
    let mut out = Vec::new();
    let mut writer = ParquetWriter::new(&mut out, table, Options::default()).unwrap();
    for batch in batches {
        writer.write(batch.clone()).unwrap();
    }
    writer.finish().unwrap();
    SerializedFileReader::new(Bytes::from(out)).unwrap()
}
