//! Garbage collections of traces that are made here. Times are written by hand.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

mod common;

use etwkit_dotnet_analyses::{GcByProcess, GcEach};
use etwkit_synth::{Event, LogfileHeader, Payload, PointerSize, SystemEvent, kernel};

use common::{found, is_near, only, runtime, trace};
use etwkit::trace::{Filter, RunOptions};
use etwkit_analysis::{Analysis, Row, Together, Value, Values};

#[test]
fn a_background_collection_pauses_twice() {
    let suspend = |ms, reason| runtime(ms, 1, (9, 1), Payload::new().u32(reason).u32(0).u16(7));
    let plain = |ms, id| runtime(ms, 1, (id, 1), Payload::new().u16(7));
    let stats = Payload::new().u64(1000).u64(10).u64(2000).u64(20).u64(3000).u64(30).u64(4000).u64(40);
    let trace = trace(vec![
        suspend(0, 1),
        plain(1, 8),
        runtime(2, 1, (1, 1), Payload::new().u32(1).u32(2).u32(0).u32(1).u16(7)),
        plain(4, 3),
        suspend(100, 6),
        plain(101, 8),
        plain(107, 3),
        runtime(120, 2, (2, 1), Payload::new().u32(1).u32(2).u16(7)),
        runtime(121, 2, (4, 1), stats.u64(5).u64(1).u32(3).u32(0).u32(50).u16(7)),
    ]);
    let row = only(found::<GcByProcess>(&trace));
    assert_eq!((row.gcs, row.background, row.heap_bytes_max, row.promoted_bytes), (1, 1, Some(10_000), 100));
    assert!(is_near(row.pause_ms_sum, 4.0 + 7.0));
    assert_eq!((row.pause_ms_mean, row.pause_ms_max), (Some(11.0), Some(11.0)));
    let each = only(found::<GcEach>(&trace));
    assert_eq!((each.gen2_bytes, each.loh_promoted_bytes, each.poh_bytes), (Some(3000), Some(40), None));
    assert_eq!((each.pinned_objects, each.gc_handles, each.finalization_bytes), (Some(3), Some(50), Some(5)));
}

#[test]
fn a_collection_that_begins_a_background_one_pauses_from_its_own_begin() {
    let suspend = |ms, reason| runtime(ms, 1, (9, 1), Payload::new().u32(reason).u32(0).u16(7));
    let start = |ms, number, generation, kind| {
        runtime(ms, 1, (1, 1), Payload::new().u32(number).u32(generation).u32(0).u32(kind).u16(7))
    };
    let stop = |ms, number, generation| runtime(ms, 1, (2, 1), Payload::new().u32(number).u32(generation).u16(7));
    let stats = |ms| {
        let sizes = (0..11).fold(Payload::new(), |stats, _| stats.u64(0));
        runtime(ms, 1, (4, 0), sizes.u32(0).u32(0).u16(7))
    };
    let restart = |ms| runtime(ms, 1, (3, 1), Payload::new().u16(7));
    for (background, young) in [(2, 3), (3, 2)] {
        let mut events = vec![suspend(0, 6), start(background, 1, 2, 1), start(young, 2, 1, 0)];
        events.extend([stop(6, 2, 1), stats(7), restart(10), stop(50, 1, 2), stats(51)]);
        let rows = found::<GcEach>(&trace(events));
        assert_eq!(rows.len(), 2, "{rows:?}");
        for row in rows {
            let pause = if row.number == 1 { 10.0 } else { 10.0 - young as f64 };
            assert!(is_near(row.pause_ms, pause), "{row:?}");
        }
    }
}

/// However many collections begin and end while it runs.
#[test]
fn a_background_collection_ends_after_many_others() {
    let suspend = |ms, reason| runtime(ms, 1, (9, 1), Payload::new().u32(reason).u32(0).u16(7));
    let restart = |ms| runtime(ms, 1, (3, 1), Payload::new().u16(7));
    let start = Payload::new().u32(1).u32(2).u32(0).u32(1).u16(7);
    let stats = (0..11).fold(Payload::new(), |stats, size| stats.u64(if size == 0 { 1000 } else { 0 }));
    for others in [1, 7, 8, 9, 40] {
        let mut events = vec![suspend(0, 1), runtime(1, 1, (1, 1), start.clone()), restart(2)];
        events.extend((0..others).flat_map(|number| collection(i64::from(number) * 20 + 20, number + 2)));
        events.extend([suspend(1000, 6), restart(1003)]);
        events.push(runtime(1010, 2, (2, 1), Payload::new().u32(1).u32(2).u16(7)));
        events.push(runtime(1011, 2, (4, 0), stats.clone().u32(0).u32(0).u16(7)));
        let trace = trace(events);
        let row = only(found::<GcByProcess>(&trace));
        assert_eq!((row.gcs, row.background, row.gen2), (u64::from(others) + 1, 1, 1), "{others}");
        assert_eq!(row.heap_bytes_max, Some(1000));
        let first = &found::<GcEach>(&trace)[0];
        assert_eq!((first.number, first.duration_ms), (1, Some(1009.0)));
        assert!(is_near(first.pause_ms, 2.0 + 3.0), "{first:?}");
    }
}

#[test]
fn the_rows_of_two_analyses_are_made_of_one_state() {
    let trace = trace((1..4).flat_map(|number| collection(i64::from(number) * 20, number)).collect());
    let mut both = Together::new(&trace);
    both.add_both::<GcByProcess>(&Filter::default()).unwrap();
    trace.run(&RunOptions::default(), &mut both).unwrap();
    let values = |rows: Vec<Vec<Value>>| Values { rows, excess: 0 };
    let by_process = found::<GcByProcess>(&trace).iter().map(Row::values).collect();
    let each: Vec<_> = found::<GcEach>(&trace).iter().map(Row::values).collect();
    assert_eq!(each.len(), 3);
    assert_eq!(format!("{:?}", both.finish()), format!("{:?}", [values(by_process), values(each)]));
}

#[test]
fn collections_that_are_over_are_kept() {
    let trace = trace((0..100).flat_map(|number| collection(i64::from(number) * 20, number)).collect());
    let row = only(found::<GcByProcess>(&trace));
    assert_eq!((row.gcs, row.gen0, row.pause_ms_max), (100, 100, Some(4.0)));
    assert!(is_near(row.pause_ms_sum, 400.0));
    let each = found::<GcEach>(&trace);
    assert_eq!(each.iter().map(|row| row.number).collect::<Vec<_>>(), (0..100).collect::<Vec<_>>());
    assert!(each.iter().all(|row| (row.pause_ms, row.duration_ms, row.suspend_ms) == (4.0, Some(2.0), None)));
}

/// A collection of generation 0 that pauses from its begin for 4 ms, and whose statistics come 5 ms after its begin.
fn collection(ms: i64, number: u32) -> [Event; 5] {
    let stats = (0..11).fold(Payload::new(), |stats, _| stats.u64(0)).u32(0).u32(0).u16(7);
    [
        runtime(ms, 1, (9, 1), Payload::new().u32(1).u32(0).u16(7)),
        runtime(ms + 1, 1, (1, 1), Payload::new().u32(number).u32(0).u32(0).u32(0).u16(7)),
        runtime(ms + 3, 1, (2, 1), Payload::new().u32(number).u32(0).u16(7)),
        runtime(ms + 4, 1, (3, 1), Payload::new().u16(7)),
        runtime(ms + 5, 1, (4, 0), stats),
    ]
}

#[test]
fn a_share_of_pauses_is_that_of_several_collections() {
    let one = only(found::<GcByProcess>(&trace(collection(10, 1).into())));
    // From the begin of its pause to its own end there is little but the pause.
    assert_eq!((one.gcs, one.pause_ms_sum, one.pause_percent), (1, 4.0, None));
    let two = only(found::<GcByProcess>(&trace(collection(10, 1).into_iter().chain(collection(30, 2)).collect())));
    // Until the statistics, which are after the last pause.
    assert!(is_near(two.pause_percent.unwrap(), 8.0 * 100.0 / 25.0), "{two:?}");
}

#[test]
fn what_no_collection_measured_is_absent() {
    let [suspended, started, ..] = collection(10, 1);
    let none = only(found::<GcByProcess>(&trace(vec![suspended, started])));
    assert_eq!((none.gcs, none.pause_ms_sum), (0, 0.0));
    assert_eq!((none.pause_ms_mean, none.pause_ms_max, none.heap_bytes_max), (None, None, None));
    // No event states when all threads were suspended.
    assert_eq!(only(found::<GcEach>(&trace(collection(10, 1).into()))).suspend_ms, None);
}

#[test]
fn generations_of_all_heaps_add_up() {
    let heap = |ms, index, sizes: [u64; 2]| {
        // Before: size, free list, free objects; after: the same; in, pinned and other survivors, budget.
        let [size, survivors] = sizes;
        let generation =
            Payload::new().u64(size).u64(100).u64(0).u64(500).u64(25).u64(25).u64(0).u64(1).u64(survivors).u64(0);
        let head = (0..6).fold(Payload::new().u16(7), |head, _| head.u64(0)).u32(0).u32(0).u32(0).u32(0).u32(0);
        let payload = head.u32(index).u64(0).u32(1).rest(generation.into_bytes());
        runtime(ms, 1, (204, 3), payload)
    };
    let trace = trace(vec![
        runtime(0, 1, (9, 1), Payload::new().u32(1).u32(0).u16(7)),
        runtime(1, 1, (1, 1), Payload::new().u32(1).u32(0).u32(0).u32(0).u16(7)),
        heap(2, 0, [1100, 399]),
        heap(3, 1, [3100, 799]),
        runtime(4, 1, (2, 1), Payload::new().u32(1).u32(0).u16(7)),
        runtime(5, 1, (4, 0), (0..11).fold(Payload::new(), |stats, _| stats.u64(0)).u32(0).u32(0).u16(7)),
        runtime(6, 1, (3, 1), Payload::new().u16(7)),
    ]);
    let row = only(found::<GcEach>(&trace));
    // 1200 of 4000 bytes; PerfView shows the mean of 40 % and 26 %.
    assert_eq!(
        (row.before_bytes, row.gen0_survival_percent, row.gen1_survival_percent),
        (Some(4200), Some(30.0), None)
    );
    assert_eq!((row.gen0_free_percent, row.gen1_free_percent), (Some(10.0), None));
}

/// Event of the kernel at a time in milliseconds.
fn system(ms: i64, event: SystemEvent) -> Event {
    event.at(LogfileHeader::default().after(ms * 10_000)).by(40, 0).into()
}

/// A thread of the process, which was there before the trace.
fn thread(tid: u32) -> Event {
    let ids = Payload::new().u32(40).u32(tid);
    let payload = (0..7).fold(ids, |payload, _| payload.u64(0)).u32(0).u32(0);
    system(0, SystemEvent::system(PointerSize::Eight, 0x0503).version(3).payload(payload))
}

fn sample(ms: i64, tid: u32) -> Event {
    system(ms, kernel::sampled_profile(PointerSize::Eight, 0x7ff6_1a00_1234, tid))
}

#[test]
fn cpu_time_of_collections_is_that_of_threads_that_collect() {
    let plain = |ms, tid, id| runtime(ms, tid, (id, 1), Payload::new().u16(7));
    let suspend = |ms, tid, reason| runtime(ms, tid, (9, 1), Payload::new().u32(reason).u32(0).u16(7));
    let start = |ms, tid, number: u32, kind| {
        runtime(ms, tid, (1, 1), Payload::new().u32(number).u32(2).u32(0).u32(kind).u16(7))
    };
    let stop = |ms, tid, number: u32| runtime(ms, tid, (2, 1), Payload::new().u32(number).u32(2).u16(7));
    let stats = |ms| runtime(ms, 1, (4, 0), (0..11).fold(Payload::new(), |stats, _| stats.u64(0)).u32(0).u32(0).u16(7));
    let mark = |ms, tid, heap: u32| runtime(ms, tid, (202, 0), Payload::new().u32(heap).u16(7).u32(0).u64(8));
    // Timer; new and old interval of 2 ms.
    let interval = Payload::new().u32(0).u32(20_000).u32(20_000);
    let interval = SystemEvent::perfinfo(PointerSize::Eight, 0x0f49).payload(interval);
    let trace = trace(vec![
        thread(1),
        thread(2),
        thread(3),
        system(0, interval),
        sample(1, 1),
        // Thread 1 suspends, and its heap and that of thread 2 mark; thread 3 runs native code meanwhile.
        suspend(2, 1, 1),
        start(3, 1, 1, 0),
        mark(4, 1, 0),
        mark(4, 2, 1),
        sample(5, 1),
        sample(5, 2),
        sample(5, 3),
        stop(6, 1, 1),
        stats(7),
        plain(8, 1, 3),
        sample(9, 1),
        sample(9, 2),
        // A background collection, for which thread 2 works while thread 1 runs its program.
        suspend(10, 1, 1),
        start(11, 1, 2, 1),
        plain(12, 1, 3),
        sample(13, 1),
        sample(13, 2),
        stop(14, 2, 2),
        stats(15),
    ]);
    let each = found::<GcEach>(&trace);
    let numbers: Vec<_> = each.iter().map(|row| (row.gc_cpu_ms, row.gc_cpu_percent)).collect();
    assert_eq!(numbers, [(Some(4.0), Some(50.0)), (Some(2.0), Some(25.0))]);
    let row = only(found::<GcByProcess>(&trace));
    // 3 of 8 samples.
    assert_eq!((row.gc_cpu_ms, row.gc_cpu_percent), (Some(6.0), Some(37.5)));
}

#[test]
fn samples_alone_are_no_collections() {
    let trace = trace(vec![thread(1), sample(1, 1)]);
    assert!(!GcByProcess::is_answerable(&trace) && !GcEach::is_answerable(&trace));
    assert!(found::<GcByProcess>(&trace).is_empty());
}
