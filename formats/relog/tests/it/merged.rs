//! Copies of one trace that become one again.

use std::io::Cursor;

use etwkit::FileId;
use etwkit::RawTime;
use etwkit::trace::{Filter, TimeRange};
use etwkit_relog::{CopyOptions, copy};
use etwkit_synth::event::{ClassicEvent, PointerSize};
use etwkit_synth::file::{Buffer, LogfileHeader, TraceBuilder, mode};
use etwkit_synth::guid::Guid;

use crate::copies::lines;
use crate::headers::opened;

/// The trace has an event twice, of one time and with the same bytes.
#[test]
fn events_that_a_trace_has_twice_are_twice_in_merged_parts() {
    let header = LogfileHeader::default();
    let event = |at: i64| ClassicEvent::new(PointerSize::Eight, Guid::new(7), 1).at(header.after(at)).by(9, 9);
    let buffer = Buffer::on(1).event(event(10)).event(event(10)).event(event(20)).event(event(20)).event(event(20));
    let trace = opened([TraceBuilder::new(header.clone()).buffer(buffer).build().bytes]);
    let part = |filter: Filter| {
        let options = CopyOptions::default().filter(filter, "");
        copy(&trace, &options, Cursor::new(Vec::new())).unwrap().0.into_inner()
    };
    let time = |at: i64| trace.clock(FileId::FIRST).unwrap().filetime(RawTime(header.after(at)));
    let until = part(Filter::default().time(TimeRange::default().until(time(10))));
    let whole = part(Filter::default());
    let merged = opened([until, whole]);
    let (out, copied) = copy(&merged, &CopyOptions::default(), Cursor::new(Vec::new())).unwrap();
    // Two events and the note, which is in both.
    assert_eq!(copied.repeated, 3);
    let merged = opened([out.into_inner()]);
    assert_eq!(lines(&merged, &Filter::default()), lines(&trace, &Filter::default()));
}

/// What is no copy, or a copy of something else, keeps all its events.
#[test]
fn files_of_other_origin_keep_all_events() {
    let header = LogfileHeader::default();
    let event = || ClassicEvent::new(PointerSize::Eight, Guid::new(7), 1).at(header.after(10)).by(9, 9);
    let bytes = TraceBuilder::new(header.clone()).buffer(Buffer::on(1).event(event())).build().bytes;
    let trace = opened([bytes.clone(), bytes]);
    let (_, copied) = copy(&trace, &CopyOptions::default(), Cursor::new(Vec::new())).unwrap();
    assert_eq!((copied.repeated, copied.wanted), (0, 2));
}

/// The header of the copy states how all events count CPU times: in ticks of what length, or in one number.
#[test]
fn files_that_count_cpu_times_otherwise_are_refused() {
    let made = |header: LogfileHeader| {
        let event = ClassicEvent::new(PointerSize::Eight, Guid::new(7), 1).at(header.after(10)).by(9, 9);
        TraceBuilder::new(header).buffer(Buffer::on(1).event(event)).build().bytes
    };
    let plain = LogfileHeader::default();
    let of_mode = |bits| LogfileHeader { mode: mode::SEQUENTIAL | bits, ..LogfileHeader::default() };
    let ticks = LogfileHeader { timer_resolution: 10_000, ..LogfileHeader::default() };
    for other in [of_mode(mode::PRIVATE), of_mode(mode::PRIVATE_IN_PROC), ticks] {
        for both in [[&plain, &other], [&other, &plain]] {
            let trace = opened(both.map(|header| made(header.clone())));
            let refused = copy(&trace, &CopyOptions::default(), Cursor::new(Vec::new())).unwrap_err().to_string();
            assert!(refused.contains("CPU times"), "{refused}");
        }
        assert!(copy(&opened([made(other.clone()), made(other)]), &<_>::default(), Cursor::new(Vec::new())).is_ok());
    }
}
