//! Properties of slices, over schedules of a small simulated kernel and over facts in no order at all.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]

use std::collections::BTreeMap;

use etwkit::FileTime;
use etwkit_kernel_analyses::schedule::{
    Departure, NamedThread, ScheduleChange, ScheduleFact, Scheduler, Slice, SliceKind,
};
use proptest::prelude::*;

const PROCESSORS: u16 = 3;
const READY: u8 = 1;
const TERMINATED: u8 = 4;
const WAITING: u8 = 5;

fn named(tid: u32) -> NamedThread {
    NamedThread { tid, pid: Some(tid / 4 * 100) }
}

fn fact(time: i64, processor: u16, change: ScheduleChange) -> ScheduleFact {
    ScheduleFact { time: FileTime(time), machine: 0, processor, buffer: 0, tag: 0, change }
}

fn departure(state: u8) -> Departure {
    Departure { state, reason: 6, mode: Some(1) }
}

/// What the simulated kernel knows of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Doing {
    Running(u16),
    Ready,
    Waiting,
}

/// A kernel that schedules at random, and the time that each thread spent running, ready and waiting.
#[derive(Default)]
struct Kernel {
    now: i64,
    facts: Vec<ScheduleFact>,
    live: BTreeMap<u32, Doing>,
    on: BTreeMap<u16, u32>,
    truth: BTreeMap<u32, [u64; 3]>,
}

impl Kernel {
    fn pass(&mut self, units: i64) {
        self.now += units;
        for (tid, doing) in &self.live {
            let place = match doing {
                Doing::Running(_) => 0,
                Doing::Ready => 1,
                Doing::Waiting => 2,
            };
            self.truth.entry(*tid).or_default()[place] += units as u64;
        }
    }

    fn write(&mut self, processor: u16, change: ScheduleChange) {
        self.facts.push(fact(self.now, processor, change));
    }

    /// Runs the ready thread with the lowest id, or none, on a processor; the old thread leaves in a state.
    fn switch(&mut self, processor: u16, state: u8) {
        let old = self.on.remove(&processor).unwrap_or(0);
        if old != 0 {
            match state {
                TERMINATED => self.live.remove(&old),
                READY => self.live.insert(old, Doing::Ready),
                _ => self.live.insert(old, Doing::Waiting),
            };
        }
        let new = self.live.iter().find(|(_, doing)| **doing == Doing::Ready).map_or(0, |(tid, _)| *tid);
        if new != 0 {
            self.on.insert(processor, new);
            self.live.insert(new, Doing::Running(processor));
        }
        let change = ScheduleChange::Switch { new: named(new), old: named(old), departure: departure(state) };
        self.write(processor, change);
    }

    fn act(&mut self, processor: u16, tid: u32, action: u8) {
        match (action, self.live.get(&tid).copied()) {
            (0, None) => {
                self.live.insert(tid, Doing::Ready);
                self.write(processor, ScheduleChange::Start(named(tid)));
            }
            (1, Some(Doing::Waiting)) => {
                self.live.insert(tid, Doing::Ready);
                self.write(processor, ScheduleChange::Ready { thread: named(tid), is_dpc: false });
            }
            (2, Some(Doing::Running(processor))) => {
                self.write(processor, ScheduleChange::End(named(tid)));
                self.switch(processor, TERMINATED);
            }
            (3, _) => self.switch(processor, READY),
            _ => self.switch(processor, WAITING),
        }
    }
}

fn schedule(actions: &[(u8, u16, u32, u8)]) -> Kernel {
    let mut kernel = Kernel::default();
    kernel.write(0, ScheduleChange::Exists(named(9999)));
    for (units, processor, thread, action) in actions {
        kernel.pass(i64::from(*units));
        kernel.act(processor % PROCESSORS, 4 + thread * 4, *action);
    }
    kernel
}

fn slices(facts: &[ScheduleFact], lost: impl Fn(usize) -> bool) -> (Scheduler, Vec<Slice>) {
    let (mut scheduler, mut slices) = (Scheduler::default(), Vec::new());
    for (number, fact) in facts.iter().enumerate() {
        scheduler.take(fact, lost(number), &mut slices);
    }
    scheduler.finish(&mut slices);
    (scheduler, slices)
}

/// Asserts that slices cover a span without overlap.
fn assert_tiled(mut sorted: Vec<&Slice>, begin: FileTime, end: FileTime) {
    sorted.sort_by_key(|slice| (slice.start, slice.end));
    let mut at = begin;
    for slice in sorted {
        assert_eq!(slice.start, at, "{slice:?}");
        assert!(slice.start <= slice.end, "{slice:?}");
        at = slice.end;
    }
    assert_eq!(at, end);
}

fn assert_all_tiled(scheduler: &Scheduler, slices: &[Slice]) {
    let machines: std::collections::BTreeSet<u16> = slices.iter().map(|slice| slice.machine).collect();
    for machine in machines {
        let (begin, end) = scheduler.span(machine).unwrap();
        let of_machine = || slices.iter().filter(move |slice| slice.machine == machine);
        let mut processors: Vec<_> = of_machine().filter_map(|slice| slice.processor).collect();
        processors.sort_unstable();
        processors.dedup();
        for processor in processors {
            let own = of_machine().filter(|slice| slice.processor == Some(processor));
            assert_tiled(own.collect(), begin, end);
        }
    }
    for (number, thread) in (0..).zip(scheduler.threads()) {
        let own = slices.iter().filter(|slice| slice.thread.is_some_and(|id| id.0 == number));
        let end = thread.end.unwrap_or_else(|| scheduler.span(thread.machine).unwrap().1);
        assert_tiled(own.collect(), thread.start, end);
    }
}

fn sum(slices: &[Slice], is_counted: impl Fn(&Slice) -> bool) -> u64 {
    slices.iter().filter(|slice| is_counted(slice)).map(Slice::units).sum()
}

proptest! {
    #[test]
    fn slices_are_those_of_the_kernel(
        actions in prop::collection::vec((0_u8..50, 0..PROCESSORS, 0_u32..6, 0_u8..5), 0..200),
    ) {
        let kernel = schedule(&actions);
        let (scheduler, slices) = slices(&kernel.facts, |_| false);
        assert_all_tiled(&scheduler, &slices);
        let mut found: BTreeMap<u32, [u64; 3]> = BTreeMap::new();
        for slice in &slices {
            let Some(thread) = slice.thread.map(|id| &scheduler.threads()[id.0 as usize]) else { continue };
            if thread.tid == 9999 {
                prop_assert_eq!(slice.kind, SliceKind::Unknown);
                continue;
            }
            let place = match slice.kind {
                SliceKind::Running => 0,
                SliceKind::Ready => 1,
                SliceKind::Waiting => 2,
                other => panic!("{other:?}: {slice:?}"),
            };
            found.entry(thread.tid).or_default()[place] += slice.units();
        }
        for (tid, truth) in &kernel.truth {
            prop_assert_eq!(found.get(tid).copied().unwrap_or_default(), *truth, "{}", tid);
        }
        // Of all that processors did, what threads ran is the rest without idle and unknown time.
        let by_processor = sum(&slices, |slice| slice.processor.is_some());
        let by_thread = sum(&slices, |slice| slice.kind == SliceKind::Running && slice.thread.is_some());
        let rest = sum(&slices, |slice| slice.processor.is_some() && slice.thread.is_none());
        prop_assert_eq!(by_processor, by_thread + rest);
    }

    #[test]
    fn slices_tile_time_where_facts_are_lost(
        actions in prop::collection::vec((0_u8..50, 0..PROCESSORS, 0_u32..6, 0_u8..5), 1..200),
        lost in 0_usize..200,
        count in 1_usize..20,
        is_stated in any::<bool>(),
    ) {
        let mut kernel = schedule(&actions);
        let from = lost.min(kernel.facts.len());
        let to = (from + count).min(kernel.facts.len());
        kernel.facts.drain(from..to);
        for fact in kernel.facts.iter_mut().skip(from) {
            fact.buffer = 1;
        }
        let (scheduler, slices) = slices(&kernel.facts, |number| is_stated && number >= from);
        assert_all_tiled(&scheduler, &slices);
    }

    #[test]
    fn facts_in_no_order_neither_panic_nor_make_negative_times(
        facts in prop::collection::vec(
            (any::<i64>(), 0_u16..2, 0_u16..3, 0_u32..4, (0_u32..5, 0_u32..5, 0_u8..8, 0_u8..5), any::<bool>()),
            0..100,
        ),
    ) {
        let facts: Vec<ScheduleFact> = facts
            .into_iter()
            .map(|(time, machine, processor, buffer, (a, b, state, what), is_dpc)| {
                let change = match what {
                    0 => ScheduleChange::Ready { thread: named(a), is_dpc },
                    1 => ScheduleChange::Start(named(a)),
                    2 => ScheduleChange::End(named(a)),
                    3 => ScheduleChange::Exists(named(a)),
                    _ => ScheduleChange::Switch { new: named(a), old: named(b), departure: departure(state) },
                };
                ScheduleFact { machine, buffer, ..fact(time, processor, change) }
            })
            .collect();
        let (scheduler, slices) = slices(&facts, |number| number % 3 == 0);
        assert_all_tiled(&scheduler, &slices);
    }
}

#[test]
fn a_wait_ends_with_the_last_ready_event_and_preemption_is_ready_time() {
    let switch =
        |new, old, state| ScheduleChange::Switch { new: named(new), old: named(old), departure: departure(state) };
    let ready = |tid, is_dpc| ScheduleChange::Ready { thread: named(tid), is_dpc };
    let facts = [
        fact(0, 0, switch(4, 0, READY)),
        fact(10, 0, switch(8, 4, WAITING)),
        fact(15, 0, ready(4, false)),
        fact(20, 0, ready(4, true)),
        fact(30, 0, switch(4, 8, READY)),
        fact(50, 0, switch(8, 4, TERMINATED)),
    ];
    let (scheduler, slices) = slices(&facts, |_| false);
    let of = |tid: u32| {
        let own = |slice: &&Slice| slice.thread.is_some_and(|id| scheduler.threads()[id.0 as usize].tid == tid);
        slices.iter().filter(own).map(|slice| (slice.kind, slice.start.0, slice.end.0)).collect::<Vec<_>>()
    };
    assert_eq!(
        of(4),
        [
            (SliceKind::Running, 0, 10),
            (SliceKind::Waiting, 10, 20),
            (SliceKind::Ready, 20, 30),
            (SliceKind::Running, 30, 50)
        ]
    );
    // Where it was before its first event is not known.
    assert_eq!(
        of(8),
        [
            (SliceKind::Unknown, 0, 10),
            (SliceKind::Running, 10, 30),
            (SliceKind::Ready, 30, 50),
            (SliceKind::Running, 50, 50)
        ]
    );
    let waited = slices.iter().find(|slice| slice.kind == SliceKind::Waiting).unwrap();
    let readied = waited.readied.unwrap();
    assert!(readied.is_dpc && readied.waker().is_none() && readied.by.is_some());
}
