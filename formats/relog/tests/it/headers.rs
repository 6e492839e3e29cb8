//! What the header of a copy states.

use std::time::Duration;

use etwkit::FileId;
use etwkit::trace::{Filter, TimeRange, Trace};
use etwkit::{FileTime, Input, RawTime};
use etwkit_relog::{CopyOptions, PROVIDER, Parts, Split};
use etwkit_synth::Payload;
use etwkit_synth::event::{ClassicEvent, PointerSize};
use etwkit_synth::file::{Buffer, LogfileHeader, TraceBuilder};
use etwkit_synth::guid::Guid;

use crate::copies::{copied, difference, lines, parsers};

const GUID: Guid = Guid::new(0x1234_5678_0000_0000_0000_0000_0000_0001);
/// Ticks of the clock, and units of FILETIME, per second.
const SECOND: i64 = 10_000_000;

/// A trace with an event at each of these seconds after its start.
fn made(header: LogfileHeader, seconds: &[i64]) -> Vec<u8> {
    let event =
        |second: &i64| ClassicEvent::new(PointerSize::Eight, GUID, 1).at(header.after(second * SECOND)).by(9, 9);
    let buffer = seconds.iter().fold(Buffer::on(1), |buffer, second| buffer.event(event(second)));
    TraceBuilder::new(header).buffer(buffer).build().bytes
}

pub(crate) fn opened(files: impl IntoIterator<Item = Vec<u8>>) -> Trace {
    Trace::open_all(files.into_iter().map(|bytes| Input::bytes("made", bytes)), parsers()).unwrap()
}

/// Packets of zeros shrink to a small part.
#[test]
fn what_shrinks_much_is_compressed() {
    let header = LogfileHeader { buffer_size: 64 << 10, ..LogfileHeader::default() };
    let event = |n: i64| {
        let payload = Payload::new().u32(n as u32).zeros(1_514);
        ClassicEvent::new(PointerSize::Eight, GUID, 1).at(header.after(n)).by(9, 9).payload(payload)
    };
    let buffers = (0..20).map(|buffer| Buffer::on(1).events((0..40).map(|n| event(buffer * 40 + n))));
    let trace = opened([TraceBuilder::new(header.clone()).buffers(buffers).build().bytes]);
    let copy = copied(&trace, &CopyOptions::default().compress(true)).unwrap();
    let sizes = copy.buffers().skip(1).fold((0, 0), |(size, used), info| (size + info.size, used + info.used));
    assert!(sizes.1 > 50 * sizes.0, "{sizes:?}");
    assert_eq!((copy.problems(), difference(&trace, &copy, &Filter::default())), ([].as_slice(), None));
}

#[test]
fn a_header_outlives_a_damaged_length_of_its_buffer() {
    for used in [0_u32, 72, 80, 300] {
        outlives("length of the buffer", 0x30, &used.to_le_bytes());
    }
}

#[test]
fn a_header_outlives_a_damaged_length_of_its_event() {
    for length in [0x7A00_u16, u16::MAX] {
        outlives("length of the event", 72 + 4, &length.to_le_bytes());
    }
}

/// The first pass takes the header event, and not the first one that can be read, for the header.
#[test]
fn an_event_behind_a_damaged_header_event_counts_for_the_times_of_a_trace() {
    let header = LogfileHeader::default();
    let event = ClassicEvent::new(PointerSize::Eight, GUID, 1).at(header.after(60 * SECOND)).by(9, 9);
    let mut bytes = TraceBuilder::new(header).header_buffer(|buffer| buffer.event(event)).build().bytes;
    let times = |bytes: &[u8]| {
        let trace = opened([bytes.to_vec()]);
        let counts = trace.counts(FileId::FIRST).unwrap();
        (counts.first_time, counts.last_time)
    };
    let whole = times(&bytes);
    bytes[72 + 4..72 + 6].copy_from_slice(&0x7A00_u16.to_le_bytes());
    assert_eq!((times(&bytes), whole.0.is_some()), (whole, true));
}

/// Damages a trace at an offset; its copy must have the same header and events.
fn outlives(what: &str, at: usize, damage: &[u8]) {
    let mut bytes = made(LogfileHeader::default(), &[1, 2]);
    bytes[at..at + damage.len()].copy_from_slice(damage);
    let trace = opened([bytes]);
    let copy = copied(&trace, &CopyOptions::default()).unwrap();
    let (old, new) = (&trace.files()[0].head, &copy.files()[0].head);
    assert!(!old.is_missing(), "{what} {damage:?}");
    assert_eq!(
        (old.clock, old.log.os_build, old.log.processors),
        (new.clock, new.log.os_build, new.log.processors),
        "{what} {damage:?}"
    );
    assert!(new.log.session.starts_with("etwkit-synth"), "{what} {damage:?}: {}", new.log.session);
    assert_eq!(difference(&trace, &copy, &Filter::default()), None, "{what} {damage:?}");
}

#[test]
fn the_processor_times_of_the_header_event_stay() {
    let mut bytes = made(LogfileHeader::default(), &[1, 2]);
    bytes[72 + 24..72 + 32].copy_from_slice(&[165, 0, 0, 0, 90, 0, 0, 0]);
    let copy = copied(&opened([bytes]), &CopyOptions::default()).unwrap();
    let mut events = copy.events();
    let times = events.next_raw().unwrap().and_then(|header| header.header().processor_times());
    assert_eq!(times, Some((165, 90)));
}

/// A trace may begin with events from before its session: rundowns, and what another session had in its buffers.
#[test]
fn the_note_is_not_later_than_the_events_behind_it() {
    let original = opened([made(LogfileHeader::default(), &[-2, -1, 3])]);
    let copy = copied(&original, &CopyOptions::default()).unwrap();
    assert_eq!([&original, &copy].map(|trace| trace.counts(FileId::FIRST).unwrap().time_inversions), [0, 0]);
    assert_eq!(
        (copy.start(), note_time(&copy)),
        (original.start(), original.counts(FileId::FIRST).unwrap().first_time)
    );
    let later = opened([made(LogfileHeader::default(), &[1, 3])]);
    let copy = copied(&later, &CopyOptions::default()).unwrap();
    assert_eq!(note_time(&copy), Some(later.files()[0].head.clock.zero()));
}

/// Returns the raw time of the note that a file is a copy.
fn note_time(copy: &Trace) -> Option<RawTime> {
    let mut events = copy.events();
    while let Some(event) = events.next_raw().unwrap() {
        if event.provider_guid() == PROVIDER {
            return Some(event.time());
        }
    }
    None
}

#[test]
fn losses_of_all_files_are_in_a_copy() {
    for header_event in [PointerSize::Eight, PointerSize::Four] {
        let lost =
            |events_lost, buffers_lost| LogfileHeader { header_event, events_lost, buffers_lost, ..<_>::default() };
        let trace = opened([made(lost(1, 0), &[1]), made(lost(777, 3), &[2]), made(lost(0, u32::MAX), &[3])]);
        let copy = copied(&trace, &CopyOptions::default()).unwrap();
        let log = &copy.files()[0].head.log;
        assert_eq!((log.events_lost, log.buffers_lost), (778, u32::MAX));
    }
}

#[test]
fn a_copy_of_a_copy_is_called_as_a_copy() {
    let trace = opened([made(LogfileHeader::default(), &[1])]);
    let copy = copied(&trace, &CopyOptions::default()).unwrap();
    let again = copied(&copy, &CopyOptions::default()).unwrap();
    let names = [&copy, &again].map(|trace| trace.files()[0].head.log.session.clone());
    assert_eq!(names, ["etwkit-synth (copy by etwkit)", "etwkit-synth (copy by etwkit)"]);
}

/// The header of a copy states its end in seconds after the start.
fn end(copy: &Trace) -> i64 {
    let log = &copy.files()[0].head.log;
    (log.end_time.0 - log.start_time.0) / SECOND
}

#[test]
fn a_file_that_states_no_end_ends_with_its_last_event() {
    let start = LogfileHeader::default().start_time;
    let until = |second: i64| LogfileHeader { end_time: start + second * SECOND, ..<_>::default() };
    let unknown = || LogfileHeader { end_time: 0, ..<_>::default() };
    let ends = [
        (made(until(1), &[0]), made(unknown(), &[1, 4]), 4),
        (made(until(9), &[0]), made(unknown(), &[1, 4]), 9),
        (made(unknown(), &[0]), made(unknown(), &[1, 4]), 4),
        (made(until(9), &[0]), made(until(5), &[1, 4]), 9),
    ];
    for (one, other, expected) in ends {
        for both in [[&one, &other], [&other, &one]] {
            let trace = opened(both.map(Clone::clone));
            assert_eq!(end(&copied(&trace, &CopyOptions::default()).unwrap()), expected);
        }
    }
}

#[test]
fn a_part_before_the_start_does_not_end_before_it() {
    let trace = opened([made(LogfileHeader::default(), &[-5, -2, 3])]);
    let filter = Filter::default().time(TimeRange::default().until_offset(Duration::ZERO));
    assert_eq!(end(&copied(&trace, &CopyOptions::default().filter(filter, "")).unwrap()), 0);
}

/// Two files of one clock, where the first one that is given starts ten seconds later.
#[test]
fn a_copy_starts_with_the_file_that_starts_first() {
    let early = LogfileHeader::default();
    let mut late = early.clone();
    (late.t0, late.start_time) = (early.t0 + 10 * SECOND, early.start_time + 10 * SECOND);
    let trace = opened([made(late, &[1, 2]), made(early, &[1, 2, 12])]);
    let copy = copied(&trace, &CopyOptions::default()).unwrap();
    assert_eq!(copy.start(), trace.start());
    let time = TimeRange::default().since_offset(Duration::from_secs(0)).until_offset(Duration::from_secs(3));
    let filter = Filter::default().time(time);
    assert_eq!((lines(&trace, &filter).len(), lines(&copy, &filter).len()), (2, 2));
}

#[test]
fn parts_of_a_window_count_from_the_start_of_the_session() {
    let trace = opened([made(LogfileHeader::default(), &[55, 61, 72, 89, 95])]);
    let time = TimeRange::default().since_offset(Duration::from_secs(60)).until_offset(Duration::from_secs(90));
    let options = CopyOptions::default().filter(Filter::default().time(time), "");
    let parts = Parts::new(&trace, &options, Split::Time(Duration::from_secs(10))).unwrap();
    let counts: Vec<usize> = parts.list.iter().map(|part| lines(&trace, &part.filter).len()).collect();
    assert_eq!(counts.iter().sum::<usize>(), 3, "{counts:?}");
    assert_eq!(counts.get(..3), Some(&[1, 1, 1][..]), "{counts:?}");
    let start = trace.start().unwrap();
    assert_eq!(parts.list[1].filter.time.since, Some(FileTime(start.0 + 70 * SECOND)));
}
