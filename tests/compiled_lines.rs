//! Types that are compiled for JSON lines are written as all others.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use etwkit::decode::{Event, PendingEvent};
use etwkit::input::Input;
use etwkit::output::{JsonFormat, LineFormat, LineSink};
use etwkit::trace::{RunOptions, Trace};

/// JSON lines of located events alone.
#[derive(Default)]
struct Located(JsonFormat);

impl LineFormat for Located {
    type State = <JsonFormat as LineFormat>::State;

    fn state(&self, trace: &Trace) -> Self::State {
        self.0.state(trace)
    }

    fn event(&self, state: &mut Self::State, event: &Event<'_>, out: &mut Vec<u8>) -> etwkit::Result<()> {
        self.0.event(state, event, out)
    }
}

/// JSON lines; counts those of compiled types.
#[derive(Default)]
struct Counted(JsonFormat, Arc<AtomicU64>);

impl LineFormat for Counted {
    type State = <JsonFormat as LineFormat>::State;

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

/// Compares both ways for some traces. Returns how many events there are, and how many of them have compiled types.
fn compare(files: impl IntoIterator<Item = PathBuf>) -> (u64, u64) {
    let (mut all, compiled) = (0, Arc::new(AtomicU64::new(0)));
    for file in files {
        // Some fixtures are no traces.
        let Ok(trace) = Trace::open(Input::open(&file).unwrap(), etwkit_parsers::standard()) else { continue };
        let (located, events) = lines(&trace, Located::default());
        let (usual, _) = lines(&trace, Counted(JsonFormat::default(), Arc::clone(&compiled)));
        assert!(located == usual, "{}", file.display());
        all += events;
    }
    (all, compiled.load(Ordering::Relaxed))
}

#[test]
fn fixtures_are_the_same_without_compiled_types() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let is_trace = |file: &PathBuf| file.extension().is_some_and(|end| ["etl", "btl", "blg"].iter().any(|x| end == *x));
    let (all, compiled) = compare(files.filter(is_trace));
    assert!(compiled > 0 && compiled <= all, "{compiled} of {all}");
}

#[test]
fn real_traces_are_the_same_without_compiled_types() {
    let traces = etwkit_corpus::traces();
    if traces.is_empty() {
        return;
    }
    let (all, compiled) = compare(traces.into_iter().map(|(_, path)| path));
    assert!(compiled > all / 2, "{compiled} of {all}");
}
