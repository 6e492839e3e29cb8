//! How parts of stacks find their events and frames.

use super::owner::OwnerAt;
use super::*;
use crate::limits;
use crate::system::StateBudget;

fn of(tick: i64, tid: u32, cpu: u16) -> OwnerAt {
    OwnerAt { tick, tid, pid: 4, cpu }
}

fn frames(stacks: &Stacks, time: i64, tid: Option<u32>, cpu: u16) -> Option<(Vec<u64>, Option<MissingFrames>)> {
    let mut all = Vec::new();
    let parts = stacks.parts(stacks.at(time), tid, cpu)?;
    let (_, missing) = stacks.of_parts(parts, |frame| all.push(frame))?;
    Some((all, missing))
}

#[test]
fn parts_come_together_kernel_first() {
    let mut stacks = Stacks::default();
    stacks.add(of(10, 7, 0), StackPart::User, [3, 4].into_iter());
    stacks.add(of(10, 7, 0), StackPart::Kernel, [1, 2].into_iter());
    stacks.add(of(10, 8, 1), StackPart::Whole, [9].into_iter());
    stacks.freeze(&Threads::default());
    assert_eq!(frames(&stacks, 10, Some(7), 5), Some((vec![1, 2, 3, 4], None)));
    assert_eq!(frames(&stacks, 10, None, 1), Some((vec![9], None)));
    assert_eq!(frames(&stacks, 10, Some(9), 1), None);
    assert_eq!(frames(&stacks, 11, Some(7), 0), None);
}

#[test]
fn keys_are_defined_later_and_used_again() {
    let mut stacks = Stacks::default();
    stacks.add_key(of(10, 7, 0), StackPart::User, 0xabc, 11);
    stacks.define(20, 0xabc, [1].into_iter());
    stacks.add_key(of(30, 7, 0), StackPart::User, 0xabc, 31);
    stacks.define(40, 0xabc, [2].into_iter());
    stacks.add_key(of(50, 7, 0), StackPart::User, 0xdef, 51);
    stacks.freeze(&Threads::default());
    assert_eq!(frames(&stacks, 10, Some(7), 0), Some((vec![1], None)));
    assert_eq!(frames(&stacks, 30, Some(7), 0), Some((vec![2], None)));
    assert_eq!(frames(&stacks, 50, Some(7), 0), Some((vec![], Some(MissingFrames::NoDefinition))));
    assert_eq!(stacks.counts().undefined, 1);
}

#[test]
fn a_crowd_of_parts_of_one_thread_and_time_is_refused_and_counted() {
    let mut stacks = Stacks::default();
    for now in 0..1_000 {
        stacks.add_key(of(10, 7, 3), StackPart::Kernel, 0xabc + now % 2, now.cast_signed());
    }
    stacks.add(of(10, 9, 3), StackPart::Whole, [5].into_iter());
    (0..2).for_each(|key| stacks.define(2_000, 0xabc + key, key..key + 1_024));
    stacks.freeze(&Threads::default());
    for tid in [Some(7), None] {
        let (found, missing) = frames(&stacks, 10, tid, 3).unwrap();
        assert_eq!((found.len(), missing), (limits::MAX_LINKED * 1_024, Some(MissingFrames::TooMany)));
    }
    assert_eq!(frames(&stacks, 10, Some(9), 3), Some((vec![5], None)));
    assert_eq!(stacks.parts(stacks.at(10), Some(7), 3), Some(0..1_000));
    let counts = stacks.counts();
    assert_eq!((counts.parts, counts.refused), (1_001, 1_000 - limits::MAX_LINKED as u64));
}

#[test]
fn definitions_that_are_not_kept_are_counted() {
    let mut stacks = Stacks::default();
    stacks.define(10, 1, [1].into_iter());
    stacks.definitions.count = limits::MAX_STACKS;
    (20..30).for_each(|time| stacks.define(time, 1, [time.unsigned_abs()].into_iter()));
    for used in [5, 15, 40] {
        stacks.add_key(of(used, 7, 0), StackPart::Whole, 1, used);
    }
    stacks.freeze(&Threads::default());
    assert_eq!(frames(&stacks, 5, Some(7), 0), Some((vec![1], None)));
    assert_eq!(frames(&stacks, 15, Some(7), 0), Some((vec![], Some(MissingFrames::TooMany))));
    assert_eq!(frames(&stacks, 40, Some(7), 0), Some((vec![], Some(MissingFrames::TooMany))));
    assert_eq!((stacks.counts().refused_definitions, stacks.counts().refused), (10, 2));
    assert_eq!(stacks.definitions.by_key.get(&1).map(Vec::len), Some(2));
}

#[test]
fn definitions_and_times_are_searched_not_scanned() {
    // With a scan, each of 300,000 uses would go through as many definitions or parts: minutes.
    const MANY: i64 = 300_000;
    let mut stacks = Stacks::default();
    (0..MANY).for_each(|time| stacks.define(time, 1, [time.unsigned_abs() % 2].into_iter()));
    (0..MANY).for_each(|time| stacks.add_key(of(7, time as u32, time as u16), StackPart::Whole, 1, time));
    stacks.freeze(&Threads::default());
    let start = std::time::Instant::now();
    for used in 0..MANY {
        let (found, missing) = frames(&stacks, 7, Some(used as u32), 0).unwrap();
        assert_eq!((found, missing), (vec![used.unsigned_abs() % 2], None));
        assert_eq!(stacks.parts(stacks.at(7), None, used as u16).map(|parts| parts.len()), Some(1));
        assert_eq!(stacks.at(7).len(), MANY as usize);
    }
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[test]
fn the_parts_of_a_tick_are_found_however_many_there_are() {
    let counts = [1, 2, 0, 3, 4, 7, 8, 9, 0, 31, 33];
    let mut stacks = Stacks::default();
    for (tick, count) in (0..).zip(counts) {
        (0..count).for_each(|tid| stacks.add(of(tick, tid, 0), StackPart::Whole, [1].into_iter()));
    }
    stacks.freeze(&Threads::default());
    let mut start = 0;
    for (tick, count) in (0..).zip(counts) {
        assert_eq!(stacks.at(tick), start..start + count as usize, "{tick}");
        start += count as usize;
    }
    assert!(stacks.at(-1).is_empty() && stacks.at(11).is_empty());
}

#[test]
fn equal_stacks_are_kept_once() {
    let mut stacks = Stacks::default();
    (0..100).for_each(|time| stacks.add(of(time, 7, 0), StackPart::Whole, 0..time.unsigned_abs() % 3));
    stacks.freeze(&Threads::default());
    assert_eq!((stacks.counts().distinct, stacks.counts().parts), (3, 100));
    assert_eq!(frames(&stacks, 98, Some(7), 0), Some((vec![0, 1], None)));
}

/// Two sessions may write the same events.
#[test]
fn equal_parts_of_one_event_are_one() {
    let mut stacks = Stacks::default();
    for _ in 0..2 {
        stacks.add(of(10, 7, 0), StackPart::Kernel, [1, 2].into_iter());
        stacks.add(of(10, 7, 0), StackPart::User, [3].into_iter());
    }
    stacks.add(of(10, 7, 0), StackPart::User, [4].into_iter());
    stacks.freeze(&Threads::default());
    assert_eq!(frames(&stacks, 10, Some(7), 0), Some((vec![1, 2, 3, 4], None)));
}

/// A thread that runs on no processor but idles on each.
#[test]
fn stacks_of_thread_0_are_those_of_a_processor() {
    let mut stacks = Stacks::default();
    for cpu in [1, 0, 2] {
        stacks.add(OwnerAt { pid: 0, ..of(10, 0, cpu) }, StackPart::Kernel, [u64::from(cpu) + 100].into_iter());
    }
    stacks.freeze(&Threads::default());
    for cpu in 0..3 {
        assert_eq!(frames(&stacks, 10, Some(0), cpu), Some((vec![u64::from(cpu) + 100], None)));
        assert_eq!(frames(&stacks, 10, None, cpu), Some((vec![u64::from(cpu) + 100], None)));
    }
    assert_eq!(frames(&stacks, 10, Some(0), 3), None);
}

#[test]
fn a_user_half_completes_all_kernel_halves_since_the_thread_entered_the_kernel() {
    let of = |tick, tid| OwnerAt { pid: 80, ..of(tick, tid, 1) };
    let (mut stacks, mut threads, mut budget) = (Stacks::default(), Threads::default(), StateBudget::default());
    threads.start(0, 9, 80, &mut budget);
    threads.start(100, 9, 80, &mut budget);
    // Two stays in the kernel, the second one with another thread's events between; and one that never ends.
    for (tick, kernel) in [(10, 1), (20, 2), (50, 5), (60, 6), (90, 9)] {
        stacks.add(of(tick, 7), StackPart::Kernel, [kernel].into_iter());
    }
    stacks.add(of(20, 7), StackPart::User, [100].into_iter());
    stacks.add(of(55, 8), StackPart::Kernel, [8].into_iter());
    stacks.add(of(60, 7), StackPart::User, [200].into_iter());
    // This one's stay ended without a user half: at 65 the thread is outside of the kernel.
    stacks.add(of(65, 8), StackPart::User, [300].into_iter());
    stacks.add(of(70, 8), StackPart::Kernel, [9].into_iter());
    stacks.add(of(70, 8), StackPart::User, [400].into_iter());
    // A thread that had the id before, and a stack that is whole.
    stacks.add(of(80, 9), StackPart::Kernel, [11].into_iter());
    stacks.add(of(110, 9), StackPart::Kernel, [12].into_iter());
    stacks.add(of(120, 9), StackPart::Kernel, [13].into_iter());
    stacks.add(of(120, 9), StackPart::User, [500].into_iter());
    stacks.add(of(130, 9), StackPart::Kernel, [14].into_iter());
    stacks.add(of(140, 9), StackPart::Whole, [15, 600].into_iter());
    stacks.add(of(140, 9), StackPart::Kernel, [16].into_iter());
    stacks.freeze(&threads);
    let found = |tick, tid| frames(&stacks, tick, Some(tid), 1).unwrap().0;
    assert_eq!([10, 20, 50, 60].map(|tick| found(tick, 7)), [[1, 100], [2, 100], [5, 200], [6, 200]]);
    assert_eq!((found(90, 7), found(55, 8), found(70, 8)), (vec![9], vec![8], vec![9, 400]));
    assert_eq!([80, 110, 120].map(|tick| found(tick, 9)), [vec![11], vec![12, 500], vec![13, 500]]);
    assert_eq!(found(130, 9), [14]);
}
