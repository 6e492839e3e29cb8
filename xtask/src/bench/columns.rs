//! Batches of columns, and Parquet files of them.

use std::ops::ControlFlow;
use std::path::Path;

use etwkit::input::Input;
use etwkit::trace::{RunOptions, Trace};
use etwkit_columns::{BatchSink, Table};
use etwkit_parquet::{Options, ParquetWriter};

use crate::Done;

/// Columns of the header and the payload, by the event or as JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tables {
    ByEvent,
    All,
}

impl Tables {
    fn of(self, trace: &Trace) -> Vec<Table> {
        match self {
            Self::ByEvent => Table::by_event(trace).into_iter().map(|(_, table)| table).collect(),
            Self::All => vec![Table::of_all_events()],
        }
    }
}

/// All columns of all events, discarded.
pub(super) fn batches(path: &Path, tables: Tables) -> Done<u64> {
    let trace = open(path)?;
    let mut sink = BatchSink::new(tables.of(&trace), |number, batch| {
        std::hint::black_box((number, batch));
        Ok(ControlFlow::Continue(()))
    });
    Ok(trace.run(&RunOptions::default().threads(1), &mut sink)?.events)
}

/// All columns of all events, as Parquet files that are discarded. When 96 MB wait, the table with most of them writes, as
/// those of `etwkit export --by-event` do.
pub(super) fn parquet(path: &Path, tables: Tables) -> Done<u64> {
    let trace = open(path)?;
    let tables = tables.of(&trace);
    let mut writers = Vec::new();
    for table in &tables {
        writers.push(ParquetWriter::new(std::io::sink(), table, Options::default())?);
    }
    let mut sink = BatchSink::new(tables, |number, batch| {
        if let Some(writer) = writers.get_mut(number) {
            writer.write(batch).map_err(|error| etwkit::Error::from(std::io::Error::other(error)))?;
        }
        while waiting(&writers) > WAITING {
            let Some(largest) = writers.iter_mut().max_by_key(|writer| writer.waiting()) else { break };
            largest.flush().map_err(std::io::Error::other)?;
        }
        Ok(ControlFlow::Continue(()))
    });
    let events = trace.run(&RunOptions::default().threads(1), &mut sink)?.events;
    drop(sink);
    writers.into_iter().try_for_each(|writer| writer.finish().map(drop))?;
    Ok(events)
}

fn waiting(writers: &[ParquetWriter<std::io::Sink>]) -> usize {
    writers.iter().map(ParquetWriter::waiting).sum()
}

fn open(path: &Path) -> Done<Trace> {
    Ok(Trace::open(Input::open(path)?, etwkit_parsers::standard())?)
}

/// Bytes of rows that wait for their row groups, about: as many as `etwkit export --by-event` allows.
const WAITING: usize = 96 << 20;
