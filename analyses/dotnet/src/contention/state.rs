//! The waits of one process.

use std::collections::HashMap;

use etwkit::FileTime;
use etwkit::bytes::Guid;
use etwkit::decode::Event;
use etwkit_analysis::guids::{DOT_NET_NATIVE, DOT_NET_RUNTIME};
use etwkit_analysis::{Excess, Interest, Need};

use crate::origin::{Origin, milliseconds};
use crate::processes::{Bounded, MOST};

const IDS: &[u16] = &[81, 91];
const EVENTS: &[(Guid, &[u16])] = &[(DOT_NET_RUNTIME, IDS), (DOT_NET_NATIVE, IDS)];
const START: u16 = 81;

pub(super) const INTEREST: Interest = Interest {
    manifest: EVENTS,
    classic: &[],
    need: Need::Keywords("Microsoft-Windows-DotNETRuntime with the keyword Contention (0x4000), level 4"),
};

/// Of the flags: a lock of the runtime itself, not of the program.
const OF_RUNTIME: u8 = 1;
const NANOSECONDS_A_MILLISECOND: f64 = 1e6;

/// The contents of an event, and the process that wrote it.
#[derive(Clone, Debug)]
pub struct ContentionFact {
    pub(crate) origin: Origin,
    is_of_runtime: bool,
    what: What,
}

#[derive(Clone, Debug)]
enum What {
    Start { lock: Option<u64>, holder: Option<u64> },
    Stop { milliseconds: Option<f64> },
}

/// A wait.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wait {
    pub(super) tid: u32,
    /// When it began; `None` if that is not in the trace and its duration is not known.
    pub(super) start: Option<FileTime>,
    /// Milliseconds; `None` if an end of it is not in the trace and no event states them.
    pub(super) time: Option<f64>,
    pub(super) is_of_runtime: bool,
    pub(super) lock: Option<u64>,
    pub(super) holder: Option<u64>,
    /// When the event that ended it, or began it, was written.
    pub(super) seen: FileTime,
}

/// The waits of one process.
#[derive(Clone, Debug, Default)]
pub(crate) struct Waits {
    pub(super) list: Vec<Wait>,
    /// Where in the list the wait of each thread is that has begun last; `None` of one that is not counted.
    open: HashMap<u32, Option<usize>>,
    excess: Excess,
}

impl ContentionFact {
    pub(super) fn of(event: &Event<'_>) -> Option<Self> {
        let what = if event.raw().id() == START {
            What::Start { lock: event.get("LockID").ok(), holder: event.get("LockOwnerThreadID").ok() }
        } else {
            let stated: Option<f64> = event.get("DurationNs").ok();
            let stated = stated.filter(|duration| duration.is_finite() && *duration >= 0.0);
            What::Stop { milliseconds: stated.map(|duration| duration / NANOSECONDS_A_MILLISECOND) }
        };
        let flags: u8 = event.get("ContentionFlags").unwrap_or(0);
        Some(Self { origin: Origin::of(event)?, is_of_runtime: flags & OF_RUNTIME != 0, what })
    }
}

impl Bounded for Waits {
    fn excess(&self) -> u64 {
        self.excess.count()
    }
}

impl Waits {
    /// Takes what an event states. A thread waits for one lock at a time: a stop ends the newest start of its thread.
    /// Newer runtimes state the duration, which counts then.
    pub(super) fn take(&mut self, fact: ContentionFact, is_chosen: bool) {
        let ContentionFact { origin: Origin { tid, time, .. }, is_of_runtime, what } = fact;
        let mut wait = Wait { tid, start: None, time: None, is_of_runtime, lock: None, holder: None, seen: time };
        match what {
            What::Start { lock, holder } => {
                (wait.start, wait.lock, wait.holder) = (Some(time), lock, holder);
                let has_room = is_chosen && self.excess.admits(self.list.len(), MOST);
                let place = has_room.then_some(self.list.len());
                self.excess.insert(&mut self.open, (tid, place), MOST);
                self.list.extend(place.map(|_| wait));
            }
            What::Stop { milliseconds: stated } => {
                let Some(place) = self.open.remove(&tid) else {
                    wait.time = stated;
                    let has_room = is_chosen && self.excess.admits(self.list.len(), MOST);
                    self.list.extend(has_room.then_some(wait));
                    return;
                };
                if let Some(begun) = place.and_then(|place| self.list.get_mut(place)) {
                    begun.time = stated.or_else(|| begun.start.map(|start| milliseconds(start, time)));
                    begun.seen = time;
                }
            }
        }
    }
}
