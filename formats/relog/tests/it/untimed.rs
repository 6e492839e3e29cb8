//! Messages without a time stamp take that of a neighbour in their buffer; a copy has other neighbours.

use std::io::{Cursor, ErrorKind};

use etwkit::trace::{Filter, Trace};
use etwkit::{Input, RawTime};
use etwkit_relog::{CopyOptions, EventBytes, LogWriter, Parts, Split, WriteOptions};
use etwkit_synth::event::{ClassicEvent, ErrorEvent, MessageEvent, PointerSize, option};
use etwkit_synth::file::{Buffer, LogfileHeader, TraceBuilder};
use etwkit_synth::guid::Guid;

use crate::copies::{copied, parsers};
use crate::headers::opened;

const GUID: Guid = Guid::new(0x1234_5678_0000_0000_0000_0000_0000_0001);
const MESSAGE_PID: u32 = 4;

#[test]
fn a_message_keeps_its_time_where_damage_took_the_events_before_it() {
    let header = LogfileHeader::default();
    let buffer = Buffer::on(1).event(timed(&header, 10)).event(untimed()).event(timed(&header, 30));
    let made = TraceBuilder::new(header).buffer(buffer).build();
    let first = usize::try_from(made.expected.events[1].position.unwrap()).unwrap();
    check(&made.zeroed(first..first + 4).bytes, &Filter::default());
}

#[test]
fn a_message_keeps_its_time_where_the_filter_drops_the_event_behind_it() {
    let header = LogfileHeader::default();
    let first = Buffer::on(1).event(timed(&header, 10));
    let second = Buffer::on(1).event(untimed()).event(timed(&header, 30)).event(timed(&header, 40));
    let made = TraceBuilder::new(header).buffer(first).buffer(second).build();
    check(&made.bytes, &Filter::default().pids([MESSAGE_PID]));
}

/// The header of the file has a time, and is not copied as an event.
#[test]
fn a_message_keeps_the_time_of_the_header_of_the_file() {
    let header = LogfileHeader::default();
    for (first, cpu) in [(30, 1), (-30, 0)] {
        let made = TraceBuilder::new(header.clone()).header_buffer(|buffer| buffer.event(untimed()));
        let made = made.buffer(Buffer::on(cpu).event(timed(&header, first)).event(timed(&header, 60))).build();
        let trace = opened([made.bytes.clone()]);
        assert_eq!(times_of_messages(&trace), [RawTime(header.t0)]);
        check(&made.bytes, &Filter::default());
        check(&made.bytes, &Filter::default().pids([MESSAGE_PID]));
        let copy = copied(&trace, &CopyOptions::default()).unwrap();
        check_copy_of(&copy);
    }
}

/// A copy of a copy has no more events than the copy.
fn check_copy_of(copy: &Trace) {
    let again = copied(copy, &CopyOptions::default()).unwrap();
    assert_eq!(times_of_messages(&again), times_of_messages(copy));
    assert_eq!(again.events_total(), copy.events_total() + 1, "one note more");
}

/// Only the length of its header is known.
#[test]
fn an_error_event_keeps_its_time_in_a_part_of_its_own() {
    let header = LogfileHeader::default();
    let buffer = Buffer::on(1).event(timed(&header, 10)).event(ErrorEvent::new()).event(timed(&header, 30));
    let trace = opened([TraceBuilder::new(header).buffer(buffer).build().bytes]);
    let parts = Parts::new(&trace, &CopyOptions::default(), Split::Provider).unwrap();
    let copies = parts.list.iter().map(|part| CopyOptions::default().filter(part.filter.clone(), ""));
    let times: Vec<_> = copies.flat_map(|options| times_of_messages(&copied(&trace, &options).unwrap())).collect();
    assert_eq!((times.len(), times), (1, times_of_messages(&trace)));
}

fn check(bytes: &[u8], filter: &Filter) {
    let trace = Trace::open(Input::bytes("made", bytes.to_vec()), parsers()).unwrap();
    let copy = copied(&trace, &CopyOptions::default().filter(filter.clone(), "")).unwrap();
    let times = times_of_messages(&trace);
    assert_eq!(times.len(), 1, "the message can be read");
    assert_eq!(times_of_messages(&copy), times);
}

fn timed(header: &LogfileHeader, ticks: i64) -> ClassicEvent {
    ClassicEvent::new(PointerSize::Eight, GUID, 1).at(header.after(ticks)).by(9, 9)
}

/// A message of [`MESSAGE_PID`].
fn untimed() -> MessageEvent {
    MessageEvent::new(GUID, 10).options(option::GUID | option::SYSTEM_INFO).by(MESSAGE_PID, 8)
}

fn times_of_messages(trace: &Trace) -> Vec<RawTime> {
    let mut times = Vec::new();
    let mut events = trace.events();
    while let Some(event) = events.next_raw().unwrap() {
        if !event.has_time() {
            times.push(event.time());
        }
    }
    times
}

/// Messages of 8,000 bytes that are more than a buffer of 16 MiB.
const COUNT: usize = 2_200;

/// As no event has a time, all messages have the time 0, and one buffer after the other continues that of its processor.
#[test]
fn messages_without_any_time_are_in_buffers_that_can_be_read() {
    let header = LogfileHeader::default();
    let buffers = (0..COUNT).map(|_| Buffer::on(1).event(untimed().payload([7; 8_000])));
    let trace = opened([TraceBuilder::new(header).buffers(buffers).build().bytes]);
    let of_no_time = |trace: &Trace| times_of_messages(trace).iter().filter(|time| time.0 == 0).count();
    assert_eq!(of_no_time(&trace), COUNT);
    for compress in [false, true] {
        let copy = copied(&trace, &CopyOptions::default().compress(compress)).unwrap();
        assert_eq!(of_no_time(&copy), COUNT);
        assert!(copy.problems().is_empty(), "{:?}", copy.problems());
    }
}

/// Nothing else gives the messages the time of the event.
#[test]
fn messages_of_one_event_that_no_buffer_holds_are_refused() {
    let mut writer = LogWriter::without_header(Cursor::new(Vec::new()), &WriteOptions::new("", 4_096)).unwrap();
    let bytes = vec![7; 32 << 10];
    let mut event = EventBytes::new(1, RawTime(10), &bytes);
    writer.event(&event).unwrap();
    event.has_time = false;
    let refused = (0..520).find_map(|_| writer.event(&event).err()).unwrap();
    assert_eq!(refused.kind(), ErrorKind::InvalidData);
}
