//! The suspensions and collections of one process.

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
use super::window::{Recent, Window};

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
    window: Window,
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
        let first = self.window.begun();
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
            What::History(ref history) => match self.window.running().map(|recent| &mut recent.gc.history) {
                Some(Some(heaps)) => heaps.add(history),
                Some(none) => *none = Some(**history),
                None => {}
            },
            What::Marked { heap, root } => {
                if let Some(Recent { gc, tid: own, .. }) = self.window.running() {
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
        let running = self.window.running().map(|recent| {
            let is_blocking = recent.gc.kind != BACKGROUND && !recent.is_restarted;
            (is_blocking.then_some(recent.tid), &mut recent.gc.cpu)
        });
        self.cpu.sample(ms, (tid, is_chosen), running);
    }

    /// Begins a collection. Each one has two such events, and only one within a suspension counts.
    fn start(&mut self, (number, generation, reason, kind): (u32, u32, u32, u32), (time, is_chosen): (FileTime, bool)) {
        let Some(suspension) = self.suspension else { return };
        let is_known = self.window.near().any(|recent| recent.gc.number == number);
        if is_known || !self.excess.admits(self.window.begun(), MOST) {
            return;
        }
        // A background collection begins with one of the youngest objects, in the same suspension. The pause of that
        // one is from its own begin, whichever of the two is stated first.
        let is_prepared = self.window.since(suspension.first).any(|recent| recent.gc.kind == BACKGROUND);
        let is_within = reason == PM_FULL || (is_prepared && kind != BACKGROUND);
        let pause_start = if is_within { time } else { suspension.start };
        if kind == BACKGROUND {
            for recent in self.window.since(suspension.first) {
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
        self.window.push(Recent { gc, is_chosen, tid, pause_start, is_restarted: false });
        while let Some(oldest) = self.window.retire(suspension.first) {
            self.keep(&oldest);
        }
    }

    /// Retires all collections, after the last event.
    pub(super) fn end(&mut self) {
        while let Some(oldest) = self.window.end() {
            self.keep(&oldest);
        }
    }

    /// Keeps a collection of which no event can come, if it counts.
    fn keep(&mut self, collection: &Recent) {
        if collection.is_complete() && collection.is_chosen {
            self.sums.add(&collection.gc, collection.pause_start);
            self.over.add(&collection.gc);
        }
    }

    fn stop(&mut self, number: u32, time: FileTime) {
        let mut near = self.window.near().map(|recent| &mut recent.gc);
        let open = near.find(|gc| gc.number == number && gc.stop.is_none());
        if let Some(gc) = open {
            gc.stop = Some(time);
            self.cpu.end(&mut gc.cpu);
        }
    }

    fn stats(&mut self, stats: &HeapStats, time: FileTime) {
        let open = self.window.near().filter(|recent| recent.gc.stats.is_none());
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
        if suspension.first >= self.window.begun() {
            let mut near = self.window.near();
            let background = near.find(|recent| recent.gc.kind == BACKGROUND && recent.gc.stop.is_none());
            if let Some(recent) = background {
                recent.gc.pause += milliseconds(suspension.start, time);
                self.last = self.last.max(recent.is_chosen.then_some(time));
            }
            return;
        }
        let mut last = self.last;
        for recent in self.window.since(suspension.first) {
            last = last.max(recent.is_chosen.then_some(time));
            recent.gc.pause += milliseconds(recent.pause_start, time);
            recent.is_restarted = true;
        }
        self.last = last;
    }
}
