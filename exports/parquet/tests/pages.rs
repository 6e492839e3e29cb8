//! Columns of many rows are read back from several pages, with the bounds that readers skip pages by.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::unreachable, reason = "a test")]

use std::ops::ControlFlow;
use std::path::Path;

use bytes::Bytes;
use etwkit::trace::{RunOptions, Trace};
use etwkit_columns::{Batch, BatchSink, Table, Values};
use etwkit_parquet::{Options, ParquetWriter};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::serialized_reader::ReadOptionsBuilder;
use parquet::file::statistics::Statistics;
use parquet::record::Field;

const ROWS: usize = 50_000;

/// Returns a table of a trace, and its batches again and again.
fn many() -> (Table, Vec<Batch>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/hello.etl");
    let trace = Trace::open(path.as_path(), etwkit_parsers::standard()).unwrap();
    let table = Table::of_all_events().project(["pid", "event", "fields", "message", "activity"]).unwrap();
    let mut batches = Vec::new();
    let mut sink = BatchSink::new([table.clone()], |_, batch| {
        batches.push(batch);
        Ok(ControlFlow::Continue(()))
    });
    trace.run(&RunOptions::default(), &mut sink).unwrap();
    drop(sink);
    let rows: usize = batches.iter().map(|batch| batch.rows).sum();
    let all = batches.iter().cycle().take(batches.len() * ROWS.div_ceil(rows)).cloned().collect();
    (table, all)
}

#[test]
fn values_are_read_back_from_several_pages() {
    let (table, batches) = many();
    let mut out = Vec::new();
    let mut writer = ParquetWriter::new(&mut out, &table, Options::default()).unwrap();
    for batch in &batches {
        writer.write(batch.clone()).unwrap();
    }
    writer.finish().unwrap();
    let options = ReadOptionsBuilder::new().with_page_index().build();
    let reader = SerializedFileReader::new_with_options(Bytes::from(out), options).unwrap();
    let pages = reader.metadata().offset_index().unwrap();
    for column in &pages[0] {
        let firsts: Vec<i64> = column.page_locations().iter().map(|page| page.first_row_index).collect();
        assert!(firsts.len() >= 3 && firsts[0] == 0 && firsts.is_sorted(), "{firsts:?}");
    }
    let (mut least, mut greatest) = (u32::MAX, 0);
    let mut rows = reader.get_row_iter(None).unwrap();
    for batch in batches.into_iter().map(Batch::expanded) {
        let (Values::U32(pids), Values::Codes { codes, texts }) =
            (batch.columns[0].values(), batch.columns[1].values())
        else {
            unreachable!("a column of another type")
        };
        let Values::Text { ends, bytes } = batch.columns[2].values() else { unreachable!("no texts") };
        for row in 0..batch.rows {
            let read: Vec<Field> =
                rows.next().unwrap().unwrap().into_columns().into_iter().map(|pair| pair.1).collect();
            let is_valid = |column: usize| batch.columns[column].validity().is_valid(row);
            let text = |bytes: &[u8]| Field::Str(String::from_utf8(bytes.to_vec()).unwrap());
            let or_null = |column: usize, field: Field| if is_valid(column) { field } else { Field::Null };
            assert_eq!(read[0], or_null(0, Field::UInt(pids[row])));
            assert_eq!(read[1], or_null(1, text(texts.get(codes[row]).unwrap())));
            assert_eq!(read[2], or_null(2, text(&bytes[ends[row] as usize..ends[row + 1] as usize])));
            if is_valid(0) {
                (least, greatest) = (least.min(pids[row]), greatest.max(pids[row]));
            }
        }
    }
    assert!(rows.next().is_none());
    let Some(Statistics::Int32(statistics)) = reader.metadata().row_group(0).column(0).statistics() else {
        unreachable!("no statistics")
    };
    let bounds = (statistics.min_opt().copied(), statistics.max_opt().copied());
    assert_eq!(bounds, (Some(least.cast_signed()), Some(greatest.cast_signed())));
}
