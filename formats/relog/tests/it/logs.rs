//! Parts of performance logs.

use etwkit::FileId;
use etwkit::FileTime;
use etwkit::bytes::Guid as Class;
use etwkit::trace::{Filter, TimeRange, Trace};
use etwkit_relog::CopyOptions;
use etwkit_synth::Payload;
use etwkit_synth::event::{ClassicEvent, Event, PointerSize};
use etwkit_synth::file::{Buffer, LogfileHeader, TraceBuilder};
use etwkit_synth::guid::Guid;

use crate::copies::{copied, parsers};
use crate::headers::opened;

const CLASS: u128 = 0x933f_3bb3_943e_490d_9ced_3cbb_14c1_4479;
const LIST: u8 = 32;
const SAMPLE: u8 = 34;

/// Returns the opcode, and seconds after the start, of each event of performance logs.
fn events(trace: &Trace) -> Vec<(u8, i64)> {
    let (clock, start) = (trace.clock(FileId::FIRST).unwrap(), trace.start().unwrap());
    let (mut found, mut events) = (Vec::new(), trace.events());
    while let Some(event) = events.next_raw().unwrap() {
        if event.provider_guid() == Class::from_u128(CLASS) {
            found.push((event.opcode(), (clock.filetime(event.time()).unwrap().0 - start.0) / 10_000_000));
        }
    }
    found
}

fn window(trace: &Trace, from: i64, to: i64) -> Filter {
    let at = |seconds: i64| FileTime(trace.start().unwrap().0 + seconds * 10_000_000);
    Filter::default().time(TimeRange::default().since(at(from)).until(at(to)))
}

/// Two logs, each with a list of counters and a sample in each second.
#[test]
fn a_part_of_a_log_has_the_sample_before_it() {
    let header = LogfileHeader::default();
    let event = |log: u128, opcode: u8, seconds: i64| -> Event {
        let payload = Payload::new().guid(Guid::new(log)).zeros(16);
        let event = ClassicEvent::new(PointerSize::Eight, Guid::new(CLASS), opcode).payload(payload);
        event.at(header.after(seconds * 10_000_000)).by(9, 9).into()
    };
    let lists = [event(1, LIST, 0), event(2, LIST, 0)];
    let samples = (1..=5).flat_map(|second| [event(1, SAMPLE, second), event(2, SAMPLE, second)]);
    let buffer = Buffer::on(1).events(lists).events(samples);
    let trace = opened([TraceBuilder::new(header.clone()).buffer(buffer).build().bytes]);
    let copy = copied(&trace, &CopyOptions::default().filter(window(&trace, 3, 4), "")).unwrap();
    let expected = [(LIST, 0), (SAMPLE, 2), (SAMPLE, 3), (SAMPLE, 4)];
    assert_eq!(events(&copy), expected.into_iter().flat_map(|event| [event; 2]).collect::<Vec<_>>());
}

#[test]
fn a_part_of_a_real_log_is_smaller() {
    let Some(path) = etwkit_corpus::path("blg/CounterSamples.blg") else { return };
    let trace = Trace::open(path, parsers()).unwrap();
    let all = events(&trace);
    let samples: Vec<i64> = all.iter().filter(|(opcode, _)| *opcode == SAMPLE).map(|(_, at)| *at).collect();
    let (from, to) = (samples[10], samples[12]);
    let copy = copied(&trace, &CopyOptions::default().filter(window(&trace, from, to), "")).unwrap();
    let of_copy = events(&copy).into_iter().filter(|(opcode, _)| *opcode == SAMPLE);
    let of_copy: Vec<i64> = of_copy.map(|(_, at)| at).collect();
    assert!(of_copy.first().is_some_and(|first| *first < from), "{of_copy:?} of {samples:?}");
    assert!((2..=4).contains(&of_copy.len()), "{of_copy:?} of {samples:?}");
    assert!(events(&copy).iter().any(|(opcode, _)| *opcode == LIST));
}
