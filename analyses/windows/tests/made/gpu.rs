//! Work of graphics processors.

use etwkit::trace::{Filter, RunOptions, Trace};
use etwkit_analysis::{Analysis, rows};
use etwkit_synth::{ModernEvent, Payload};
use etwkit_windows_analyses::{GpuByEngine, GpuEach, VSyncByAdapter};

use super::{DXGKRNL, PID, cut, event, found, is_near, trace};

const ADAPTER: u64 = 0xffff_a000;
const DEVICE: u64 = 0xd1;
/// Contexts of the engines 0 and 1, and one that no event describes.
const DRAWING: u64 = 0xc1;
const COPYING: u64 = 0xc2;
const UNKNOWN: u64 = 0xc9;

/// An event that a thread of another process writes.
fn by_other(id: (u16, u8), at: i64, payload: Payload) -> ModernEvent {
    event(DXGKRNL, id, at, 12, payload).by(8, 12)
}

fn machine() -> [ModernEvent; 6] {
    let ids = Payload::new().u64(ADAPTER).u32(0).u32(0).u32(1).u32(1).u32(5).u32(0x10de).u32(0x1c03);
    let device = Payload::new().u64(PID.into()).u64(ADAPTER).u32(1).u64(DEVICE).u8(0).u8(0).u32(7);
    let node = |node: u32, name: &str| Payload::new().u64(ADAPTER).u32(node).u32(0).utf16z(name);
    let context = |context: u64, node: u32| {
        let head = Payload::new().u64(DEVICE).u32(node).u32(1).zeros(5 * 4).u32(0);
        by_other((32, 0), 30, head.u64(context).u64(1).u64(1))
    };
    [
        by_other((110, 1), 10, ids.u32(1).u32(1).u32(0).u64(1)),
        by_other((250, 0), 11, node(0, "3D")),
        by_other((250, 0), 12, node(1, "Copy")),
        by_other((29, 1), 20, device),
        context(DRAWING, 0),
        context(COPYING, 1),
    ]
}

fn queued(at: i64, context: u64, sequence: u32, present: bool) -> ModernEvent {
    let head = Payload::new().u64(context).u32(0).u32(sequence).u64(4096).u32(0).u32(0).bool32(present);
    event(DXGKRNL, (178, 1), at, 8, head.u64(1).u64(2).u64(3))
}

fn submitted(at: i64, context: u64, sequence: u32) -> ModernEvent {
    by_other((175, 1), at, Payload::new().u64(context).u64(1).u32(0).u64(9).u32(sequence).u64(2).u32(0))
}

fn interrupted(at: i64, context: u64, sequence: u32) -> ModernEvent {
    let head = Payload::new().u64(context).u32(0).u64(9).u32(sequence).u32(1).u32(0);
    by_other((177, 1), at, head.u64(0).u32(0).u64(0))
}

fn stopped(at: i64, context: u64, sequence: u32, preempted: bool) -> ModernEvent {
    by_other((176, 0), at, Payload::new().u64(context).u32(0).u64(9).u32(sequence).bool32(preempted))
}

fn retired(at: i64, context: u64, sequence: u32) -> ModernEvent {
    let head = Payload::new().u64(context).u32(0).u32(sequence);
    by_other((180, 1), at, head.bool32(false).bool32(false).u64(2))
}

fn work() -> Trace {
    let packets = [
        queued(1_000, DRAWING, 1, false),
        queued(1_200, DRAWING, 2, true),
        submitted(1_500, DRAWING, 1),
        submitted(1_600, DRAWING, 2),
        // Its queue is not in the trace.
        submitted(2_000, COPYING, 1),
        interrupted(2_400, COPYING, 1),
        interrupted(3_500, DRAWING, 1),
        stopped(3_510, DRAWING, 1, false),
        retired(3_600, DRAWING, 1),
        interrupted(4_500, DRAWING, 2),
        retired(4_600, DRAWING, 2),
        queued(5_000, COPYING, 2, false),
        queued(6_000, DRAWING, 3, false),
        submitted(6_000, DRAWING, 3),
        stopped(6_500, DRAWING, 3, true),
        submitted(7_000, DRAWING, 3),
        stopped(7_200, DRAWING, 3, false),
        retired(7_300, DRAWING, 3),
        submitted(8_000, UNKNOWN, 1),
        interrupted(8_100, UNKNOWN, 1),
    ];
    trace(machine().into_iter().chain(packets))
}

#[test]
fn an_engine_does_one_packet_after_the_other() {
    let rows = found::<GpuByEngine>(&work());
    let [drawing, copying, unknown] = &rows[..] else { panic!("{rows:?}") };
    assert_eq!((drawing.pid, drawing.process.as_deref()), (Some(PID), Some("tool.exe")));
    assert_eq!((drawing.adapter.as_deref(), drawing.device.as_deref()), (Some("0xffffa000"), Some("10de:1c03")));
    assert_eq!((drawing.node, drawing.engine.as_deref()), (Some(0), Some("3D")));
    assert_eq!((drawing.packets, drawing.presents, drawing.submissions), (3, 1, 4));
    assert_eq!((drawing.preemptions, drawing.timeouts, drawing.open), (1, 0, 0));
    // The second packet runs when the first is done, at 3,500 us; the third one runs twice.
    let [busy, longest] = [drawing.busy_ms, drawing.busy_ms_max].map(Option::unwrap);
    assert!(is_near(busy, 2.0 + 1.0 + 0.5 + 0.2) && is_near(longest, 2.0), "{drawing:?}");
    assert!(is_near(drawing.wait_ms_sum.unwrap(), 0.5 + 2.3), "{drawing:?}");
    assert_eq!((copying.engine.as_deref(), copying.packets, copying.open), (Some("Copy"), 2, 1));
    // No packet of it has both a place in the queue and a time on the engine.
    assert!(is_near(copying.busy_ms.unwrap(), 0.4) && copying.wait_ms_sum.is_none(), "{copying:?}");
    assert_eq!((unknown.pid, unknown.node, unknown.packets), (None, None, 1));
    assert!(is_near(unknown.busy_ms.unwrap(), 0.1), "{unknown:?}");
}

#[test]
fn a_packet_that_was_preempted_is_submitted_again() {
    // Its queue is not in the trace.
    let packets = [
        submitted(1_000, COPYING, 1),
        stopped(1_500, COPYING, 1, true),
        submitted(2_000, COPYING, 1),
        stopped(2_200, COPYING, 1, false),
    ];
    let rows = found::<GpuByEngine>(&trace(machine().into_iter().chain(packets)));
    let [row] = &rows[..] else { panic!("{rows:?}") };
    assert_eq!((row.packets, row.submissions, row.preemptions, row.open), (1, 2, 1, 0));
    assert!(is_near(row.busy_ms.unwrap(), 0.7), "{row:?}");
}

#[test]
fn packets_that_never_ran_have_no_time() {
    let rows = found::<GpuByEngine>(&trace(machine().into_iter().chain([queued(1_000, DRAWING, 1, false)])));
    let [row] = &rows[..] else { panic!("{rows:?}") };
    assert_eq!((row.packets, row.open), (1, 1));
    assert_eq!([row.busy_ms, row.busy_ms_max, row.wait_ms_sum], [None; 3]);
}

#[test]
fn each_packet_has_its_times() {
    let rows = found::<GpuEach>(&work());
    let short: Vec<_> = rows.iter().map(|row| (&*row.context, row.sequence, row.present, row.preemptions)).collect();
    let expected = [
        ("0xc1", 1, false, 0),
        ("0xc1", 2, true, 0),
        ("0xc2", 1, false, 0),
        ("0xc2", 2, false, 0),
        ("0xc1", 3, false, 1),
        ("0xc9", 1, false, 0),
    ];
    assert_eq!(short, expected);
    let times = [
        [Some(0.5), Some(2.0), Some(2.6)],
        [Some(2.3), Some(1.0), Some(3.4)],
        [None, Some(0.4), Some(0.4)],
        [None, None, None],
        [Some(0.0), Some(0.7), Some(1.3)],
        [None, Some(0.1), Some(0.1)],
    ];
    for (row, expected) in rows.iter().zip(times) {
        let found = [row.wait_ms, row.busy_ms, row.elapsed_ms];
        let is_same = found.iter().zip(expected).all(|(a, b)| a.zip(b).map_or(*a == b, |(a, b)| is_near(a, b)));
        assert!(is_same, "{row:?} {expected:?}");
    }
}

#[test]
fn packets_are_in_the_window_of_their_begin() {
    let trace = work();
    let whole = found::<GpuEach>(&trace);
    for (us, count) in [(1_100, 1), (1_550, 2), (3_505, 3), (5_500, 4), (6_700, 5)] {
        let (before, after) = cut::<GpuEach>(&trace, us);
        assert_eq!(before.len(), count, "{us}");
        assert_eq!([before, after].concat(), whole, "{us}");
    }
    // Who queues a packet is whose it is; other events are written by any running process.
    let of = |pid| rows::<GpuEach>(&trace, &RunOptions::default().filter(Filter::default().pids([pid]))).unwrap();
    assert_eq!((of(PID).len(), of(8).len()), (4, 0));
}

#[test]
fn without_packets_there_is_no_work() {
    let trace = trace(machine());
    assert!(!GpuByEngine::is_answerable(&trace) && GpuByEngine::is_answerable(&work()));
    assert_eq!(found::<GpuByEngine>(&trace), []);
}

#[test]
fn vertical_synchronizations_have_a_rate() {
    let vsync = |frame: u32| {
        let head = Payload::new().u64(ADAPTER).u32(0x10).u64(0).u32(2).u32(frame);
        by_other((17, 0), 100 + 10_000 * i64::from(frame), head.u64(0).u64(0).u32(0).u64(0))
    };
    let rows = found::<VSyncByAdapter>(&trace((0..11).map(vsync)));
    let [row] = &rows[..] else { panic!("{rows:?}") };
    assert_eq!((&*row.adapter, row.event, row.source, row.target), ("0xffffa000", "VSyncDPC", Some(2), Some(16)));
    assert_eq!((row.count, row.hz, row.interval_ms_p95), (11, Some(100.0), Some(10.0)));
}

#[test]
fn broken_payloads_are_no_trouble() {
    let ids = [17, 27, 29, 30, 32, 110, 175, 176, 177, 178, 180, 181, 250, 273];
    for (byte, len) in [(0, 0), (0xff, 3), (0xff, 64), (0, 64), (0xff, 200)] {
        for version in 0..4 {
            let trace = trace(ids.map(|id| by_other((id, version), 100, Payload::new().bytes(&vec![byte; len]))));
            found::<GpuByEngine>(&trace);
            found::<GpuEach>(&trace);
            found::<VSyncByAdapter>(&trace);
        }
    }
}
