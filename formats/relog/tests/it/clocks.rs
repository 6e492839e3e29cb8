//! Files of one boot whose clocks differ, because somebody set the clock of the machine between their starts.

use std::io::Cursor;
use std::time::Duration;

use etwkit::FileId;
use etwkit::Trace;
use etwkit::trace::Order;
use etwkit_relog::{CopyOptions, Error, PROVIDER, Parts, Split, copy, time_shifts};
use etwkit_synth::event::{ClassicEvent, PointerSize};
use etwkit_synth::file::{Buffer, LogfileHeader, TraceBuilder};
use etwkit_synth::guid::Guid;

use crate::copies::copied;
use crate::headers::opened;

/// Ticks of the clock, and units of FILETIME, per second.
const SECOND: i64 = 10_000_000;
/// Events per second.
const RATE: i64 = 100;

/// A file with events from `start` on, in seconds of the counter, when the clock had been set by `set` seconds.
fn made(start: i64, set: i64) -> Vec<u8> {
    let mut header = LogfileHeader::default();
    let at = |number: i64| header.after((start * RATE + number) * SECOND / RATE);
    let event = |number: i64| ClassicEvent::new(PointerSize::Eight, Guid::new(7), 1).at(at(number)).by(9, 9);
    let buffer = |first: i64| (first..first + RATE).fold(Buffer::on(1), |buffer, at| buffer.event(event(at)));
    let buffers: Vec<Buffer> = (0..60).map(|second| buffer(second * RATE)).collect();
    header.t0 += start * SECOND;
    header.start_time += (start + set) * SECOND;
    header.boot_time += set * SECOND;
    TraceBuilder::new(header).buffers(buffers).build().bytes
}

/// The raw times of the events in the order of the file.
fn times(copy: &Trace) -> Vec<i64> {
    let (mut times, mut events) = (Vec::new(), copy.events_in(Order::File, &<_>::default()));
    while let Some(event) = events.next_raw().unwrap() {
        if !copy.is_log_header(&event) && event.provider_guid() != PROVIDER {
            times.push(event.time().0);
        }
    }
    times
}

#[test]
fn events_are_in_the_order_of_raw_time() {
    for (start, set) in [(30, 4), (30, -4), (70, 4), (70, -9), (0, 1)] {
        let trace = opened([made(0, 0), made(start, set)]);
        let copy = copied(&trace, &CopyOptions::default()).unwrap();
        let times = times(&copy);
        assert_eq!(times.len(), 2 * 60 * RATE as usize, "{start} {set}");
        assert!(times.is_sorted(), "{start} {set}");
        assert_eq!(copy.counts(FileId::FIRST).unwrap().time_inversions, 0);
    }
}

#[test]
fn shifts_say_how_times_change() {
    let trace = opened([made(30, 4), made(0, 0), made(40, -2)]);
    assert_eq!(time_shifts(&trace), [-4 * SECOND, 0, 2 * SECOND]);
    // By UTC the second one starts first.
    let trace = opened([made(0, 0), made(2, -5)]);
    assert_eq!(time_shifts(&trace), [0, 5 * SECOND]);
    let copy = copied(&trace, &CopyOptions::default()).unwrap();
    assert_eq!(copy.files()[0].head.clock.zero(), trace.files()[0].head.clock.zero());
}

#[test]
fn parts_have_the_size_or_length_that_was_asked_for() {
    for (start, set) in [(30, 4), (30, -4), (70, 4), (70, -9)] {
        let trace = opened([made(0, 0), made(start, set)]);
        let written = |split| {
            let parts = Parts::new(&trace, &CopyOptions::default(), split).unwrap().list;
            let copied = parts.into_iter().map(|part| {
                let options = CopyOptions::default().filter(part.filter, "since and until");
                copy(&trace, &options, Cursor::new(Vec::new())).unwrap().1
            });
            copied.collect::<Vec<_>>()
        };
        let (sizes, lengths) = (written(Split::Size(64 << 10)), written(Split::Time(Duration::from_secs(10))));
        assert!(sizes.len() > 9 && sizes.iter().all(|part| part.written.bytes <= 64 << 10), "{start} {set}: {sizes:?}");
        assert!(lengths.len() > 8, "{start} {set}: {lengths:?}");
        for parts in [sizes, lengths] {
            assert_eq!(parts.iter().map(|part| part.wanted).sum::<u64>(), 2 * 60 * RATE as u64, "{start} {set}");
        }
    }
}

/// A damaged time stamp makes a file the first one to start.
#[test]
fn files_that_the_clock_of_the_first_one_cannot_tell_are_refused() {
    let mut damaged = made(30, 0);
    // The time stamp of the header event.
    damaged[72 + 16..72 + 24].copy_from_slice(&i64::MIN.to_le_bytes());
    let trace = opened([made(0, 0), damaged]);
    let refused = copy(&trace, &CopyOptions::default(), Cursor::new(Vec::new()));
    assert!(matches!(refused, Err(Error::Refused { .. })), "{:?}", refused.map(|(_, copied)| copied));
}
