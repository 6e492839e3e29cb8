//! What the first pass finds does not depend on threads, and a filter by type misses nothing of it.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]

mod support;

use std::collections::BTreeSet;
use std::fmt::Write;

use etwkit::FileId;
use etwkit::input::Input;
use etwkit::trace::{EventType, Filter, Glob, RawTrace, Trace};
use etwkit_synth::{busy, fixtures};

#[test]
fn the_first_pass_finds_the_same_with_any_number_of_threads() {
    for (name, mut bytes) in [("kernel", busy::kernel_events(90_000)), ("runtime", busy::runtime_events(60_000))] {
        assert!(bytes.len() > 6 << 20, "{name}: {} bytes are walked by one thread", bytes.len());
        // Damage in some buffers: problems must have the same order, and segments the same ends.
        for at in (1 << 20..bytes.len()).step_by(777_777) {
            bytes[at..at + 64].fill(0xA5);
        }
        let read = |threads| {
            let input = Input::bytes(name, bytes.clone());
            RawTrace::open(input).unwrap().threads(threads).decode(etwkit_parsers::standard()).unwrap()
        };
        let facts = |trace: &Trace| {
            let row =
                |row: &EventType| format!("{:?} {:?} {:?} {:?}", row.key(), row.events(), row.first(), row.schema());
            let types: Vec<String> = trace.types().iter().map(row).collect();
            let mut order = String::new();
            let mut events = trace.events();
            while let Some(event) = events.next().unwrap() {
                let process = event.attribution().pid.and_then(|pid| event.system().process_name_at(pid, event.raw()));
                writeln!(order, "{:?} {:?} {process:?}", event.raw().place(), event.raw().time()).unwrap();
            }
            (types, order, trace.problems().to_vec(), trace.buffers().collect::<Vec<_>>(), trace.processor_numbers())
        };
        let (one, counts) = (read(1), |trace: &Trace| format!("{:?}", trace.counts(FileId::FIRST)));
        for threads in [2, 3] {
            let several = read(threads);
            assert!(facts(&one) == facts(&several), "{name} by {threads} threads");
            assert_eq!(counts(&one), counts(&several));
        }
    }
}

/// A filter by type reads only segments that may have the types: none may be missed.
#[test]
fn no_event_of_a_type_is_missed() {
    for fixture in fixtures().into_iter().filter(|f| f.expected.is_trace()) {
        let trace = Trace::open(support::fixtures_folder().join(fixture.name), etwkit_parsers::standard()).unwrap();
        let names: BTreeSet<&str> = trace.types().iter().filter_map(|row| row.name()).collect();
        for name in names {
            let of_name = trace.types().iter().filter(|row| row.name() == Some(name));
            let expected: u64 = of_name.map(EventType::events).sum();
            let mut found = 0;
            let mut events = trace.select(&Filter::default().names([Glob::new(name)]));
            while events.next_raw().unwrap().is_some() {
                found += 1;
            }
            assert_eq!(found, expected, "{name} of {}", fixture.name);
        }
    }
}
