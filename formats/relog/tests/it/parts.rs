//! Traces in several files.

use std::collections::{BTreeSet, HashSet};
use std::io::Cursor;
use std::path::Path;
use std::time::Duration;

use etwkit::FileId;
use etwkit::event::EventKey;
use etwkit::trace::{Filter, Glob, Trace};
use etwkit_relog::{Copied, CopyOptions, Error, Part, Parts, Split, copy};
use etwkit_synth::event::{ClassicEvent, MessageEvent, PointerSize, option};
use etwkit_synth::file::{Buffer, LogfileHeader, TraceBuilder};
use etwkit_synth::guid::Guid;
use etwkit_synth::kernel;

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
    let clock = trace.clock(FileId::FIRST).unwrap();
    let mut times = BTreeSet::new();
    let mut events = trace.select(filter);
    while let Some(event) = events.next_raw().unwrap() {
        if !shared.contains(&event.key()) && !trace.is_log_header(&event) {
            times.insert(clock.filetime(event.time()));
        }
    }
    times.len()
}

/// Plans parts of a size, or returns a size that is enough.
fn planned(trace: &Trace, filter: &Filter, most: u64) -> Result<Parts, u64> {
    let options = CopyOptions::default().filter(filter.clone(), "");
    match Parts::new(trace, &options, Split::Size(most)) {
        Ok(parts) => Ok(parts),
        Err(Error::TooSmall { enough, .. }) => Err(enough),
        Err(error) => panic!("{error}"),
    }
}

/// Writes parts, which must not be larger than this; returns how many events they were made for.
fn write_all(name: &str, trace: &Trace, parts: &[Part], most: u64) -> u64 {
    let shared = shared(trace);
    let check = |part: &Part| {
        let copied = written(trace, &part.filter);
        let is_small = copied.written.bytes <= most || times(trace, &shared, &part.filter) <= 1;
        assert!(is_small, "{name}: {} bytes in {}, not {most}", copied.written.bytes, part.label);
        copied.wanted
    };
    parts.iter().map(check).sum()
}

/// Checks the parts of a trace for several sizes; returns how many there were.
fn check_sizes(name: &str, trace: &Trace, filter: &Filter) -> usize {
    let Ok((_, whole)) = copy(trace, &CopyOptions::default().filter(filter.clone(), ""), Cursor::new(Vec::new()))
    else {
        return 0;
    };
    let mut count = 0;
    let buffer = trace.buffers().map(|buffer| u64::from(buffer.size.max(buffer.used))).max().unwrap_or_default();
    // Stacks that come after the last event of a part may need a buffer more of each processor.
    let buffers = buffer * trace.processor_numbers().len() as u64;
    for most in [2, 3, 7].map(|divisor| whole.written.bytes / divisor) {
        let Ok(parts) = planned(trace, filter, most) else { continue };
        assert_eq!(write_all(name, trace, &parts.list, most + buffers), whole.wanted, "{name}, {most} bytes");
        count += parts.list.len();
    }
    // The smallest size that a refusal names.
    let enough = planned(trace, filter, 1).unwrap_err();
    let parts = planned(trace, filter, enough).unwrap().list;
    let most_parts = 8 * whole.written.buffers as usize;
    assert!(parts.len() <= most_parts, "{name}: {} parts of {enough} bytes, not {most_parts}", parts.len());
    write_all(name, trace, parts.get(..8).unwrap_or(&parts), enough + buffers);
    count
}

/// A trace of two processors whose events take turns, in buffers of 64 KiB.
fn of_two_processors(events: i64) -> Trace {
    let header = LogfileHeader { buffer_size: 64 << 10, ..LogfileHeader::default() };
    let event = |at: i64| ClassicEvent::new(PointerSize::Eight, Guid::new(7), 1).at(header.after(at)).by(9, 9);
    let of =
        |first: i64| (first..events).step_by(2).fold(Buffer::on(first as u16), |buffer, at| buffer.event(event(at)));
    opened([TraceBuilder::new(header.clone()).buffers([of(0), of(1)]).build().bytes])
}

#[test]
fn a_size_without_room_for_each_processor_is_refused() {
    let trace = of_two_processors(600);
    // The header, the note and the events of one processor fit, those of the other do not.
    let count = |most| planned(&trace, &Filter::default(), most).map(|parts| parts.list.len());
    assert_eq!((count(150 << 10), count(192 << 10)), (Err(192 << 10), Ok(1)));
}

#[test]
fn a_size_with_room_for_few_of_many_processors_is_refused() {
    let header = LogfileHeader { buffer_size: 64 << 10, ..LogfileHeader::default() };
    let event = |at: i64| ClassicEvent::new(PointerSize::Eight, Guid::new(7), 1).at(header.after(at)).by(9, 9);
    let of =
        |first: i64| (first..3_000).step_by(10).fold(Buffer::on(first as u16), |buffer, at| buffer.event(event(at)));
    let trace = opened([TraceBuilder::new(header.clone()).buffers((0..10).map(of)).build().bytes]);
    let count = |most| planned(&trace, &Filter::default(), most).map(|parts| parts.list.len());
    let enough = 11 * (64 << 10);
    assert_eq!((count(300 << 10), count(enough)), (Err(enough), Ok(1)));
}

#[test]
fn as_many_parts_as_a_trace_may_have_files() {
    let trace = |events: usize| {
        let events = i64::try_from(events).unwrap();
        let header = LogfileHeader::default();
        let event = |at: i64| ClassicEvent::new(PointerSize::Eight, Guid::new(7), 1).at(header.after(at)).by(9, 9);
        let buffer =
            |first: i64| (first..events.min(first + 100)).fold(Buffer::on(1), |buffer, at| buffer.event(event(at)));
        let buffers = (0..events).step_by(100).map(buffer);
        opened([TraceBuilder::new(header.clone()).buffers(buffers).build().bytes])
    };
    let split = |events| Parts::new(&trace(events), &CopyOptions::default(), Split::Time(Duration::from_nanos(100)));
    let most = etwkit::limits::MAX_FILES;
    assert_eq!(split(most).unwrap().list.len(), most);
    let refused = split(most + 1).unwrap_err().to_string();
    assert!(refused.ends_with("this would make more than 4,096 files"), "{refused}");
}

#[test]
fn a_long_description_is_counted() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/circular-wrapped.etl");
    let trace = Trace::open(path, parsers()).unwrap();
    let described = "x".repeat(4_000);
    let options = CopyOptions::default().filter(Filter::default(), &described);
    for most in (4..=20).map(|size| size << 10) {
        let parts = match Parts::new(&trace, &options, Split::Size(most)) {
            Ok(parts) => parts,
            Err(Error::TooSmall { .. }) if most < 16 << 10 => continue,
            Err(error) => panic!("{most}: {error}"),
        };
        for part in parts.list {
            let options = CopyOptions::default().filter(part.filter, &described);
            let (_, copied) = copy(&trace, &options, Cursor::new(Vec::new())).unwrap();
            assert!(copied.written.bytes <= most, "{} bytes, not {most}", copied.written.bytes);
        }
    }
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
    let parts = Parts::new(&trace, &CopyOptions::default(), Split::Time(Duration::from_micros(1))).unwrap();
    let counts: Vec<usize> = parts.list.iter().map(|part| lines(&trace, &part.filter).len()).collect();
    assert_eq!(counts, [2, 2, 1]);
    let labels: Vec<&str> = parts.list.iter().map(|part| part.label.as_str()).collect();
    assert_eq!(labels, ["001", "002", "003"]);
}

/// The time of the last event is beyond all dates.
#[test]
fn one_wild_time_does_not_keep_a_trace_from_being_cut_by_time() {
    let header = LogfileHeader::default();
    let event = |time| ClassicEvent::new(PointerSize::Eight, Guid::new(7), 1).at(time).by(9, 9);
    let times = [header.after(10), header.after(20_000_000), header.after(21_000_000), i64::MAX];
    let buffer = Buffer::on(1).events(times.map(event));
    let trace = opened([TraceBuilder::new(header).buffer(buffer).build().bytes]);
    let parts = Parts::new(&trace, &CopyOptions::default(), Split::Time(Duration::from_secs(1))).unwrap();
    let wanted: Vec<u64> = parts.list.iter().map(|part| written(&trace, &part.filter).wanted).collect();
    assert_eq!(wanted, [1, 1, 2]);
}

/// In a copy, something stands for the header event, whose time the messages have.
#[test]
fn parts_with_messages_behind_the_header_are_not_larger_than_asked() {
    let header = LogfileHeader { buffer_size: 8 << 10, ..LogfileHeader::default() };
    let message = || MessageEvent::new(Guid::new(8), 10).options(option::GUID | option::SYSTEM_INFO).by(4, 8);
    let event =
        |at: i64| ClassicEvent::new(PointerSize::Eight, Guid::new(7), 1).at(header.after(at)).by(9, 9).payload([7; 40]);
    for messages in [0, 1, 8, 20] {
        let made = TraceBuilder::new(header.clone())
            .header_buffer(|buffer| buffer.events((0..messages).map(|_| message())))
            .buffers((0..3).map(|number| Buffer::on(0).events((1..81).map(|at| event(100 * number + at)))))
            .buffer(Buffer::on(1).event(event(900)));
        let trace = opened([made.build().bytes]);
        let parts = planned(&trace, &Filter::default(), 24 << 10).unwrap();
        write_all("messages", &trace, &parts.list, 24 << 10);
    }
}

#[test]
fn a_process_with_the_id_of_one_that_has_ended_is_a_part() {
    let header = LogfileHeader::default();
    let process = |hook, name, ticks| {
        kernel::process(PointerSize::Eight, hook, 100, name, name).by(100, 104).at(header.after(ticks))
    };
    let event = |pid, ticks| ClassicEvent::new(PointerSize::Eight, Guid::new(7), 1).at(header.after(ticks)).by(pid, 9);
    let buffer = Buffer::on(0)
        .event(event(200, 500))
        .event(process(0x0301, "first.exe", 1_000))
        .event(event(100, 2_000))
        .event(process(0x0302, "first.exe", 3_000))
        .event(event(100, 3_500))
        .event(process(0x0301, "second.exe", 4_000))
        .event(event(100, 5_000))
        .event(event(200, 6_000));
    let trace = opened([TraceBuilder::new(header.clone()).buffer(buffer).build().bytes]);
    let parts = Parts::new(&trace, &CopyOptions::default(), Split::Process).unwrap();
    let found = parts.list.iter().filter(|part| matches!(part.pid, Some(100 | 200)));
    let found: Vec<_> = found.map(|part| (part.label.as_str(), part.pid, lines(&trace, &part.filter).len())).collect();
    assert_eq!(found, [("first.exe", Some(100), 4), ("second.exe", Some(100), 2), ("", Some(200), 2)]);
    let other = parts.list.iter().find(|part| part.pid == Some(200));
    assert_eq!(other.map(|part| &part.filter), Some(&Filter::default().pids([200])));
}
