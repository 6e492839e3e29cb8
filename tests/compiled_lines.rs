//! Types that are compiled for a format are written as all others.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use etwkit::decode::{Event, PendingEvent};
use etwkit::input::Input;
use etwkit::output::{Column, JsonFormat, LineFormat, LineSink, RowFormat, TableFormat, TextFormat};
use etwkit::trace::{RunOptions, Trace};

/// A format of located events alone.
struct Located<F>(F);

impl<F: LineFormat> LineFormat for Located<F> {
    type State = F::State;

    fn state(&self, trace: &Trace) -> Self::State {
        self.0.state(trace)
    }

    fn event(&self, state: &mut Self::State, event: &Event<'_>, out: &mut Vec<u8>) -> etwkit::Result<()> {
        self.0.event(state, event, out)
    }
}

/// A format; counts the events of compiled types.
struct Counted<'c, F>(F, &'c AtomicU64);

impl<F: LineFormat> LineFormat for Counted<'_, F> {
    type State = F::State;

    fn state(&self, trace: &Trace) -> Self::State {
        self.0.state(trace)
    }

    fn event(&self, state: &mut Self::State, event: &Event<'_>, out: &mut Vec<u8>) -> etwkit::Result<()> {
        self.0.event(state, event, out)
    }

    fn compiled(&self, state: &mut Self::State, pending: &mut PendingEvent<'_>, out: &mut Vec<u8>) -> bool {
        let is_compiled = self.0.compiled(state, pending, out);
        self.1.fetch_add(is_compiled.into(), Ordering::Relaxed);
        is_compiled
    }
}

/// Returns the lines of a trace, and how many events it has.
fn lines(trace: &Trace, format: impl LineFormat) -> (Vec<u8>, u64) {
    let mut sink = LineSink::with_format(trace, format, Vec::new());
    let summary = trace.run(&RunOptions::default(), &mut sink).unwrap();
    (sink.finish().unwrap(), summary.events)
}

/// Compares both ways for a format. Returns how many events there are, and how many of them have compiled types.
fn compare_format<F: LineFormat + Clone>(trace: &Trace, format: &F) -> [u64; 2] {
    let compiled = AtomicU64::new(0);
    let (located, events) = lines(trace, Located(format.clone()));
    let (usual, _) = lines(trace, Counted(format.clone(), &compiled));
    assert!(located == usual, "{:?}", trace.files().iter().map(|file| file.source.name()).collect::<Vec<_>>());
    [events, compiled.into_inner()]
}

/// Compares both ways for some traces and each format.
fn compare(files: impl IntoIterator<Item = PathBuf>) -> [[u64; 2]; 4] {
    let mut sums = [[0; 2]; 4];
    for file in files {
        // Some fixtures are not traces.
        let Ok(trace) = Trace::open(Input::open(&file).unwrap(), etwkit_parsers::standard()) else { continue };
        let named = ["time", "provider", "fields", "file_name", "pid"];
        let named: Vec<_> = named.map(|name| Column::Named(name.parse().unwrap())).into();
        let found = [
            compare_format(&trace, &JsonFormat::default()),
            compare_format(&trace, &TextFormat::default()),
            compare_format(&trace, &TableFormat::new(Column::usual_of(&trace), RowFormat::Csv)),
            compare_format(&trace, &TableFormat::new(named, RowFormat::Csv)),
        ];
        sums.iter_mut().flatten().zip(found.iter().flatten()).for_each(|(sum, found)| *sum += found);
    }
    sums
}

#[test]
fn fixtures_are_the_same_without_compiled_types() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let is_trace = |file: &PathBuf| file.extension().is_some_and(|end| ["etl", "btl", "blg"].iter().any(|x| end == *x));
    for [all, compiled] in compare(files.filter(is_trace)) {
        assert!(compiled > 0 && compiled <= all, "{compiled} of {all}");
    }
}

#[test]
fn real_traces_are_the_same_without_compiled_types() {
    let traces = etwkit_corpus::traces();
    if traces.is_empty() {
        return;
    }
    for [all, compiled] in compare(traces.into_iter().map(|(_, path)| path)) {
        assert!(compiled > all / 2, "{compiled} of {all}");
    }
}
