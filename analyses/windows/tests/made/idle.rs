//! Idle states of processors.

use etwkit::trace::Trace;
use etwkit_synth::{Event, LogfileHeader, Payload, PointerSize, SystemEvent};
use etwkit_windows_analyses::IdleStates;

use super::{cut, found, is_near, trace_of};

fn power(hook: u16, at: i64, payload: Payload) -> Event {
    let at = LogfileHeader::default().after(10 * at);
    SystemEvent::system(PointerSize::Eight, hook).version(2).payload(payload).at(at).by(0, 0).into()
}

fn enter(at: i64, state: u32) -> Event {
    power(0x1239, at, Payload::new().u32(state).u16(0).u8(0).u8(0).u64(10_000))
}

fn exit(at: i64) -> Event {
    power(0x123a, at, Payload::new().u32(0).u32(0))
}

fn idle() -> Trace {
    let events = [
        (0, enter(1_000, 2)),
        (1, enter(1_000, 0)),
        // The exit before it was lost.
        (1, enter(2_000, 0)),
        (1, exit(2_500)),
        (1, exit(2_600)),
        (0, exit(3_000)),
        (0, enter(3_500, 1)),
        (0, exit(4_000)),
        (0, enter(5_000, 2)),
        (0, exit(6_000)),
    ];
    trace_of(LogfileHeader::default(), events)
}

#[test]
fn states_have_their_share() {
    let rows = found::<IdleStates>(&idle());
    let short: Vec<_> = rows.iter().map(|row| (row.cpu, row.state, row.entries, row.open)).collect();
    assert_eq!(short, [(0, 1, 1, 0), (0, 2, 2, 0), (1, 0, 2, 1)]);
    // The first processor is followed for 5 ms, the other one for 1.5 ms.
    let times = [(0.5, 10.0, 0.5, 0.5), (3.0, 60.0, 1.5, 2.0), (0.5, 100.0 / 3.0, 0.5, 0.5)];
    for (row, (idle, share, mean, longest)) in rows.iter().zip(times) {
        let found = [row.idle_ms, row.share, row.idle_ms_mean, row.idle_ms_max].map(Option::unwrap);
        let is_same = found.into_iter().zip([idle, share, mean, longest]).all(|(a, b)| is_near(a, b));
        assert!(is_same, "{row:?}");
    }
}

#[test]
fn entries_without_an_exit_have_no_time() {
    let events = [(0, enter(1_000, 2)), (0, exit(1_000)), (1, enter(1_000, 1)), (0, enter(2_000, 3)), (0, exit(2_500))];
    let rows = found::<IdleStates>(&trace_of(LogfileHeader::default(), events));
    let times: Vec<_> = rows.iter().map(|row| (row.open, row.idle_ms, row.share, row.idle_ms_max)).collect();
    // An exit at the time of its entry is a measure of 0.
    let measured = |ms, share| (0, Some(ms), Some(share), Some(ms));
    assert_eq!(times, [measured(0.0, 0.0), measured(0.5, 100.0 * 0.5 / 1.5), (1, None, None, None)]);
}

#[test]
fn idle_times_are_in_the_window_of_their_entry() {
    let sum = |rows: &[etwkit_windows_analyses::IdleRow]| rows.iter().filter_map(|row| row.idle_ms).sum::<f64>();
    let trace = idle();
    for (us, before) in [(1_500, 2.0), (2_300, 2.5), (3_700, 3.0), (5_500, 4.0)] {
        let (first, second) = cut::<IdleStates>(&trace, us);
        assert!(is_near(sum(&first), before) && is_near(sum(&second), 4.0 - before), "{us}");
    }
}
