//! User halves that complete earlier kernel halves of their thread, too.
//!
//! Windows takes the user half of a stack when the thread leaves the kernel: once, for all stacks that were taken since
//! the thread entered it, and with the time of the last event among these.

use hashbrown::HashMap;

use super::super::threads::Threads;
use super::StackPart;
use super::part_of::Whose;

/// Processes without user mode: the idle process and the system.
const KERNEL_PROCESSES: [u32; 2] = [0, 4];

/// The kernel halves that a later user half completes: places of their parts, in order, and the frames.
#[derive(Clone, Debug, Default)]
pub(super) struct LaterHalves(Vec<(u32, u32)>);

impl LaterHalves {
    /// Returns the frames that follow those of the part at a place.
    pub(super) fn after(&self, place: usize) -> Option<u32> {
        let at = self.0.binary_search_by_key(&(place as u64), |(place, _)| u64::from(*place)).ok()?;
        self.0.get(at).map(|(_, frames)| *frames)
    }

    /// Returns whether there are none.
    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Finds them among parts that come in order of time.
#[derive(Debug)]
pub(super) struct HalfFinder<'t> {
    threads: &'t Threads,
    /// Kernel halves of threads that did not leave the kernel since.
    waiting: HashMap<u32, Waiting>,
    /// The parts of one event.
    event: Option<EventParts>,
    found: Vec<(u32, u32)>,
}

#[derive(Debug)]
struct Waiting {
    pid: u32,
    /// Ticks of the events, and the places of their last parts.
    places: Vec<(i64, u32)>,
}

/// The parts of one event.
#[derive(Clone, Copy, Debug)]
struct EventParts {
    tick: i64,
    tid: u32,
    pid: u32,
    /// The place of the last kernel half.
    kernel: Option<u32>,
    /// The frames of the first part of user mode.
    user: Option<u32>,
    /// Whether a part has both halves.
    is_whole: bool,
}

impl<'t> HalfFinder<'t> {
    /// Begins; threads are those of all the time.
    pub(super) fn new(threads: &'t Threads) -> Self {
        Self { threads, waiting: HashMap::new(), event: None, found: Vec::new() }
    }

    /// Takes the next part: its tick, whose it is, its place and frames.
    pub(super) fn take(&mut self, tick: i64, whose: &Whose, place: usize, frames: u32) {
        // Thread 0 is idle and never in user mode.
        if whose.tid == 0 || KERNEL_PROCESSES.contains(&whose.pid) {
            return;
        }
        if self.event.is_none_or(|event| (event.tick, event.tid) != (tick, whose.tid)) {
            self.end_event();
            let (tid, pid) = (whose.tid, whose.pid);
            self.event = Some(EventParts { tick, tid, pid, kernel: None, user: None, is_whole: false });
        }
        let Some(event) = &mut self.event else { return };
        match whose.part {
            StackPart::Kernel => event.kernel = u32::try_from(place).ok(),
            StackPart::User => event.user = event.user.or(Some(frames)),
            StackPart::Whole => event.is_whole = true,
        }
    }

    /// Returns what was found, after the last part.
    pub(super) fn finish(mut self) -> LaterHalves {
        self.end_event();
        self.found.sort_unstable();
        LaterHalves(self.found)
    }

    fn end_event(&mut self) {
        let Some(EventParts { tick, tid, pid, kernel, user, is_whole }) = self.event.take() else { return };
        match (kernel, user) {
            (Some(place), None) if !is_whole => {
                let waiting = self.waiting.entry(tid).or_insert_with(|| Waiting { pid, places: Vec::new() });
                if waiting.pid != pid {
                    *waiting = Waiting { pid, places: Vec::new() };
                }
                waiting.places.push((tick, place));
            }
            (Some(_), Some(frames)) if !is_whole => {
                let waiting = self.waiting.remove(&tid).filter(|waiting| waiting.pid == pid);
                // A thread that had the id before does not leave the kernel any more.
                let start = self.threads.start_at(tid, tick);
                let places = waiting.into_iter().flat_map(|waiting| waiting.places);
                self.found.extend(places.filter(|(tick, _)| *tick >= start).map(|(_, place)| (place, frames)));
            }
            // It was taken outside of the kernel, or is whole by itself: the user half of earlier ones was lost.
            _ => drop(self.waiting.remove(&tid)),
        }
    }
}
