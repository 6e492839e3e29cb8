//! User halves that complete earlier kernel halves of their thread, too.
//!
//! Windows takes the user half of a stack when the thread leaves the kernel: once, for all stacks that were taken since
//! the thread entered it, and with the time of the last event among these.

use hashbrown::HashMap;

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
#[derive(Debug, Default)]
pub(super) struct HalfFinder {
    /// Kernel halves of threads that did not leave the kernel since.
    waiting: HashMap<u32, Waiting>,
    /// The parts of one event.
    event: Option<EventParts>,
    found: Vec<(u32, u32)>,
}

#[derive(Debug)]
struct Waiting {
    pid: u32,
    /// Places of the last parts of the events.
    places: Vec<u32>,
}

/// The parts of one event.
#[derive(Clone, Copy, Debug)]
struct EventParts {
    tick: i64,
    tid: u32,
    pid: u32,
    /// The place of the last kernel half.
    kernel: Option<u32>,
    /// The frames of the first part that has some of user mode.
    user: Option<u32>,
}

impl HalfFinder {
    /// Takes the next part: its tick, whose it is, its place and frames.
    pub(super) fn take(&mut self, tick: i64, whose: &Whose, place: usize, frames: u32) {
        // Thread 0 is idle and never in user mode.
        if whose.tid == 0 || KERNEL_PROCESSES.contains(&whose.pid) {
            return;
        }
        if self.event.is_none_or(|event| (event.tick, event.tid) != (tick, whose.tid)) {
            self.end_event();
            let (tid, pid) = (whose.tid, whose.pid);
            self.event = Some(EventParts { tick, tid, pid, kernel: None, user: None });
        }
        let Some(event) = &mut self.event else { return };
        match whose.part {
            StackPart::Kernel => event.kernel = u32::try_from(place).ok(),
            StackPart::User => event.user = event.user.or(Some(frames)),
            // It has both halves.
            StackPart::Whole => (event.kernel, event.user) = (None, event.user.or(Some(frames))),
        }
    }

    /// Returns what was found, after the last part.
    pub(super) fn finish(mut self) -> LaterHalves {
        self.end_event();
        self.found.sort_unstable();
        LaterHalves(self.found)
    }

    fn end_event(&mut self) {
        let Some(EventParts { tid, pid, kernel, user, .. }) = self.event.take() else { return };
        match (kernel, user) {
            (Some(place), None) => {
                let waiting = self.waiting.entry(tid).or_insert_with(|| Waiting { pid, places: Vec::new() });
                if waiting.pid != pid {
                    *waiting = Waiting { pid, places: Vec::new() };
                }
                waiting.places.push(place);
            }
            (Some(_), Some(frames)) => {
                let waiting = self.waiting.remove(&tid).filter(|waiting| waiting.pid == pid);
                let places = waiting.into_iter().flat_map(|waiting| waiting.places);
                self.found.extend(places.map(|place| (place, frames)));
            }
            // It was taken outside of the kernel, so the user half of the earlier ones was lost.
            (None, _) => drop(self.waiting.remove(&tid)),
        }
    }
}
