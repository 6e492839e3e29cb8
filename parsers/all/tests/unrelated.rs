//! Real traces of unrelated machines, read as one: each event has the process that it has when its file is read alone.
//! Skipped loudly where the corpus is absent.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

mod common;

use std::path::PathBuf;

use etwkit::input::Input;
use etwkit::trace::{Filter, Order, Trace};

/// Traces of four machines, from 2010, 2011 and twice 2020, and how many of their events have a process with a name.
const TRACES: [(&str, u64); 4] = [
    ("tx/Process.etl", 3_326),
    ("sawbuck/process_data_64_v3.etl", 8),
    ("perfview/net.4.5.2.x64.etl", 173_460),
    ("airbus/ShutdownPerfDiagLogger.etl", 17_070),
];

/// The names of processes, of the events of each file in the order of the file.
fn names(trace: &Trace) -> Vec<Vec<Option<String>>> {
    let mut all = vec![Vec::new(); trace.files().len()];
    let mut events = trace.events_in(Order::File, &Filter::default());
    while let Some(event) = events.next().unwrap() {
        all[event.raw().place().file.index()].push(event.process_name().map(str::to_owned));
    }
    all
}

fn paths() -> Option<Vec<PathBuf>> {
    let all = etwkit_corpus::traces();
    TRACES.iter().map(|(name, _)| Some(all.iter().find(|(known, _)| known == name)?.1.clone())).collect()
}

#[test]
fn no_event_is_named_after_a_process_of_another_machine() {
    let Some(mut paths) = paths() else { return };
    let mut alone: Vec<_> = paths.iter().map(|path| names(&common::census(path, etwkit_parsers::standard()))).collect();
    for ((name, known), file) in TRACES.iter().zip(&alone) {
        let named = file[0].iter().flatten().count() as u64;
        assert_eq!(named, *known, "{name}");
    }
    for _ in 0..2 {
        let inputs: Vec<Input> = paths.iter().map(|path| Input::open(path).unwrap()).collect();
        let together = Trace::open_all(inputs, etwkit_parsers::standard()).unwrap();
        assert_eq!(together.systems().iter().count(), TRACES.len());
        for (file, alone) in names(&together).into_iter().zip(&alone) {
            assert!(file == alone[0], "a name of another machine");
        }
        paths.reverse();
        alone.reverse();
    }
}

/// Files of one machine and boot share what they state: two sets of sessions that one test made one after the other.
#[test]
fn sessions_of_one_boot_belong_together() {
    let all = etwkit_corpus::traces();
    let inputs: Vec<Input> = all
        .iter()
        .filter(|(name, _)| name.starts_with("sawbuck/"))
        .map(|(_, path)| Input::open(path).unwrap())
        .collect();
    if inputs.is_empty() {
        return;
    }
    let trace = Trace::open_all(inputs, etwkit_parsers::standard()).unwrap();
    let files: Vec<usize> = trace.systems().iter().map(|system| system.machine.files.len()).collect();
    assert_eq!(files, [11, 6]);
}
