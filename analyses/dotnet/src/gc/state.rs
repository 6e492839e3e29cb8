//! The suspensions and collections of one process.

use std::collections::VecDeque;

use etwkit::FileTime;
use etwkit_analysis::Excess;

use crate::origin::milliseconds;

use super::collection::Collection;
use super::collections::Collections;
use super::cpu::Cpu;
use super::fact::What;
use super::heap::HeapStats;
use super::marks::{Marks, ROOTS};
use super::names::{BACKGROUND, PM_FULL};
use super::sums::Sums;

/// A collection of which events may come.
#[derive(Clone, Debug)]
struct Recent {
    gc: Collection,
    /// Whether the filter chooses the event of its start.
    is_chosen: bool,
    /// Thread that suspended the program for it, which collects unless it is a background one.
    tid: u32,
    /// When its pause began.
    pause_start: FileTime,
    /// Whether the suspension in which it began is over.
    is_restarted: bool,
}

impl Recent {
    /// Returns whether all its events were there: only these count.
    const fn is_complete(&self) -> bool {
        self.is_restarted && self.gc.stats.is_some()
    }
}

#[derive(Clone, Copy, Debug)]
struct Suspension {
    tid: u32,
    start: FileTime,
    stop: Option<FileTime>,
    /// How many collections began before it.
    first: usize,
}

/// The collections of one process.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    /// Those of which no event can come, if they count.
    pub(super) over: Collections,
    pub(super) sums: Sums,
    recent: VecDeque<Recent>,
    /// How many are no longer among the recent ones.
    retired: usize,
    /// Whether it has events of a runtime that count.
    pub(super) is_managed: bool,
    pub(super) cpu: Cpu,
    /// Bytes of the ticks that count.
    pub(super) allocated: u64,
    /// Bytes of all ticks.
    allocated_all: u64,
    /// When the last statistics were written.
    last_stats: Option<FileTime>,
    /// When the last pause or the last statistics of a collection that counts were over.
    pub(super) last: Option<FileTime>,
    /// Bytes that were allocated until the last collection began.
    allocated_before: u64,
    marks: Marks,
    suspension: Option<Suspension>,
    excess: Excess,
}

/// Collections of a process that are kept.
const MOST: usize = 1 << 22;

impl State {
    /// Returns how many collections, and heaps and threads of collections, had no room.
    pub(super) const fn excess(&self) -> u64 {
        self.excess.count() + self.marks.excess() + self.cpu.excess()
    }

    /// Takes what an event of a thread states. The sample profiler suspends, too, on a thread of its own: only events
    /// of the thread that suspended count.
    pub(super) fn take(&mut self, what: &What, (tid, time): (u32, FileTime), is_chosen: bool) {
        let first = self.begun();
        self.is_managed |= is_chosen;
        match *what {
            What::Sample => {}
            What::Suspend => self.suspension = Some(Suspension { tid, start: time, stop: None, first }),
            What::Suspended => {
                let own = self.suspension.as_mut().filter(|suspension| suspension.tid == tid);
                if let Some(suspension) = own {
                    suspension.stop = Some(time);
                }
            }
            What::Restarted => self.restarted(tid, time),
            What::Start { number, generation, reason, kind } => {
                self.start((number, generation, reason, kind), (time, is_chosen));
            }
            What::Stop { number } => self.stop(number, time),
            What::HeapStats(ref stats) => self.stats(stats, time),
            What::History(ref history) => match running(&mut self.recent).map(|recent| &mut recent.gc.history) {
                Some(Some(heaps)) => heaps.add(history),
                Some(none) => *none = Some(**history),
                None => {}
            },
            What::Marked { heap, root } => {
                if let Some(Recent { gc, tid: own, .. }) = running(&mut self.recent) {
                    if tid != *own {
                        self.cpu.collector(tid);
                    }
                    self.marks.end((heap, root), (gc.start, time), &mut gc.marks);
                }
            }
            What::Allocated(bytes) => {
                self.allocated_all = self.allocated_all.saturating_add(bytes);
                self.allocated = self.allocated.saturating_add(if is_chosen { bytes } else { 0 });
            }
        }
    }

    /// Takes a sample of a thread, which stands for so many milliseconds.
    pub(super) fn sample(&mut self, ms: f64, tid: u32, is_chosen: bool) {
        let running = running(&mut self.recent).map(|recent| {
            let is_blocking = recent.gc.kind != BACKGROUND && !recent.is_restarted;
            (is_blocking.then_some(recent.tid), &mut recent.gc.cpu)
        });
        self.cpu.sample(ms, (tid, is_chosen), running);
    }

    /// Begins a collection. Each one has two such events, and only one within a suspension counts.
    fn start(&mut self, (number, generation, reason, kind): (u32, u32, u32, u32), (time, is_chosen): (FileTime, bool)) {
        let Some(suspension) = self.suspension else { return };
        let is_known = self.recent.iter().rev().take(NEAR).any(|recent| recent.gc.number == number);
        if is_known || !self.excess.admits(self.begun(), MOST) {
            return;
        }
        // A background collection begins with one of the youngest objects, in the same suspension. The pause of that
        // one is from its own begin, whichever of the two is stated first.
        let is_prepared = self.since(suspension.first).any(|recent| recent.gc.kind == BACKGROUND);
        let is_within = reason == PM_FULL || (is_prepared && kind != BACKGROUND);
        let pause_start = if is_within { time } else { suspension.start };
        if kind == BACKGROUND {
            for recent in self.since(suspension.first) {
                recent.pause_start = recent.gc.start;
            }
        }
        let suspend = suspension.stop.map(|stop| milliseconds(suspension.start, stop));
        let allocated = self.allocated_all.saturating_sub(self.allocated_before);
        self.allocated_before = self.allocated_all;
        self.marks.clear();
        let gc = Collection {
            number,
            generation,
            reason,
            kind,
            start: time,
            stop: None,
            pause: 0.0,
            suspend,
            stats: None,
            history: None,
            allocated,
            marks: [None; ROOTS],
            // The statistics of the one before may come within the suspension.
            since_last: self.last_stats.map(|last| milliseconds(last, pause_start)).filter(|ms| *ms >= 0.0),
            cpu: self.cpu.begin(),
        };
        let tid = suspension.tid;
        self.recent.push_back(Recent { gc, is_chosen, tid, pause_start, is_restarted: false });
        self.retire();
    }

    /// Returns how many collections began.
    fn begun(&self) -> usize {
        self.retired + self.recent.len()
    }

    /// Returns the collections that began after so many others; none of them is retired.
    fn since(&mut self, first: usize) -> impl Iterator<Item = &mut Recent> {
        self.recent.iter_mut().skip(first.saturating_sub(self.retired))
    }

    /// Retires collections of which no event can come: those of the suspension, and the last ones, stay.
    fn retire(&mut self) {
        let in_suspension = self.suspension.map_or(0, |suspension| self.begun() - suspension.first);
        self.keep(in_suspension.max(NEAR));
    }

    /// Retires all collections, after the last event.
    pub(super) fn end(&mut self) {
        self.keep(0);
    }

    /// Retires all but so many collections.
    fn keep(&mut self, most: usize) {
        while self.recent.len() > most {
            let Some(oldest) = self.recent.pop_front() else { return };
            self.retired += 1;
            if oldest.is_complete() && oldest.is_chosen {
                self.sums.add(&oldest.gc, oldest.pause_start);
                self.over.add(&oldest.gc);
            }
        }
    }

    fn stop(&mut self, number: u32, time: FileTime) {
        let mut near = self.recent.iter_mut().map(|recent| &mut recent.gc).rev().take(NEAR);
        let open = near.find(|gc| gc.number == number && gc.stop.is_none());
        if let Some(gc) = open {
            gc.stop = Some(time);
            self.cpu.end(&mut gc.cpu);
        }
    }

    fn stats(&mut self, stats: &HeapStats, time: FileTime) {
        let open = self.recent.iter_mut().rev().take(NEAR).filter(|recent| recent.gc.stats.is_none());
        // The one that stopped last; the statistics come after its end.
        if let Some(recent) = open.max_by_key(|recent| recent.gc.stop) {
            recent.gc.stats = Some(*stats);
            self.last_stats = Some(time);
            self.last = self.last.max(recent.is_chosen.then_some(time));
        }
    }

    /// Ends a suspension: its time is the pause of the collections that began in it, else of the background one.
    fn restarted(&mut self, tid: u32, time: FileTime) {
        let Some(suspension) = self.suspension.take_if(|suspension| suspension.tid == tid) else { return };
        if suspension.first >= self.begun() {
            let mut near = self.recent.iter_mut().rev().take(NEAR);
            let background = near.find(|recent| recent.gc.kind == BACKGROUND && recent.gc.stop.is_none());
            if let Some(recent) = background {
                recent.gc.pause += milliseconds(suspension.start, time);
                self.last = self.last.max(recent.is_chosen.then_some(time));
            }
            return;
        }
        let mut last = self.last;
        for recent in self.since(suspension.first) {
            last = last.max(recent.is_chosen.then_some(time));
            recent.gc.pause += milliseconds(recent.pause_start, time);
            recent.is_restarted = true;
        }
        self.last = last;
    }
}

/// Returns the collection that runs. A foreground one is newer than the background one that it interrupts.
fn running(recent: &mut VecDeque<Recent>) -> Option<&mut Recent> {
    recent.iter_mut().rev().take(NEAR).find(|recent| recent.gc.stop.is_none())
}

/// Collections that are looked at for an event: few are open at once.
const NEAR: usize = 8;
