//! Compilations of traces that are made here. Times are written by hand.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

mod common;

use etwkit_dotnet_analyses::{JitByProcess, JitEach};
use etwkit_synth::{Event, Guid, Payload};

use common::{found, modern, only, runtime, trace};

const PRIVATE: Guid = Guid::new(0x763f_d754_7086_4dfe_95eb_c01a_46fa_f4ca);
/// Bits 7 to 9 of the flags of a method.
const QUICK: u32 = 3 << 7;
const TIER_1: u32 = 4 << 7;

fn started(ms: i64, tid: u32, method: u64) -> Event {
    let payload = Payload::new().u64(method).u64(1).u32(0x0600_0001).u32(100);
    runtime(ms, tid, (145, 1), payload.utf16z("App.Main").utf16z("Work").utf16z("void ()").u16(7))
}

fn allocated(ms: i64, tid: u32, (method, bytes): (u64, u64)) -> Event {
    runtime(ms, tid, (146, 0), Payload::new().u64(method).u64(1).u64(bytes).u64(0).u64(bytes).u32(0).u16(7))
}

fn loaded(ms: i64, tid: u32, (method, flags): (u64, u32)) -> Event {
    let payload = Payload::new().u64(method).u64(1).u64(0x7ff6_0000_0000).u32(50).u32(0x0600_0001).u32(8 | flags);
    let payload = payload.utf16z("App.Main").utf16z("Work").utf16z("void ()").u16(7).u64(0);
    runtime(ms, tid, (143, 2), payload)
}

fn multicore(ms: i64, tid: u32, what: &str) -> Event {
    modern(PRIVATE, ms, tid, (201, 0), Payload::new().u16(7).utf16z(what).utf16z("").i32(0).i32(0).i32(0))
}

#[test]
fn compilations_are_for_the_program_or_in_advance_or_tiered() {
    let trace = trace(vec![
        // The second method is compiled for the first one.
        started(0, 1, 1),
        started(2, 1, 2),
        allocated(3, 1, (2, 300)),
        loaded(5, 1, (2, QUICK)),
        allocated(6, 1, (1, 80)),
        loaded(9, 1, (1, QUICK)),
        multicore(10, 2, "PLAYERSTART"),
        multicore(11, 3, "JITTHREAD"),
        started(12, 3, 3),
        loaded(14, 3, (3, QUICK)),
        // The first compilation of a method whose code was in its image.
        started(20, 4, 4),
        loaded(27, 4, (4, TIER_1)),
        // A runtime that states no tiers.
        started(30, 1, 5),
        loaded(31, 1, (5, 0)),
        started(32, 4, 5),
        loaded(36, 4, (5, 0)),
        // Its start is not in the trace.
        loaded(40, 1, (6, QUICK)),
    ]);
    let row = only(found::<JitByProcess>(&trace));
    assert_eq!((row.methods, row.foreground, row.multicore, row.tiered), (7, 4, 1, 2));
    // With the 3 ms of the second method twice: in its own row, and in that of the first.
    assert_eq!(
        (row.foreground_ms, row.multicore_ms, row.tiered_ms),
        (Some(3.0 + 9.0 + 1.0), Some(2.0), Some(7.0 + 4.0))
    );
    assert_eq!((row.time_ms_sum, row.allocated_bytes), (26.0, Some(380)));
    let each = found::<JitEach>(&trace);
    let longest = each.first().unwrap();
    assert_eq!((longest.time_ms, longest.allocated_bytes, longest.tier), (Some(9.0), Some(80), Some("QuickJitted")));
    let kinds: Vec<_> = each.iter().map(|row| (row.kind, row.tier, row.il_bytes)).collect();
    assert_eq!(kinds.get(1), Some(&("tiered", Some("OptimizedTier1"), Some(100))));
    assert_eq!(kinds.get(2), Some(&("tiered", None, Some(100))));
    assert_eq!(each.last().unwrap().time_ms, None);
    assert_eq!(kinds.last(), Some(&("foreground", Some("QuickJitted"), None)));
}

#[test]
fn no_time_is_not_negative() {
    let trace = trace(vec![started(0, 1, 1), loaded(1, 1, (1, QUICK))]);
    let row = only(found::<JitByProcess>(&trace));
    assert!(row.tiered_ms.unwrap().is_sign_positive() && row.multicore_ms.unwrap().is_sign_positive());
}

#[test]
fn compilations_whose_start_is_not_there_have_no_time() {
    let row = only(found::<JitByProcess>(&trace(vec![loaded(1, 1, (1, QUICK))])));
    assert_eq!((row.methods, row.time_ms_sum, row.time_ms_max), (1, 0.0, None));
    // No method is tiered.
    assert_eq!((row.foreground_ms, row.tiered_ms, row.il_bytes), (None, Some(0.0), None));
}
