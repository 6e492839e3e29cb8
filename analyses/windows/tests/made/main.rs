//! Analyses of traces that were made for the tests, because no real trace at hand has such events.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

mod windows;

mod boot;
mod gpu;
mod idle;

use std::fmt::Debug;

use etwkit::FileTime;
use etwkit::input::Input;
use etwkit::trace::{Filter, RunOptions, TimeRange, Trace};
use etwkit_analysis::{Analysis, rows};
use etwkit_synth::{Event, Guid, LogfileHeader, ModernEvent, Payload, PointerSize, TraceBuilder, kernel};
use etwkit_windows_analyses::{
    EventTypes, HttpByUrl, Machine, PresentByProcess, ProcessorPower, RpcByProcedure, RpcEach, Summary,
};

const RPC: Guid = Guid::new(0x6ad5_2b32_d609_4be9_ae07_ce8d_ae93_7e39);
const DXGKRNL: Guid = Guid::new(0x802e_c45a_1e99_4b83_9920_87c9_8277_ba9d);
const PROCESSOR_POWER: Guid = Guid::new(0x0f67_e49f_fe51_4e9f_b490_6f29_48cc_6027);
const PID: u32 = 400;

/// An event at microseconds after the begin of the trace, written by a thread.
fn event(provider: Guid, (id, version): (u16, u8), at: i64, tid: u32, payload: Payload) -> ModernEvent {
    let at = LogfileHeader::default().after(10 * at);
    ModernEvent::new(provider).id(id).version(version).at(at).by(PID, tid).payload(payload)
}

fn trace(events: impl IntoIterator<Item = ModernEvent>) -> Trace {
    trace_of(LogfileHeader::default(), events.into_iter().map(|event| (0, event.into())))
}

/// A trace of events on processors, with a process that ran before.
fn trace_of(header: LogfileHeader, events: impl IntoIterator<Item = (u16, Event)>) -> Trace {
    let process = kernel::process(PointerSize::Eight, 0x0303, PID, "tool.exe", "tool.exe").at(header.t0);
    let builder = TraceBuilder::new(header).log(0, process);
    let bytes = events.into_iter().fold(builder, |builder, (cpu, event)| builder.log(cpu, event)).build().bytes;
    Trace::open(Input::bytes("made", bytes), etwkit_parsers::standard()).unwrap()
}

fn found<A: Analysis<Row: PartialEq + Debug>>(trace: &Trace) -> Vec<A::Row> {
    let found = rows::<A>(trace, &RunOptions::default().threads(1)).unwrap();
    assert_eq!(rows::<A>(trace, &RunOptions::default().threads(2)).unwrap(), found);
    found
}

/// Returns the rows of what begins before a time, in microseconds, and of what begins after it.
fn cut<A: Analysis>(trace: &Trace, us: i64) -> (Vec<A::Row>, Vec<A::Row>) {
    let of = |time| rows::<A>(trace, &RunOptions::default().filter(Filter::default().time(time))).unwrap();
    let cut = FileTime(trace.start().unwrap().0 + 10 * us);
    (of(TimeRange::default().until(cut)), of(TimeRange::default().since(FileTime(cut.0 + 1))))
}

fn is_near(found: f64, expected: f64) -> bool {
    (found - expected).abs() < 1e-9
}

fn call(procedure: u32) -> Payload {
    let head = Payload::new().guid(Guid::new(7)).u32(procedure).u32(3).utf16z("");
    head.utf16z("lsapolicylookup").utf16z("").u32(6).u32(10).u32(3)
}

fn calls() -> Trace {
    let end = |status: u32| Payload::new().u32(status);
    let of = |activity: u128, event: ModernEvent| event.activity(Guid::new(activity));
    trace([
        of(1, event(RPC, (5, 1), 100, 8, call(2))),
        // The server serves the same activity.
        of(1, event(RPC, (6, 1), 110, 12, call(2))),
        of(2, event(RPC, (5, 1), 120, 16, call(2))),
        of(1, event(RPC, (8, 1), 150, 12, end(0))),
        // The end comes on another thread.
        of(1, event(RPC, (7, 1), 200, 20, end(0))),
        of(2, event(RPC, (7, 1), 1_120, 16, end(5))),
        // Without activity, of one thread: the last one ends first.
        event(RPC, (5, 1), 2_000, 8, call(3)),
        event(RPC, (5, 1), 2_100, 8, call(4)),
        event(RPC, (7, 1), 2_110, 8, end(0)),
        event(RPC, (7, 1), 2_500, 8, end(0)),
        event(RPC, (7, 1), 2_600, 8, end(0)),
        event(RPC, (5, 1), 3_000, 8, call(5)),
    ])
}

#[test]
fn calls_are_joined_with_their_ends() {
    let rows = found::<RpcByProcedure>(&calls());
    let short: Vec<_> = rows.iter().map(|row| (row.side, row.procedure, row.calls, row.failures, row.open)).collect();
    let expected = [
        ("client", 2, 2, 1, 0),
        ("client", 3, 1, 0, 0),
        ("server", 2, 1, 0, 0),
        ("client", 4, 1, 0, 0),
        ("client", 5, 1, 0, 1),
    ];
    assert_eq!(short, expected);
    let times = [1.1, 0.5, 0.04, 0.01];
    assert!(rows.iter().zip(times).all(|(row, time)| is_near(row.elapsed_ms_sum.unwrap(), time)), "{rows:?}");
    // The end of the last one is not in the trace.
    assert_eq!(rows.last().map(|row| (row.elapsed_ms_sum, row.elapsed_ms_max)), Some((None, None)));
    let first = rows.first().unwrap();
    assert_eq!((first.pid, first.process.as_deref()), (Some(PID), Some("tool.exe")));
    assert_eq!(first.interface, "00000000-0000-0000-0000-000000000007");
}

#[test]
fn each_call_has_its_begin() {
    let rows = found::<RpcEach>(&calls());
    let short: Vec<_> = rows.iter().map(|row| (row.procedure, row.tid, row.status)).collect();
    let expected = [
        (2, Some(8), Some(0)),
        (2, Some(12), Some(0)),
        (2, Some(16), Some(5)),
        (3, Some(8), Some(0)),
        (4, Some(8), Some(0)),
        (5, Some(8), None),
    ];
    assert_eq!(short, expected);
    assert!(rows.iter().all(|row| row.protocol == "ncalrpc" && row.endpoint == "lsapolicylookup"));
}

#[test]
fn calls_are_in_the_window_of_their_begin() {
    let trace = calls();
    let whole = found::<RpcEach>(&trace);
    for (us, count) in [(105, 1), (115, 2), (1_000, 3), (2_105, 5), (2_550, 5)] {
        let (before, after) = cut::<RpcEach>(&trace, us);
        assert_eq!(before.len(), count, "{us}");
        assert_eq!([before, after].concat(), whole, "{us}");
    }
}

#[test]
fn frames_have_intervals() {
    let present = |at: i64, status: u32| {
        let payload = Payload::new().u32(1).u64(2).u32(0).u32(1).u32(0).u32(status).u64(3).u64(4);
        event(DXGKRNL, (184, 1), at, 8, payload)
    };
    // Nineteen intervals of 10 ms and one of 40 ms.
    let mut events: Vec<_> = (0..20).map(|frame| present(100 + 10_000 * frame, 0)).collect();
    events.push(present(100 + 190_000 + 40_000, 0x8000_4005));
    let rows = found::<PresentByProcess>(&trace(events));
    let [tool] = &rows[..] else { panic!("{rows:?}") };
    assert_eq!((tool.pid, tool.presents, tool.failures), (Some(PID), 21, 1));
    let times = [tool.fps, tool.interval_ms_p50, tool.interval_ms_p95, tool.interval_ms_max];
    let expected = [20.0 / 0.23, 10.0, 10.0, 40.0];
    assert!(times.iter().zip(expected).all(|(time, expected)| is_near(time.unwrap(), expected)), "{tool:?}");
    let one = found::<PresentByProcess>(&trace([present(5, 0)]));
    assert_eq!((one.first().unwrap().fps, one.first().unwrap().interval_ms_p50), (None, None));
}

#[test]
fn frequencies_are_weighted_by_time() {
    let speed = |id: u16, at: i64, number: u8, mhz: u32| {
        event(PROCESSOR_POWER, (id, 0), at, 8, Payload::new().u32(0).u32(mhz).u16(0).u8(number))
    };
    let parked = |id: u16, at: i64| event(PROCESSOR_POWER, (id, 0), at, 8, Payload::new().u64(0).u16(0).u8(1));
    let trace = trace([
        speed(18, 1_000, 0, 1_000),
        speed(10, 4_000, 0, 3_000),
        parked(14, 4_500),
        parked(15, 4_750),
        parked(14, 4_900),
        speed(10, 5_000, 1, 800),
    ]);
    let rows = found::<ProcessorPower>(&trace);
    let [first, second] = &rows[..] else { panic!("{rows:?}") };
    assert_eq!((first.changes, first.mhz_min, first.mhz_max, first.parks), (1, Some(1_000), Some(3_000), 0));
    assert!(is_near(first.mhz_mean.unwrap(), (3.0 * 1_000.0 + 3_000.0) / 4.0), "{first:?}");
    assert_eq!((second.number, second.changes, second.mhz_mean, second.parks), (1, 1, Some(800.0), 2));
    assert!(is_near(second.parked_ms, 0.25 + 0.1), "{second:?}");
}

#[test]
fn a_core_is_parked_until_the_last_event_of_its_machine() {
    let file = |days: i64| {
        let usual = LogfileHeader::default();
        let [start_time, end_time, boot_time] =
            [usual.start_time, usual.end_time, usual.boot_time].map(|time| time + 864_000_000_000 * days);
        let header = LogfileHeader { start_time, end_time, boot_time, ..usual };
        let parked = |id: u16, ms: i64| {
            let payload = Payload::new().u64(0).u16(0).u8(1);
            ModernEvent::new(PROCESSOR_POWER).id(id).at(header.after(10_000 * ms)).by(PID, 8).payload(payload)
        };
        let speed = ModernEvent::new(PROCESSOR_POWER).id(10).at(header.after(250_000)).by(PID, 8);
        let speed = speed.payload(Payload::new().u32(0).u32(1_000).u16(0).u8(0));
        let events: [Event; 2] = [parked(14, 10).into(), speed.into()];
        let builder = TraceBuilder::new(header);
        events.into_iter().fold(builder, |builder, event| builder.log(0, event)).build().bytes
    };
    let inputs = [0, 6].map(|days| Input::bytes(format!("day {days}"), file(days)));
    let trace = Trace::open_all(inputs, etwkit_parsers::standard()).unwrap();
    assert_eq!(trace.systems().iter().count(), 2);
    let rows = found::<ProcessorPower>(&trace);
    let parked: Vec<f64> = rows.iter().filter(|row| row.parks > 0).map(|row| row.parked_ms).collect();
    assert!(parked.len() == 2 && parked.iter().all(|ms| is_near(*ms, 15.0)), "{parked:?}");
}

#[test]
fn broken_payloads_are_no_trouble() {
    for (byte, len) in [(0, 0), (0xff, 3), (0xff, 64), (0, 64), (0xff, 200)] {
        let payload = || Payload::new().bytes(&vec![byte; len]);
        let rpc = (5..9).map(|id| event(RPC, (id, 1), 100, 8, payload()));
        let power = [10, 14, 15, 18].map(|id| event(PROCESSOR_POWER, (id, 0), 110, 8, payload()));
        let trace = trace(rpc.chain(power).chain([event(DXGKRNL, (184, 1), 120, 8, payload())]));
        found::<RpcByProcedure>(&trace);
        found::<RpcEach>(&trace);
        found::<PresentByProcess>(&trace);
        found::<ProcessorPower>(&trace);
        found::<Machine>(&trace);
        found::<Summary>(&trace);
        found::<HttpByUrl>(&trace);
        assert_eq!(found::<EventTypes>(&trace).iter().map(|row| row.count).sum::<u64>(), 11);
    }
}

/// Returns the rate of the only row with a count of 2.
fn rate_of_two(trace: &Trace, filter: Filter) -> f64 {
    let rows = rows::<EventTypes>(trace, &RunOptions::default().filter(filter)).unwrap();
    let rates: Vec<f64> = rows.iter().filter(|row| row.count == 2).filter_map(|row| row.rate).collect();
    assert_eq!(rates.len(), 1, "{rows:?}");
    rates[0]
}

#[test]
fn the_event_of_a_copy_does_not_count_for_rates() {
    let second = 1_000_000;
    let of = |provider, at| event(provider, (5, 1), at, 8, Payload::new());
    let copy = Guid::new(etwkit_analysis::guids::ETWKIT.to_u128());
    let events = [of(copy, 0), of(RPC, second), of(RPC, 3 * second)];
    let builder = TraceBuilder::new(LogfileHeader::default());
    let bytes = events.into_iter().fold(builder, |builder, event| builder.log(0, event)).build().bytes;
    let trace = Trace::open(Input::bytes("made", bytes), etwkit_parsers::standard()).unwrap();
    assert!(is_near(rate_of_two(&trace, Filter::default()), 1.0));
}

#[test]
fn rates_are_over_the_time_that_was_chosen() {
    let second = 1_000_000;
    let of = |provider, at| event(provider, (5, 1), at, 8, Payload::new());
    let trace = trace([of(RPC, second), of(RPC, 2 * second), of(DXGKRNL, 4 * second)]);
    let of_rpc = || {
        Filter::default().provider_guids([etwkit::bytes::Guid::from_u128(0x6ad5_2b32_d609_4be9_ae07_ce8d_ae93_7e39)])
    };
    assert!(is_near(rate_of_two(&trace, of_rpc()), 2.0 / 4.0));
    let since = TimeRange::default().since(FileTime(trace.start().unwrap().0 + 10 * second));
    assert!(is_near(rate_of_two(&trace, of_rpc().time(since)), 2.0 / 3.0));
}
