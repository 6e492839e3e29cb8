//! From facts to slices.

use std::collections::BTreeMap;

use etwkit::FileTime;
use etwkit::trace::Trace;

use super::absence::{Absence, AbsenceKind};
use super::fact::{NamedThread, ScheduleChange, ScheduleFact};
use super::processor::{On, Processor};
use super::sessions::Sessions;
use super::slice::{Departure, Readied, Slice, ThreadId};
use super::threads::{State, Thread, Threads};

/// States of threads (`KTHREAD_STATE`) that a context switch leaves.
mod left {
    pub(super) const TERMINATED: u8 = 4;
    /// Waiting, in transition, at a gate, for its process or its stack to be read in.
    pub(super) const WAITING: [u8; 4] = [5, 6, 8, 9];
}

/// Turns what events state, in order of time, into slices of threads and processors.
///
/// Each slice is handed over when its end is known: running ones at the switch that ends them, absences at the switch
/// after which the thread runs again. [`Scheduler::finish`] hands over what is open.
///
/// - A thread that leaves its processor ready, such as a preempted one, is ready until it runs again; one that leaves
///   it waiting waits until its last ready event before it runs, and is ready from then on. `PerfView`'s `ThreadTime`
///   does not look at the state and shows preemption as blocked time.
/// - The thread that runs on the processor of a ready event made the other one ready, unless a DPC did.
/// - What a processor did before its first switch is unknown, and so is what a thread did before the first event that
///   names it, unless the trace has its start.
/// - Where a switch is from a thread that did not run there, switches were lost: the time since the last event of the
///   processor is unknown, for it and for both threads. So it is where a buffer states that events before it were lost.
/// - From the last event of a session to the first one of a session that began after it, nothing is known.
#[derive(Clone, Debug, Default)]
pub struct Scheduler {
    threads: Threads,
    processors: BTreeMap<(u16, u16), Processor>,
    machines: BTreeMap<u16, Span>,
    sessions: Sessions,
}

/// From the first to the latest event of a machine.
#[derive(Clone, Copy, Debug)]
struct Span {
    begin: FileTime,
    now: FileTime,
    /// Whether there was a context switch.
    has_switches: bool,
}

/// Where and when something happens.
#[derive(Clone, Copy, Debug)]
struct Here {
    machine: u16,
    processor: u16,
    begin: FileTime,
    now: FileTime,
    tag: u64,
}

impl Here {
    const fn key(&self) -> (u16, u16) {
        (self.machine, self.processor)
    }
}

impl Scheduler {
    /// Returns all threads that were named so far, by their [`ThreadId`].
    pub fn threads(&self) -> &[Thread] {
        self.threads.list()
    }

    /// Returns the newest thread with an id on a machine.
    pub fn newest_thread(&self, machine: u16, tid: u32) -> Option<ThreadId> {
        self.threads.newest(machine, tid)
    }

    /// Returns a thread.
    pub fn thread(&self, id: ThreadId) -> Option<&Thread> {
        self.threads.get(id)
    }

    /// Returns how often an event named a thread beyond the limit on threads: these have no slices.
    pub const fn unlisted_threads(&self) -> u64 {
        self.threads.unlisted()
    }

    /// Returns the times of the first and the latest event of a machine, between which slices lie.
    pub fn span(&self, machine: u16) -> Option<(FileTime, FileTime)> {
        self.machines.get(&machine).map(|span| (span.begin, span.now))
    }

    /// Returns whether a machine had a context switch.
    pub fn has_switches(&self, machine: u16) -> bool {
        self.machines.get(&machine).is_some_and(|span| span.has_switches)
    }

    /// Takes a fact of a trace, whose buffers state where events were lost, and appends the slices that it ends.
    pub fn step(&mut self, fact: &ScheduleFact, trace: &Trace, slices: &mut Vec<Slice>) {
        let ScheduleFact { machine, processor, buffer, .. } = *fact;
        // What was lost before a buffer counts once.
        let known = self.processors.get(&(machine, processor));
        let is_new = known.is_none_or(|known| known.buffer != Some(buffer));
        if is_new && self.sessions.begins_after_all(machine, buffer, trace) {
            self.interrupt(machine, slices);
        }
        let is_after_loss = is_new && trace.buffer(buffer).is_some_and(|info| info.flags.is_after_loss());
        self.take(fact, is_after_loss, slices);
    }

    /// Takes a fact and appends the slices that it ends. `is_after_loss` states that events before those of its buffer
    /// were lost. A fact that is earlier than one before it counts as simultaneous.
    pub fn take(&mut self, fact: &ScheduleFact, is_after_loss: bool, slices: &mut Vec<Slice>) {
        let ScheduleFact { time, machine, processor, buffer, tag, change } = *fact;
        let span = self.machines.entry(machine).or_insert(Span { begin: time, now: time, has_switches: false });
        span.now = span.now.max(time);
        span.has_switches |= matches!(change, ScheduleChange::Switch { .. });
        let here = Here { machine, processor, begin: span.begin, now: span.now, tag };
        let known = self.processors.get_mut(&here.key());
        let is_new = known.is_some_and(|known| known.buffer.replace(buffer).is_some_and(|before| before != buffer));
        if is_new && is_after_loss {
            self.lose(here.key(), slices);
        }
        match change {
            ScheduleChange::Switch { new, old, departure } => self.switch(here, (new, old), departure, slices),
            ScheduleChange::Ready { thread, is_dpc } => self.ready(here, thread, is_dpc),
            // The idle threads of all processors share an id, and no other event is about one of them.
            ScheduleChange::Start(thread) | ScheduleChange::End(thread) | ScheduleChange::Exists(thread)
                if thread.tid == 0 => {}
            ScheduleChange::Start(thread) => self.start(here, thread, slices),
            ScheduleChange::End(thread) => self.end(here, thread, slices),
            ScheduleChange::Exists(thread) => {
                let _ = self.live(here, thread, slices);
            }
        }
        let known = self.processors.get_mut(&here.key());
        if let Some(known) = known {
            known.last = here.now;
            known.buffer = Some(buffer);
        }
    }

    /// Appends the slices that are open, which end with the latest event of their machine.
    pub fn finish(&mut self, slices: &mut Vec<Slice>) {
        let machines: Vec<u16> = self.machines.keys().copied().collect();
        for machine in machines {
            self.interrupt(machine, slices);
        }
        self.processors.clear();
    }

    /// Ends what is open on a machine with its latest event: nothing is known from there on.
    fn interrupt(&mut self, machine: u16, slices: &mut Vec<Slice>) {
        let Some(now) = self.machines.get(&machine).map(|span| span.now) else { return };
        let mut running = Vec::new();
        for (key, processor) in self.processors.range_mut((machine, 0)..=(machine, u16::MAX)) {
            slices.extend(processor.slice(*key, now, false));
            if let On::Thread(id) = processor.on {
                running.push(id);
            }
            (processor.on, processor.since, processor.last, processor.tag) = (On::Unknown, now, now, None);
        }
        let unknown = State::Off(Absence::of(AbsenceKind::Unknown, now));
        for id in running {
            self.set(id, unknown);
        }
        for place in 0..self.threads.list().len() {
            let id = ThreadId(place as u32);
            let thread = self.threads.get(id).filter(|thread| thread.machine == machine);
            if let Some(State::Off(absence)) = thread.map(|thread| thread.state) {
                absence.hand_over((machine, id), (now, None), slices);
                self.set(id, unknown);
            }
        }
    }

    fn switch(
        &mut self,
        here: Here,
        (new, old): (NamedThread, NamedThread),
        departure: Departure,
        slices: &mut Vec<Slice>,
    ) {
        let on = self.processor(here).on;
        let left = match on {
            On::Thread(id) if self.threads.get(id).is_some_and(|thread| thread.tid == old.tid) => Some(id),
            On::Idle if old.tid == 0 => None,
            _ => {
                self.lose(here.key(), slices);
                self.found(here, old, slices)
            }
        };
        slices.extend(self.processor(here).slice(here.key(), here.now, true));
        if let Some(id) = left {
            self.threads.name(id, old, here.now);
            self.leave(id, here.now, departure);
        }
        let on = match new.tid {
            0 => On::Idle,
            _ => self.arrive(here, new, slices).map_or(On::Unknown, On::Thread),
        };
        let processor = self.processor(here);
        (processor.on, processor.since, processor.tag) = (on, here.now, Some(here.tag));
    }

    /// Ends the absence of a thread that turns out to have run on a processor.
    fn found(&mut self, here: Here, named: NamedThread, slices: &mut Vec<Slice>) -> Option<ThreadId> {
        let newest = self.threads.newest(here.machine, named.tid).and_then(|id| self.threads.get(id));
        // The last switch of a thread whose end event came while nothing was known of the processor.
        if named.tid == 0 || newest.is_some_and(|thread| matches!(thread.state, State::Ended)) {
            return None;
        }
        let id = self.live(here, named, slices)?;
        self.close(here.machine, id, here.now, slices);
        Some(id)
    }

    /// A thread leaves its processor.
    fn leave(&mut self, id: ThreadId, now: FileTime, departure: Departure) {
        let Some(thread) = self.threads.get_mut(id) else { return };
        if departure.state == left::TERMINATED || thread.is_ending {
            (thread.state, thread.end) = (State::Ended, Some(now));
            return;
        }
        let kind = match departure.state {
            _ if departure.is_ready() => AbsenceKind::Ready,
            state if left::WAITING.contains(&state) => AbsenceKind::Waiting,
            _ => AbsenceKind::Unknown,
        };
        let departure = Some(departure);
        thread.state = State::Off(Absence { departure, ..Absence::of(kind, now) });
    }

    /// A thread begins to run on a processor.
    fn arrive(&mut self, here: Here, named: NamedThread, slices: &mut Vec<Slice>) -> Option<ThreadId> {
        let id = self.live(here, named, slices)?;
        if let Some(State::Running(elsewhere)) = self.threads.get(id).map(|thread| thread.state) {
            self.lose((here.machine, elsewhere), slices);
        }
        if let Some(State::Off(absence)) = self.threads.get(id).map(|thread| thread.state) {
            absence.hand_over((here.machine, id), (here.now, Some(here.tag)), slices);
        }
        self.set(id, State::Running(here.processor));
        Some(id)
    }

    fn ready(&mut self, here: Here, named: NamedThread, is_dpc: bool) {
        let on = self.processor(here).on;
        let newest = self.threads.newest(here.machine, named.tid).and_then(|id| self.threads.get(id));
        if named.tid == 0 || newest.is_some_and(|thread| matches!(thread.state, State::Ended)) {
            return;
        }
        let by = if let On::Thread(id) = on { Some(id) } else { None };
        let id = self.threads.live(here.machine, named, here.begin, here.now);
        if let Some(State::Off(absence)) = id.and_then(|id| self.threads.get_mut(id)).map(|thread| &mut thread.state) {
            absence.readied = Some(Readied { time: here.now, by, is_dpc });
        }
    }

    fn start(&mut self, here: Here, named: NamedThread, slices: &mut Vec<Slice>) {
        let before = self.threads.newest(here.machine, named.tid);
        if let Some(thread) = before.and_then(|id| self.threads.get(id)) {
            if thread.is_started && thread.start == here.now {
                // Two sessions wrote its start.
                return;
            }
            if let Some(id) = before.filter(|_| !matches!(thread.state, State::Ended)) {
                // Its end was lost: the id is in use again.
                self.close(here.machine, id, here.now, slices);
                self.gone(id, here.now);
            }
        }
        let Some(id) = self.threads.add(here.machine, named.tid, here.now, AbsenceKind::Ready) else { return };
        self.threads.name(id, named, here.now);
        if let Some(thread) = self.threads.get_mut(id) {
            thread.is_started = true;
        }
    }

    fn end(&mut self, here: Here, named: NamedThread, slices: &mut Vec<Slice>) {
        let newest = self.threads.newest(here.machine, named.tid).and_then(|id| self.threads.get(id));
        if newest.is_some_and(|thread| matches!(thread.state, State::Ended)) {
            return;
        }
        let Some(id) = self.live(here, named, slices) else { return };
        let Some(thread) = self.threads.get_mut(id) else { return };
        thread.is_ending = true;
        if !matches!(thread.state, State::Running(_)) {
            self.close(here.machine, id, here.now, slices);
            self.gone(id, here.now);
        }
    }

    /// Returns the thread that an event names. One of another process has the id again: the end of the one before was lost.
    fn live(&mut self, here: Here, named: NamedThread, slices: &mut Vec<Slice>) -> Option<ThreadId> {
        let newest = self.threads.newest(here.machine, named.tid);
        if let Some((id, thread)) = newest.and_then(|id| Some((id, self.threads.get(id)?)))
            && thread.pid.zip(named.pid).is_some_and(|(known, named)| known != named)
            && !matches!(thread.state, State::Ended)
        {
            self.close(here.machine, id, here.now, slices);
            self.gone(id, here.now);
        }
        self.threads.live(here.machine, named, here.begin, here.now)
    }

    fn gone(&mut self, id: ThreadId, now: FileTime) {
        if let Some(thread) = self.threads.get_mut(id) {
            (thread.state, thread.end) = (State::Ended, Some(now));
        }
    }

    /// Hands over what a thread does as unknown: it is not known until when it did so.
    fn close(&mut self, machine: u16, id: ThreadId, now: FileTime, slices: &mut Vec<Slice>) {
        if let Some(State::Running(elsewhere)) = self.threads.get(id).map(|thread| thread.state) {
            self.lose((machine, elsewhere), slices);
        }
        if let Some(State::Off(absence)) = self.threads.get(id).map(|thread| thread.state) {
            let unknown = Absence::of(AbsenceKind::Unknown, absence.since);
            unknown.hand_over((machine, id), (now, None), slices);
            self.set(id, State::Off(Absence::of(AbsenceKind::Unknown, now)));
        }
    }

    /// Events of a processor were lost: what it and its thread do is unknown since its last event.
    fn lose(&mut self, key: (u16, u16), slices: &mut Vec<Slice>) {
        let Some(processor) = self.processors.get_mut(&key) else { return };
        if processor.on == On::Unknown {
            return;
        }
        let last = processor.last;
        slices.extend(processor.slice(key, last, false));
        let on = std::mem::replace(&mut processor.on, On::Unknown);
        (processor.since, processor.tag) = (last, None);
        if let On::Thread(id) = on {
            self.set(id, State::Off(Absence::of(AbsenceKind::Unknown, last)));
        }
    }

    fn processor(&mut self, here: Here) -> &mut Processor {
        let begin = here.begin;
        let new = Processor { on: On::Unknown, since: begin, last: begin, tag: None, buffer: None };
        self.processors.entry(here.key()).or_insert(new)
    }

    fn set(&mut self, id: ThreadId, state: State) {
        if let Some(thread) = self.threads.get_mut(id) {
            thread.state = state;
        }
    }
}
