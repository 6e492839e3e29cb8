//! Threads over time, and what each one does now.

use etwkit::FileTime;
use etwkit_analysis::ThreadAt;
use hashbrown::HashMap;

use super::absence::{Absence, AbsenceKind};
use super::fact::NamedThread;
use super::slice::ThreadId;

/// A thread.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Thread {
    /// Number of the machine and boot.
    pub machine: u16,
    /// Thread id.
    pub tid: u32,
    /// Its process; `None` if no event states it.
    pub pid: Option<u32>,
    /// When its lifetime begins: its start, or the first event about any thread of the machine.
    pub start: FileTime,
    /// Whether an event states its start.
    pub is_started: bool,
    /// Its last switch from a processor; where that is not in the trace, its end event. `None` if it ran on.
    pub end: Option<FileTime>,
    /// Time of the first event that names it with its process: what to look up its process with.
    pub seen: FileTime,
    pub(super) state: State,
    /// Whether its end event was there: it is gone with its next switch.
    pub(super) is_ending: bool,
}

impl Thread {
    /// Returns it as selections choose it.
    pub const fn at(&self) -> ThreadAt {
        ThreadAt { machine: self.machine, pid: self.pid, tid: self.tid, time: self.seen }
    }
}

/// What a thread does.
#[derive(Clone, Copy, Debug)]
pub(super) enum State {
    /// It runs on a processor.
    Running(u16),
    Off(Absence),
    Ended,
}

/// All threads.
#[derive(Clone, Debug, Default)]
pub(super) struct Threads {
    list: Vec<Thread>,
    /// The newest thread of each id.
    by_tid: HashMap<(u16, u32), ThreadId>,
    unlisted: u64,
}

/// Threads that are kept; what events state about others is not.
const MOST: usize = 1 << 22;

impl Threads {
    pub(super) fn list(&self) -> &[Thread] {
        &self.list
    }

    /// Returns how often an event named a thread beyond the limit.
    pub(super) const fn unlisted(&self) -> u64 {
        self.unlisted
    }

    pub(super) fn get(&self, id: ThreadId) -> Option<&Thread> {
        self.list.get(id.0 as usize)
    }

    pub(super) fn get_mut(&mut self, id: ThreadId) -> Option<&mut Thread> {
        self.list.get_mut(id.0 as usize)
    }

    /// Returns the newest thread of an id.
    pub(super) fn newest(&self, machine: u16, tid: u32) -> Option<ThreadId> {
        self.by_tid.get(&(machine, tid)).copied()
    }

    /// Adds a thread that begins at a time, without a processor.
    pub(super) fn add(&mut self, machine: u16, tid: u32, start: FileTime, kind: AbsenceKind) -> Option<ThreadId> {
        if self.list.len() >= MOST {
            self.unlisted += 1;
            return None;
        }
        let id = ThreadId(self.list.len() as u32);
        self.list.push(Thread {
            machine,
            tid,
            pid: None,
            start,
            is_started: false,
            end: None,
            seen: start,
            state: State::Off(Absence::of(kind, start)),
            is_ending: false,
        });
        self.by_tid.insert((machine, tid), id);
        Some(id)
    }

    /// Returns the thread that an event names, and adds it if there is none that has not ended: one that begins with
    /// the first event of the machine, or with the end of the thread before it.
    pub(super) fn live(
        &mut self,
        machine: u16,
        named: NamedThread,
        begin: FileTime,
        now: FileTime,
    ) -> Option<ThreadId> {
        let newest = self.newest(machine, named.tid);
        let ended = newest.and_then(|id| self.get(id)).filter(|thread| matches!(thread.state, State::Ended));
        let start = ended.map_or(begin, |thread| thread.end.unwrap_or(now));
        let id = match newest.filter(|_| ended.is_none()) {
            Some(id) => id,
            None => self.add(machine, named.tid, start, AbsenceKind::Unknown)?,
        };
        self.name(id, named, now);
        Some(id)
    }

    /// Notes the process of a thread.
    pub(super) fn name(&mut self, id: ThreadId, named: NamedThread, now: FileTime) {
        if let Some(thread) = self.get_mut(id).filter(|thread| thread.pid.is_none() && named.pid.is_some()) {
            (thread.pid, thread.seen) = (named.pid, now);
        }
    }
}
