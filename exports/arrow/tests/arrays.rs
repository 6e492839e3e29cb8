//! Arrays have the values of the columns that they are made of.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

#[path = "../../columns/tests/support/own_text.rs"]
mod own_text;

use std::io::Cursor;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::{ArrowArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, TimestampMicrosecondType, UInt8Type,
    UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array as _, ArrayRef, RecordBatch, RecordBatchReader};
use arrow_ipc::reader::FileReader;
use arrow_schema::{DataType, TimeUnit};
use etwkit::trace::{Order, RunOptions, Trace};
use etwkit_arrow::{EventReader, IpcWriter, record_batch, schema};
use etwkit_columns::{Array, Batch, BatchSink, Table, Values};
use own_text::own_text;

#[test]
fn every_value_is_that_of_its_column() {
    let (mut batches, mut nulls, mut lists, mut structs) = (0, 0, 0, 0);
    for path in fixtures() {
        let Ok(trace) = Trace::open(path.as_path(), etwkit_parsers::standard()) else { continue };
        let tables = Table::by_event(&trace).into_iter().map(|(_, table)| table).chain([Table::of_all_events()]);
        for table in tables {
            let schema = Arc::new(schema(table.columns()));
            for batch in batches_of(&trace, &table) {
                let arrow = record_batch(&schema, batch.clone()).unwrap();
                assert_eq!((arrow.num_rows(), arrow.num_columns()), (batch.rows, table.columns().len()));
                for (own, array) in batch.expanded().columns.iter().zip(arrow.columns()) {
                    assert_eq!(own.validity().nulls(), array.null_count());
                    lists +=
                        usize::from(matches!(array.data_type(), DataType::List(_)) && array.null_count() < own.len());
                    structs += usize::from(matches!(array.data_type(), DataType::Struct(_)));
                    nulls += array.null_count();
                    (0..own.len()).for_each(|row| assert_eq!(own_text(own, row), arrow_text(array, row)));
                }
                batches += 1;
            }
        }
    }
    assert!(batches > 50 && nulls > 1000 && lists > 10 && structs > 3, "{batches} {nulls} {lists} {structs}");
}

#[test]
fn numbers_and_texts_keep_their_memory() {
    let trace = Trace::open(fixture("hello.etl").as_path(), etwkit_parsers::standard()).unwrap();
    let table = Table::of_all_events().project(["time_100ns", "fields"]).unwrap();
    let batch = batches_of(&trace, &table).remove(0);
    let addresses: Vec<usize> = batch.columns.iter().map(address).collect();
    let arrow = record_batch(&Arc::new(schema(table.columns())), batch).unwrap();
    let numbers = arrow.column(0).as_primitive::<Int64Type>().values().as_ptr() as usize;
    let texts = arrow.column(1).as_string::<i32>().value_data().as_ptr() as usize;
    assert_eq!(addresses, [numbers, texts]);
}

#[test]
fn a_reader_has_all_rows_also_through_the_c_interface() {
    for path in [fixture("hello.etl"), fixture("many-processors.etl")] {
        let trace = Arc::new(Trace::open(path.as_path(), etwkit_parsers::standard()).unwrap());
        let reader = || EventReader::new(Arc::clone(&trace), Table::of_all_events(), RunOptions::default()).unwrap();
        let own: Vec<RecordBatch> = reader().map(Result::unwrap).collect();
        let stream = FFI_ArrowArrayStream::new(Box::new(reader()));
        let foreign = ArrowArrayStreamReader::try_new(stream).unwrap();
        assert_eq!(foreign.schema(), own[0].schema());
        let foreign: Vec<RecordBatch> = foreign.map(Result::unwrap).collect();
        assert_eq!(own, foreign);
        assert_eq!(own.iter().map(|batch| batch.num_rows() as u64).sum::<u64>(), trace.events_total());
        assert_eq!(
            own[0].schema().field(0).data_type(),
            &DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()))
        );
    }
}

#[test]
fn a_reader_can_be_dropped_at_any_time() {
    let trace = Trace::open(fixture("many-processors.etl").as_path(), etwkit_parsers::standard()).unwrap();
    let trace = Arc::new(trace);
    for read in 0..3 {
        let options = RunOptions::default().order(Order::File).threads(1 + read);
        let mut reader = EventReader::new(Arc::clone(&trace), Table::of_all_events(), options).unwrap();
        assert!((0..read).all(|_| reader.next().is_none_or(|batch| batch.is_ok())));
    }
}

#[test]
fn waiting_for_a_batch_can_be_limited() {
    let trace = Trace::open(fixture("hello.etl").as_path(), etwkit_parsers::standard()).unwrap();
    let (trace, table) = (Arc::new(trace), Table::of_all_events());
    let mut reader = EventReader::new(Arc::clone(&trace), table, RunOptions::default()).unwrap();
    let (mut rows, mut waits) = (0, 0);
    loop {
        match reader.next_within(Duration::from_millis(1)) {
            Poll::Ready(Some(batch)) => rows += batch.unwrap().num_rows() as u64,
            Poll::Ready(None) => break,
            Poll::Pending => waits += 1,
        }
    }
    assert!(rows == trace.events_total() && waits < 100_000, "{rows} {waits}");
}

#[test]
fn rows_without_columns_are_counted() {
    let trace = Trace::open(fixture("hello.etl").as_path(), etwkit_parsers::standard()).unwrap();
    let table = Table::of_all_events().project([] as [&str; 0]).unwrap();
    let reader = EventReader::new(Arc::new(trace), table, RunOptions::default()).unwrap();
    let rows: usize = reader.map(|batch| batch.unwrap().num_rows()).sum();
    assert!(rows > 0);
}

#[test]
fn a_file_has_the_rows_and_the_metadata() {
    let trace = Trace::open(fixture("hello.etl").as_path(), etwkit_parsers::standard()).unwrap();
    let table = Table::of_all_events();
    let (mut out, mut own) = (Vec::new(), Vec::new());
    let mut writer = IpcWriter::new(&mut out, &table, [("etwkit.session".to_owned(), "Hello".to_owned())]).unwrap();
    for batch in batches_of(&trace, &table) {
        own.push(record_batch(&Arc::new(schema(table.columns())), batch.clone()).unwrap());
        writer.write(batch).unwrap();
    }
    assert_eq!(writer.finish().unwrap(), trace.events_total());
    let reader = FileReader::try_new(Cursor::new(out), None).unwrap();
    assert_eq!(reader.schema().metadata()["etwkit.session"], "Hello");
    let read: Vec<RecordBatch> = reader.map(Result::unwrap).collect();
    assert_eq!(read.len(), own.len());
    assert!(read.iter().zip(&own).all(|(read, own)| read.columns() == own.columns()));
}

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(name)
}

fn fixtures() -> Vec<PathBuf> {
    let paths = std::fs::read_dir(fixture("")).unwrap().flatten().map(|entry| entry.path());
    paths.filter(|path| path.extension().is_some_and(|kind| kind == "etl")).collect()
}

fn batches_of(trace: &Trace, table: &Table) -> Vec<Batch> {
    let mut all = Vec::new();
    let mut sink = BatchSink::new([table.clone()], |_, batch| {
        all.push(batch);
        Ok(ControlFlow::Continue(()))
    });
    trace.run(&RunOptions::default(), &mut sink).unwrap();
    all
}

fn address(array: &Array) -> usize {
    match array.values() {
        Values::I64(all) => all.as_ptr() as usize,
        Values::Text { bytes, .. } => bytes.as_ptr() as usize,
        other => panic!("{other:?}"),
    }
}

/// The text of a value of an array.
fn arrow_text(array: &ArrayRef, row: usize) -> String {
    if array.is_null(row) {
        return "null".to_owned();
    }
    match array.data_type() {
        DataType::Boolean => array.as_boolean().value(row).to_string(),
        DataType::Int8 => array.as_primitive::<Int8Type>().value(row).to_string(),
        DataType::Int16 => array.as_primitive::<Int16Type>().value(row).to_string(),
        DataType::Int32 => array.as_primitive::<Int32Type>().value(row).to_string(),
        DataType::Int64 => array.as_primitive::<Int64Type>().value(row).to_string(),
        DataType::UInt8 => array.as_primitive::<UInt8Type>().value(row).to_string(),
        DataType::UInt16 => array.as_primitive::<UInt16Type>().value(row).to_string(),
        DataType::UInt32 => array.as_primitive::<UInt32Type>().value(row).to_string(),
        DataType::UInt64 => array.as_primitive::<UInt64Type>().value(row).to_string(),
        DataType::Float32 => array.as_primitive::<Float32Type>().value(row).to_string(),
        DataType::Float64 => array.as_primitive::<Float64Type>().value(row).to_string(),
        DataType::Timestamp(..) => array.as_primitive::<TimestampMicrosecondType>().value(row).to_string(),
        DataType::Utf8 => array.as_string::<i32>().value(row).to_owned(),
        DataType::List(_) => {
            let items = array.as_list::<i32>().value(row);
            let items: Vec<String> = (0..items.len()).map(|place| arrow_text(&items, place)).collect();
            format!("[{}]", items.join(","))
        }
        DataType::Struct(_) => {
            let members = array.as_struct().columns().iter().map(|member| arrow_text(member, row));
            format!("({})", members.collect::<Vec<_>>().join(","))
        }
        other => panic!("{other:?}"),
    }
}
