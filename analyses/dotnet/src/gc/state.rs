//! The suspensions and collections of one process.

use etwkit::FileTime;

use crate::origin::milliseconds;

use super::fact::What;

/// The type of a collection that runs beside the program.
const BACKGROUND: u32 = 1;
/// The type of a collection during a background one.
const FOREGROUND: u32 = 2;
/// The reason of a full blocking collection that provisional mode begins within the suspension of another one.
const PM_FULL: u32 = 12;

/// A garbage collection.
#[derive(Clone, Debug)]
pub(super) struct Collection {
    pub(super) number: u32,
    pub(super) generation: u32,
    pub(super) reason: u32,
    pub(super) kind: u32,
    pub(super) start: FileTime,
    pub(super) stop: Option<FileTime>,
    /// Milliseconds in which the program was suspended for it.
    pub(super) pause: f64,
    /// Milliseconds until the program was suspended.
    pub(super) suspend: f64,
    pub(super) heap: Option<u64>,
    pub(super) promoted: u64,
    /// When its pause began.
    pause_start: FileTime,
    /// Whether the suspension in which it began is over.
    is_restarted: bool,
}

impl Collection {
    /// Returns whether all its events were there: only these count.
    pub(super) fn is_complete(&self) -> bool {
        self.is_restarted && self.heap.is_some()
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
    pub(super) allocated: u64,
    suspension: Option<Suspension>,
}

/// Collections of a process that are kept.
const MOST: usize = 1 << 22;

impl State {
    /// Takes what an event of a thread says. The sample profiler suspends, too, on a thread of its own: only events of
    /// the thread that suspended count.
    pub(super) fn take(&mut self, what: &What, tid: u32, time: FileTime) {
        let first = self.list.len();
        match *what {
            What::Suspend => self.suspension = Some(Suspension { tid, start: time, stop: None, first }),
            What::Suspended => {
                let own = self.suspension.as_mut().filter(|suspension| suspension.tid == tid);
                if let Some(suspension) = own {
                    suspension.stop = Some(time);
                }
            }
            What::Restarted => self.restarted(tid, time),
            What::Start { number, generation, reason, kind } => self.start((number, generation, reason, kind), time),
            What::Stop { number } => {
                let open = self.list.iter_mut().rev().take(NEAR).find(|gc| gc.number == number && gc.stop.is_none());
                if let Some(gc) = open {
                    gc.stop = Some(time);
                }
            }
            What::HeapStats { heap, promoted } => {
                let open = self.list.iter_mut().rev().take(NEAR).filter(|gc| gc.heap.is_none());
                // The one that stopped last; the statistics come after its end.
                if let Some(gc) = open.max_by_key(|gc| gc.stop) {
                    (gc.heap, gc.promoted) = (Some(heap), promoted);
                }
            }
            What::Allocated(bytes) => self.allocated = self.allocated.saturating_add(bytes),
        }
    }

    /// Begins a collection. Each one has two such events, and only one within a suspension counts.
    fn start(&mut self, (number, generation, reason, kind): (u32, u32, u32, u32), time: FileTime) {
        let Some(suspension) = self.suspension else { return };
        if self.list.len() >= MOST || self.list.iter().rev().take(NEAR).any(|gc| gc.number == number) {
            return;
        }
        let pause_start = if reason == PM_FULL { time } else { suspension.start };
        if kind == BACKGROUND {
            // A collection that prepares it in the same suspension.
            for gc in self.list.iter_mut().skip(suspension.first) {
                gc.pause_start = gc.start;
            }
        }
        let suspend = suspension.stop.map_or(0.0, |stop| milliseconds(suspension.start, stop));
        self.list.push(Collection {
            number,
            generation,
            reason,
            kind,
            start: time,
            stop: None,
            pause: 0.0,
            suspend,
            heap: None,
            promoted: 0,
            pause_start,
            is_restarted: false,
        });
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
            }
            return;
        }
        for gc in began {
            gc.pause += milliseconds(gc.pause_start, time);
            gc.is_restarted = true;
        }
    }
}

/// Collections that are looked at for an event: few are open at once.
const NEAR: usize = 8;

/// Returns the name of a collection's type.
pub(super) const fn kind_name(kind: u32) -> &'static str {
    match kind {
        BACKGROUND => "background",
        FOREGROUND => "foreground",
        _ => "blocking",
    }
}
