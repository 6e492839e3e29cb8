//! The time of spans is that of their tree.

use std::collections::BTreeMap;

use crate::forms::folded;
use etwkit::input::Input;
use etwkit::trace::{RunOptions, Trace};
use etwkit_profile::{Profile, ProfileOptions, Unit, span_time};
use etwkit_spans::{Keep, Span, SpanOptions, Spans, State, spans};
use etwkit_synth::event::{Event, ModernEvent};
use etwkit_synth::file::{Buffer, LogfileHeader, TraceBuilder};
use etwkit_synth::guid::Guid;
use etwkit_synth::payload::Payload;

use crate::sums::all_forms;

fn found(trace: &Trace) -> Spans {
    spans(trace, SpanOptions { keep: Keep::Tree, ..SpanOptions::default() }, &RunOptions::default()).unwrap()
}

fn of(trace: &Trace, spans: &Spans, unit: Unit) -> Profile {
    let profile = span_time(trace, spans, ProfileOptions { unit, has_timeline: true });
    all_forms(&profile);
    profile
}

/// The weights of folded lines by process and spans, without the threads.
fn by_path(lines: &str) -> BTreeMap<String, u64> {
    let mut found = BTreeMap::new();
    for line in lines.lines() {
        let (path, weight) = line.rsplit_once(' ').unwrap();
        let frames = path.split(';').filter(|frame| !frame.starts_with("thread ("));
        let path = frames.collect::<Vec<_>>().join(";");
        *found.entry(path).or_default() += (weight.parse::<f64>().unwrap() * 10_000.0).round() as u64;
    }
    found
}

fn check(trace: &Trace) -> (u64, u64) {
    let spans = found(trace);
    let time = of(trace, &spans, Unit::Time);
    let lines = folded(&time);
    let is_in_one_process =
        spans.list().iter().all(|span| span.parent.is_none_or(|id| spans.get(id).unwrap().process == span.process));
    let sum = |lines: &str| by_path(lines).values().sum::<u64>();
    assert_eq!(sum(&lines), sum(&spans.tree().folded()));
    if is_in_one_process {
        let tree: BTreeMap<String, u64> = by_path(&spans.tree().folded())
            .into_iter()
            .map(|(path, weight)| (path.replace("? (", "process ("), weight))
            .collect();
        assert_eq!(by_path(&lines), tree);
    }
    let states = |state| spans.list().iter().filter(|span| Span::state(span) == state).count() as u64;
    let count = of(trace, &spans, Unit::Samples);
    assert_eq!(count.total().weight, states(State::Complete));
    let quality = time.quality;
    assert_eq!(
        (quality.samples, quality.without_end, quality.without_start),
        (states(State::Complete), states(State::Open), states(State::Orphaned))
    );
    (count.total().weight, time.total().weight)
}

#[test]
fn spans_count_below_those_that_they_ran_in() {
    const DOTNET: Guid = Guid::new(0xe13c_0d23_ccbc_4e12_931b_d9cc_2eee_27e4);
    let header = LogfileHeader::default();
    // A suspension within a wait for a lock; another thread waits at the same time. One without a stop, one without a start.
    let event = |time: i64, id: u16, tid: u32, payload: Payload| {
        let event = ModernEvent::new(DOTNET).id(id).version(1).by(5200, tid).payload(payload);
        Event::from(event.at(header.after(time)))
    };
    let start = |time, tid| event(time, 81, tid, Payload::new().u8(0).u16(7));
    let stop = |time, tid| event(time, 91, tid, Payload::new().u8(0).u16(7).f64(1.0));
    let suspend = |time, id| {
        event(time, id, 1, if id == 9 { Payload::new().u32(1).u32(1).u16(7) } else { Payload::new().u16(7) })
    };
    let list = vec![
        start(1_000, 1),
        suspend(2_000, 9),
        suspend(5_000, 8),
        start(6_000, 2),
        stop(6_500, 2),
        stop(11_000, 1),
        start(12_000, 1),
        stop(13_000, 3),
    ];
    let file = TraceBuilder::new(header.clone()).buffer(Buffer::on(0).events(list)).build().bytes;
    let trace = Trace::open(Input::bytes("made", file), etwkit_parsers::standard()).unwrap();
    let lines = folded(&of(&trace, &found(&trace), Unit::Time));
    let expected = "\
process (5200);thread (1);Microsoft-Windows-DotNETRuntime/Contention 0.7
process (5200);thread (1);Microsoft-Windows-DotNETRuntime/Contention;Microsoft-Windows-DotNETRuntime/GC/SuspendEE 0.3
process (5200);thread (2);Microsoft-Windows-DotNETRuntime/Contention 0.05
";
    assert_eq!(lines, expected);
    assert_eq!(check(&trace), (3, 10_500));
}

#[test]
fn spans_of_a_real_trace_have_the_time_of_their_tree() {
    let Some(file) = etwkit_corpus::path("perfview/net.4.5.2.x64.etl") else { return };
    let trace = Trace::open(file, etwkit_parsers::standard()).unwrap();
    let complete: u64 = found(&trace).table().iter().map(|row| row.count).sum();
    assert!(complete > 1_000);
    assert_eq!(check(&trace).0, complete);
}

#[test]
fn a_slip_in_the_name_of_a_stop_makes_no_other_span() {
    const PRIVATE: Guid = Guid::new(0x763f_d754_7086_4dfe_95eb_c01a_46fa_f4ca);
    let header = LogfileHeader::default();
    let event = |time: i64, id: u16, opcode: u8| {
        let payload = Payload::new().u32(1).u32(2).u32(0).u32(0).utf16z("").utf16z("App").u16(7);
        let event = ModernEvent::new(PRIVATE).id(id).task(10).opcode(opcode).by(5200, 1).payload(payload);
        Event::from(event.at(header.after(time)))
    };
    // `LoopupAndProbingPhaseStart` and `LookupAndProbingPhaseStop`, `LoaderDeliverEventPhaseStart` and
    // `LoaderDeliverEventsPhaseStop`, and a download that is not ended.
    let list = vec![
        event(1_000, 163, 55),
        event(2_000, 164, 56),
        event(3_000, 175, 67),
        event(7_000, 176, 68),
        event(8_000, 169, 61),
    ];
    let file = TraceBuilder::new(header.clone()).buffer(Buffer::on(0).events(list)).build().bytes;
    let trace = Trace::open(Input::bytes("made", file), etwkit_parsers::standard()).unwrap();
    let rows = found(&trace).table();
    let numbers: Vec<_> = rows.iter().map(|row| (&*row.task, row.count, row.open, row.orphaned, row.sum_ms)).collect();
    let expected = [
        ("Binding/LoaderDeliverEventPhase", 1, 0, 0, 0.4),
        ("Binding/LoopupAndProbingPhase", 1, 0, 0, 0.1),
        ("Binding/DownloadPhase", 0, 1, 0, 0.0),
    ];
    assert_eq!(numbers, expected);
}
