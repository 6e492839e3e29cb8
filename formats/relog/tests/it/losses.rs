//! Losses that buffers of a trace state.

use std::io::Cursor;

use etwkit::FileId;
use etwkit::RawTime;
use etwkit::trace::{Filter, RunOptions, TimeRange, Trace};
use etwkit_analysis::rows;
use etwkit_kernel_analyses::CpuUsage;
use etwkit_relog::{CopyOptions, copy};
use etwkit_synth::event::{ClassicEvent, PointerSize};
use etwkit_synth::file::{Buffer, LogfileHeader, TraceBuilder, buffer_flag};
use etwkit_synth::guid::Guid;
use etwkit_synth::scheduling::{Leaves, context_switch};

use crate::copies::copied;
use crate::headers::opened;

const LOST: u16 = buffer_flag::EVENTS_LOST | buffer_flag::BUFFER_LOST;

/// Returns the flags that state losses of each buffer of a processor.
fn flags(trace: &Trace, processor: u16) -> Vec<u16> {
    // The first buffer has the header.
    trace.buffers().skip(1).filter(|buffer| buffer.processor == processor).map(|buffer| buffer.flags.0 & LOST).collect()
}

/// A thread leaves a processor long after it began to run there, but what was between is lost.
#[test]
fn time_beside_lost_events_is_unknown_in_copies() {
    let header = LogfileHeader::default();
    let switch = |ticks, new, old| {
        let event = context_switch(PointerSize::Eight, new, old, Leaves::waiting(0, 0));
        Buffer::on(0).event(event.at(header.after(ticks)))
    };
    let made = |flags| {
        let buffers = [switch(0, 9, 0), switch(50_000, 0, 9).flags(flags)];
        opened([TraceBuilder::new(header.clone()).buffers(buffers).build().bytes])
    };
    let usage = |trace: &Trace| format!("{:?}", rows::<CpuUsage>(trace, &RunOptions::default()).unwrap());
    let trace = made(buffer_flag::EVENTS_LOST);
    assert_ne!(usage(&trace), usage(&made(0)));
    for compress in [false, true] {
        let copy = copied(&trace, &CopyOptions::default().compress(compress)).unwrap();
        assert_eq!(usage(&copy), usage(&trace));
        assert_eq!(flags(&copy, 0), [0, buffer_flag::EVENTS_LOST]);
    }
}

/// Events of process 1 are copied; of the flagged buffers one has others, too, and one has only others.
#[test]
fn the_next_buffer_of_a_processor_states_the_losses_of_those_left_out() {
    let header = LogfileHeader::default();
    let event = |ticks: i64, pid: u32| {
        ClassicEvent::new(PointerSize::Eight, Guid::new(7), 1).at(header.after(ticks)).by(pid, 9)
    };
    let buffers = [
        Buffer::on(1).event(event(10, 1)),
        Buffer::on(2).event(event(11, 1)),
        Buffer::on(1).flags(buffer_flag::EVENTS_LOST).event(event(20, 2)).event(event(21, 1)),
        Buffer::on(1).flags(buffer_flag::BUFFER_LOST).event(event(30, 2)),
        Buffer::on(2).event(event(31, 1)),
        Buffer::on(1).event(event(40, 1)).event(event(41, 1)),
    ];
    let trace = opened([TraceBuilder::new(header.clone()).buffers(buffers).build().bytes]);
    let copy = copied(&trace, &CopyOptions::default().filter(Filter::default().pids([1]), "")).unwrap();
    assert_eq!(flags(&copy, 1), [0, buffer_flag::EVENTS_LOST, buffer_flag::BUFFER_LOST]);
    assert_eq!(flags(&copy, 2), [0]);
}

#[test]
fn a_buffer_without_a_readable_event_passes_its_losses_on() {
    let header = LogfileHeader::default();
    let event = |ticks: i64| ClassicEvent::new(PointerSize::Eight, Guid::new(7), 1).at(header.after(ticks)).by(9, 9);
    let lost = |ticks| Buffer::on(1).flags(buffer_flag::EVENTS_LOST).event(event(ticks));
    let buffers = [Buffer::on(1).event(event(10)), lost(20), Buffer::on(1).event(event(30))];
    let mut made = TraceBuilder::new(header.clone()).buffers(buffers).build();
    let start = usize::try_from(made.expected.events[2].position.unwrap()).unwrap();
    made.bytes[start..start + 48].fill(1);
    let trace = opened([made.bytes]);
    let copy = copied(&trace, &CopyOptions::default()).unwrap();
    assert_eq!((trace.events_total(), flags(&copy, 1)), (3, vec![0, buffer_flag::EVENTS_LOST]));
}

/// The second part states the loss before its first event, which is not where it was.
#[test]
fn parts_that_become_one_state_a_loss_once() {
    let header = LogfileHeader::default();
    let event = |ticks: i64| {
        let event = ClassicEvent::new(PointerSize::Eight, Guid::new(7), 1);
        event.at(header.after(ticks)).by(1, 9)
    };
    let after = Buffer::on(1).flags(buffer_flag::EVENTS_LOST).event(event(20)).event(event(30));
    let trace =
        opened([TraceBuilder::new(header.clone()).buffer(Buffer::on(1).event(event(10))).buffer(after).build().bytes]);
    let part = |time: TimeRange| {
        let options = CopyOptions::default().filter(Filter::default().time(time), "");
        copy(&trace, &options, Cursor::new(Vec::new())).unwrap().0.into_inner()
    };
    let at = |ticks: i64| trace.clock(FileId::FIRST).unwrap().filetime(RawTime(header.after(ticks)));
    let parts = [part(TimeRange::default().until(at(20))), part(TimeRange::default().since(at(30)))];
    let stated = parts.clone().map(|bytes| flags(&opened([bytes]), 1));
    assert_eq!(stated, [vec![0, buffer_flag::EVENTS_LOST], vec![buffer_flag::EVENTS_LOST]]);
    let whole = copied(&opened(parts), &CopyOptions::default()).unwrap();
    assert_eq!(flags(&whole, 1), [0, buffer_flag::EVENTS_LOST]);
}

/// The loss is where the trace is cut, and the part after it begins with the note that it is a copy.
#[test]
fn time_beside_lost_events_is_unknown_in_merged_parts() {
    let header = LogfileHeader::default();
    let switch = |ticks, new, old| {
        let event = context_switch(PointerSize::Eight, new, old, Leaves::waiting(0, 0));
        event.at(header.after(ticks))
    };
    let before = Buffer::on(0).event(switch(0, 9, 0)).event(switch(10_000, 8, 9));
    let after = Buffer::on(0).flags(buffer_flag::EVENTS_LOST).event(switch(50_000, 0, 8)).event(switch(51_000, 7, 0));
    let trace = opened([TraceBuilder::new(header.clone()).buffers([before, after]).build().bytes]);
    let usage = |trace: &Trace| format!("{:?}", rows::<CpuUsage>(trace, &RunOptions::default()).unwrap());
    let at = |ticks: i64| trace.clock(FileId::FIRST).unwrap().filetime(RawTime(header.after(ticks)));
    let part = |time: TimeRange| {
        let options = CopyOptions::default().filter(Filter::default().time(time), "");
        copy(&trace, &options, Cursor::new(Vec::new())).unwrap().0.into_inner()
    };
    let parts = || [part(TimeRange::default().until(at(49_000))), part(TimeRange::default().since(at(49_001)))];
    let whole = copied(&opened(parts()), &CopyOptions::default()).unwrap();
    assert_eq!(usage(&whole), usage(&trace));
    assert_eq!(flags(&whole, 0), [0, buffer_flag::EVENTS_LOST]);
}
