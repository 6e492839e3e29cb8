//! Rows and JSON of events.

pub(crate) mod rows;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use etwkit::Event;
use etwkit::sink::{Sink, Worker};
use etwkit::trace::{RunOptions, Trace};
use etwkit_columns::{BatchSink, EventName, Table};
use serde_json::Value;

use rows::Row;

/// Returns the traces of the repository.
pub(crate) fn fixtures() -> Vec<(String, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let mut all: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path()).collect();
    all.retain(|path| path.extension().is_some_and(|kind| kind == "etl"));
    all.sort();
    all.into_iter().map(|path| (path.display().to_string(), path)).collect()
}

/// Returns these, and those of the corpus.
pub(crate) fn traces() -> Vec<(String, PathBuf)> {
    fixtures().into_iter().chain(etwkit_corpus::traces()).collect()
}

/// The JSON of each event, and the name by which its table is found.
#[derive(Default)]
pub(crate) struct JsonOfEvents {
    pub(crate) events: Vec<(Option<EventName>, Value)>,
}

impl Sink for JsonOfEvents {
    type Worker = Self;

    fn worker(&self) -> Self {
        Self::default()
    }

    fn accept(&mut self, batch: Vec<(Option<EventName>, Value)>) -> etwkit::Result<ControlFlow<()>> {
        self.events.extend(batch);
        Ok(ControlFlow::Continue(()))
    }
}

impl Worker for JsonOfEvents {
    type Batch = Vec<(Option<EventName>, Value)>;

    fn event(&mut self, event: &Event<'_>) -> etwkit::Result<()> {
        // By its text, as columns: singles are not doubles.
        let json = serde_json::from_str(&serde_json::to_string(event).unwrap()).unwrap();
        let place = event.raw().place();
        self.events.push((event.event_type().map(EventName::of), with_place(json, [place.buffer, place.offset])));
        Ok(())
    }

    fn take(&mut self) -> Self::Batch {
        std::mem::take(&mut self.events)
    }
}

/// Adds the number of its buffer and the place there.
fn with_place(mut json: Value, place: [u32; 2]) -> Value {
    json["place"] = place.to_vec().into();
    json
}

/// Returns where an event begins in its file, or in its buffer if that is compressed.
pub(crate) fn offset_of(trace: &Trace, event: &Value) -> u64 {
    let [buffer, offset] = [0, 1].map(|at| event["place"][at].as_u64().unwrap());
    let buffer = trace.buffer(u32::try_from(buffer).unwrap()).unwrap();
    if buffer.is_compressed() { offset } else { buffer.offset + offset }
}

/// Returns the rows of tables by their numbers.
pub(crate) fn rows_of(trace: &Trace, options: &RunOptions, tables: Vec<Table>) -> BTreeMap<usize, Vec<Row>> {
    let mut all: BTreeMap<usize, Vec<Row>> = BTreeMap::new();
    let mut sink = BatchSink::new(tables, |table, batch| {
        all.entry(table).or_default().extend(rows::rows(&batch));
        Ok(ControlFlow::Continue(()))
    });
    trace.run(options, &mut sink).unwrap();
    all
}
