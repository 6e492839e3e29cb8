//! Messages without a time stamp take that of a neighbour in their buffer; a copy has other neighbours.

use etwkit::trace::{Filter, Trace};
use etwkit::{Input, RawTime};
use etwkit_relog::CopyOptions;
use etwkit_synth::event::{ClassicEvent, MessageEvent, PointerSize, option};
use etwkit_synth::file::{Buffer, LogfileHeader, TraceBuilder};
use etwkit_synth::guid::Guid;

use crate::copies::{copied, parsers};

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
