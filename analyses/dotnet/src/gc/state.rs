//! The suspensions and collections of one process.

use etwkit::FileTime;
use etwkit_analysis::Excess;

use crate::origin::milliseconds;

use super::cpu::{CollectionCpu, Cpu};
use super::fact::What;
use super::heap::HeapStats;
use super::history::HeapHistory;
use super::marks::{Marks, ROOTS};
use super::names::{BACKGROUND, PM_FULL};

/// A garbage collection.
#[derive(Clone, Debug)]
pub(super) struct Collection {
    /// Whether the filter chooses the event of its start.
    pub(super) is_chosen: bool,
    pub(super) number: u32,
    pub(super) generation: u32,
    pub(super) reason: u32,
    pub(super) kind: u32,
    pub(super) start: FileTime,
    pub(super) stop: Option<FileTime>,
    /// Milliseconds in which the program was suspended for it.
    pub(super) pause: f64,
    /// Milliseconds until the program was suspended.
    pub(super) suspend: Option<f64>,
    pub(super) stats: Option<HeapStats>,
    pub(super) history: Option<HeapHistory>,
    /// Bytes that were allocated since the collection before.
    pub(super) allocated: u64,
    /// Milliseconds of marking by kind of roots.
    pub(super) marks: [Option<f64>; ROOTS],
    /// Milliseconds from the statistics of the collection before until its pause began.
    since_last: Option<f64>,
    pub(super) cpu: CollectionCpu,
    /// Thread that suspended the program for it, which collects unless it is a background one.
    tid: u32,
    /// When its pause began.
    pub(super) pause_start: FileTime,
    /// Whether the suspension in which it began is over.
    is_restarted: bool,
}

impl Collection {
    /// Returns whether all its events were there: only these count.
    pub(super) fn is_complete(&self) -> bool {
        self.is_restarted && self.stats.is_some()
    }

    /// Returns its pause as a share of the time since the collection before, in per cent.
    pub(super) fn pause_percent(&self) -> Option<f64> {
        let all = self.pause + self.since_last?;
        (all > 0.0).then(|| self.pause * 100.0 / all)
    }

    /// Returns the megabytes (10^6 bytes) that were allocated a second since the collection before.
    #[expect(clippy::cast_precision_loss, reason = "bytes of a process are below 2^53")]
    pub(super) fn allocation_rate(&self) -> Option<f64> {
        let since = self.since_last.filter(|since| *since > 0.0)?;
        Some(self.allocated as f64 / 1e6 * 1000.0 / since)
    }
}

#[derive(Clone, Copy, Debug)]
struct Suspension {
    tid: u32,
    start: FileTime,
    stop: Option<FileTime>,
    /// The first of the collections that began in it.
    first: usize,
}

/// The collections of one process.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub(super) list: Vec<Collection>,
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

    /// Takes what an event of a thread says. The sample profiler suspends, too, on a thread of its own: only events of
    /// the thread that suspended count.
    pub(super) fn take(&mut self, what: &What, (tid, time): (u32, FileTime), is_chosen: bool) {
        let first = self.list.len();
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
            What::History(ref history) => match running(&mut self.list).map(|gc| &mut gc.history) {
                Some(Some(heaps)) => heaps.add(history),
                Some(none) => *none = Some(**history),
                None => {}
            },
            What::Marked { heap, root } => {
                if let Some(gc) = running(&mut self.list) {
                    if tid != gc.tid {
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
        let running = running(&mut self.list).map(|gc| {
            let is_blocking = gc.kind != BACKGROUND && !gc.is_restarted;
            (is_blocking.then_some(gc.tid), &mut gc.cpu)
        });
        self.cpu.sample(ms, (tid, is_chosen), running);
    }

    /// Begins a collection. Each one has two such events, and only one within a suspension counts.
    fn start(&mut self, (number, generation, reason, kind): (u32, u32, u32, u32), (time, is_chosen): (FileTime, bool)) {
        let Some(suspension) = self.suspension else { return };
        let is_known = self.list.iter().rev().take(NEAR).any(|gc| gc.number == number);
        if is_known || !self.excess.admits(self.list.len(), MOST) {
            return;
        }
        let pause_start = if reason == PM_FULL { time } else { suspension.start };
        if kind == BACKGROUND {
            // A collection that prepares it in the same suspension.
            for gc in self.list.iter_mut().skip(suspension.first) {
                gc.pause_start = gc.start;
            }
        }
        let suspend = suspension.stop.map(|stop| milliseconds(suspension.start, stop));
        let allocated = self.allocated_all.saturating_sub(self.allocated_before);
        self.allocated_before = self.allocated_all;
        self.marks.clear();
        self.list.push(Collection {
            is_chosen,
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
            since_last: self.last_stats.map(|last| milliseconds(last, pause_start)),
            cpu: self.cpu.begin(),
            tid: suspension.tid,
            pause_start,
            is_restarted: false,
        });
    }

    fn stop(&mut self, number: u32, time: FileTime) {
        let open = self.list.iter_mut().rev().take(NEAR).find(|gc| gc.number == number && gc.stop.is_none());
        if let Some(gc) = open {
            gc.stop = Some(time);
            self.cpu.end(&mut gc.cpu);
        }
    }

    fn stats(&mut self, stats: &HeapStats, time: FileTime) {
        let open = self.list.iter_mut().rev().take(NEAR).filter(|gc| gc.stats.is_none());
        // The one that stopped last; the statistics come after its end.
        if let Some(gc) = open.max_by_key(|gc| gc.stop) {
            gc.stats = Some(*stats);
            self.last_stats = Some(time);
            self.last = self.last.max(gc.is_chosen.then_some(time));
        }
    }

    /// Ends a suspension: its time is the pause of the collections that began in it, else of the background one.
    fn restarted(&mut self, tid: u32, time: FileTime) {
        let Some(suspension) = self.suspension.take_if(|suspension| suspension.tid == tid) else { return };
        let began = self.list.get_mut(suspension.first..).unwrap_or_default();
        if began.is_empty() {
            let background =
                self.list.iter_mut().rev().take(NEAR).find(|gc| gc.kind == BACKGROUND && gc.stop.is_none());
            let pause = milliseconds(suspension.start, time);
            if let Some(gc) = background {
                gc.pause += pause;
                self.last = self.last.max(gc.is_chosen.then_some(time));
            }
            return;
        }
        for gc in began {
            self.last = self.last.max(gc.is_chosen.then_some(time));
            gc.pause += milliseconds(gc.pause_start, time);
            gc.is_restarted = true;
        }
    }
}

/// Returns the collection that runs. A foreground one is newer than the background one that it interrupts.
fn running(list: &mut [Collection]) -> Option<&mut Collection> {
    list.iter_mut().rev().take(NEAR).find(|gc| gc.stop.is_none())
}

/// Collections that are looked at for an event: few are open at once.
const NEAR: usize = 8;
