//! Traces in several files.

use std::collections::{BTreeSet, HashSet};
use std::io::Cursor;
use std::path::Path;
use std::time::Duration;

use etwkit::event::EventKey;
use etwkit::trace::{Filter, Glob, Trace};
use etwkit_relog::{Copied, CopyOptions, Error, Parts, Split, copy};
use etwkit_synth::event::{ClassicEvent, PointerSize};
use etwkit_synth::file::{Buffer, LogfileHeader, TraceBuilder};
use etwkit_synth::guid::Guid;

use crate::copies::{copied, lines, parsers};
use crate::headers::opened;

/// Returns what a file with these events has, in bytes and events.
fn written(trace: &Trace, filter: &Filter) -> Copied {
    let options = CopyOptions::default().filter(filter.clone(), "since and until");
    copy(trace, &options, Cursor::new(Vec::new())).unwrap().1
}

/// Returns the types of the events that every part has: those of a copy of nothing.
fn shared(trace: &Trace) -> HashSet<EventKey> {
    let nothing = Filter::default().names([Glob::new("no event is called this")]);
    let copy = copied(trace, &CopyOptions::default().filter(nothing, ""));
    copy.iter().flat_map(Trace::types).map(|row| *row.key()).collect()
}

/// Returns how many times the events of a part have that are in no other part.
fn times(trace: &Trace, shared: &HashSet<EventKey>, filter: &Filter) -> usize {
    let clock = trace.clock(0).unwrap();
    let mut times = BTreeSet::new();
    let mut events = trace.select(filter);
    while let Some(event) = events.next_raw().unwrap() {
        if !shared.contains(&event.key()) && !trace.is_log_header(&event) {
            times.insert(clock.filetime(event.time()));
        }
    }
    times.len()
}

/// Checks the parts of a trace for several sizes; returns how many there were.
fn check_sizes(name: &str, trace: &Trace, filter: &Filter) -> usize {
    let Ok((_, whole)) = copy(trace, &CopyOptions::default().filter(filter.clone(), ""), Cursor::new(Vec::new()))
    else {
        return 0;
    };
    let (mut count, shared) = (0, shared(trace));
    let buffer = trace.buffers().map(|buffer| u64::from(buffer.size.max(buffer.used))).max().unwrap_or_default();
    for most in [2, 3, 7].map(|divisor| whole.written.bytes / divisor) {
        let parts = match Parts::new(trace, filter, Split::Size(most)) {
            Ok(parts) => parts,
            Err(Error::Refused { .. }) => continue,
            Err(error) => panic!("{name}: {error}"),
        };
        let mut wanted = 0;
        for part in &parts.list {
            let copied = written(trace, &part.filter);
            // Stacks that come after the last event of a part may need a buffer more.
            let is_small = copied.written.bytes <= most + buffer || times(trace, &shared, &part.filter) <= 1;
            assert!(is_small, "{name}: {} bytes in {}, not {most}", copied.written.bytes, part.label);
            wanted += copied.wanted;
        }
        assert_eq!(wanted, whole.wanted, "{name}, {most} bytes");
        count += parts.list.len();
    }
    count
}

#[test]
fn parts_are_not_larger_than_asked() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let fixtures = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let fixtures = fixtures.filter(|path| path.extension().is_some_and(|extension| extension == "etl"));
    let is_small = |path: &Path| std::fs::metadata(path).unwrap().len() <= 8 << 20;
    let real = etwkit_corpus::traces().into_iter().map(|(_, path)| path).filter(|path| is_small(path));
    let mut count = 0;
    for path in fixtures.chain(real) {
        let Ok(trace) = Trace::open(&path, parsers()) else { continue };
        for filter in [Filter::default(), Filter::default().names([Glob::new("*Start*")])] {
            count += check_sizes(&path.display().to_string(), &trace, &filter);
        }
    }
    assert!(count > 30, "{count}");
}

#[test]
fn stretches_without_events_are_no_parts() {
    let header = LogfileHeader::default();
    let event = |at: i64| {
        let event = ClassicEvent::new(PointerSize::Eight, Guid::new(7), 1);
        Buffer::on(1).event(event.at(header.after(at)).by(9, 9))
    };
    let year = 365 * 24 * 3600 * 10_000_000;
    let buffers = [0, 3, year, year + 1, 2 * year].map(event);
    let trace = opened([TraceBuilder::new(header.clone()).buffers(buffers).build().bytes]);
    let parts = Parts::new(&trace, &Filter::default(), Split::Time(Duration::from_micros(1))).unwrap();
    let counts: Vec<usize> = parts.list.iter().map(|part| lines(&trace, &part.filter).len()).collect();
    assert_eq!(counts, [2, 2, 1]);
    let labels: Vec<&str> = parts.list.iter().map(|part| part.label.as_str()).collect();
    assert_eq!(labels, ["001", "002", "003"]);
}
