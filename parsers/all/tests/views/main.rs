//! Typed views read the values of the fields: every accessor of every view equals the value that is found by name.
//!
//! First over made payloads of every entry of the kernel's and the runtime's tables, then over the fixtures and the
//! real traces.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    missing_docs,
    reason = "a test"
)]

mod compare;
mod made;

use std::path::{Path, PathBuf};

use etwkit::{Input, Trace};

use compare::Comparison;

/// No accessor is `None` for every payload that can be made of its tables' entries.
#[test]
fn every_accessor_reads_its_field() {
    let mut comparison = Comparison::default();
    for trace in made::traces() {
        comparison.trace("made", &trace);
    }
    assert_eq!(comparison.wrong, Vec::<String>::new());
    assert_eq!(comparison.unseen(), Vec::<String>::new(), "views and accessors that never had a value");
    println!("{} events, {} values", comparison.events, comparison.values);
}

#[test]
fn fixtures() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let mut comparison = Comparison::default();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ext| ext == "etl") {
            comparison.file(&path);
        }
    }
    assert_eq!(comparison.wrong, Vec::<String>::new());
    assert!(comparison.events > 100, "{} events", comparison.events);
    for view in ["Process/DCStart", "Image/DCStart", "PerfInfo/Sample"] {
        assert!(comparison.has_seen(view), "no {view} in the fixtures");
    }
}

/// Skipped loudly where the corpus is absent.
#[test]
fn real_traces() {
    let traces: Vec<(String, PathBuf)> = etwkit_corpus::traces();
    let mut comparison = Comparison::default();
    for (_, path) in &traces {
        comparison.file(path);
    }
    println!("{} events, {} values in {} traces", comparison.events, comparison.values, traces.len());
    assert_eq!(comparison.wrong, Vec::<String>::new());
    if traces.iter().any(|(name, _)| name.ends_with("net.4.5.2.x64.etl")) {
        for view in ["GC/Start", "GC/AllocationTick", "Method/LoadVerbose", "Process/DCStart", "Image/Load"] {
            assert!(comparison.has_seen(view), "no {view} in the real traces");
        }
    }
}

impl Comparison {
    /// All events of a file that is a trace.
    fn file(&mut self, path: &Path) {
        let Ok(trace) = Trace::open(Input::open(path).unwrap(), etwkit_parsers::standard()) else { return };
        self.trace(&path.file_name().unwrap().to_string_lossy(), &trace);
    }

    fn trace(&mut self, name: &str, trace: &Trace) {
        let mut events = trace.events();
        while let Some(event) = events.next().unwrap() {
            self.event(name, &event);
        }
    }
}
