//! Packets, from the queue over the engine to their end.

use std::collections::HashMap;

use etwkit::FileTime;
use etwkit_analysis::{Excess, milliseconds};
use etwkit_kernel_analyses::{NamedProcess, ProcessKey};

use super::engines::{Engine, Engines};
use super::fact::{GpuFact, Step, What};
use crate::limits::MOST_OPEN;

/// A packet. It is in the queue of its context from `queued` to `retired`, and runs on the engine in between.
#[derive(Clone, Debug)]
pub(super) struct Packet {
    pub(super) machine: u16,
    pub(super) context: u64,
    pub(super) sequence: u32,
    pub(super) engine: Engine,
    pub(super) process: NamedProcess,
    /// Number of its type.
    pub(super) kind: Option<u32>,
    pub(super) is_present: bool,
    /// The first of its events that the trace has.
    pub(super) time: FileTime,
    pub(super) queued: Option<FileTime>,
    /// When the engine has it, and has not done it.
    submitted: Option<FileTime>,
    /// When it ran first.
    pub(super) ran: Option<FileTime>,
    /// Milliseconds for which it ran.
    busy: f64,
    /// How often it was handed to the engine, and taken from it.
    pub(super) submissions: u32,
    pub(super) preemptions: u32,
    pub(super) is_timeout: bool,
    /// The last completion or, of one that was queued, when it left the queue; `None` if that is not in the trace.
    pub(super) end: Option<FileTime>,
    is_chosen: bool,
}

/// Packets that are not done, by machine, context and sequence.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub(super) engines: Engines,
    open: HashMap<(u16, u64, u32), Packet>,
    /// Last completion on each engine, or of each context whose engine is not known.
    last: HashMap<(u16, Engine, u64), FileTime>,
    excess: Excess,
}

impl State {
    /// Returns how many packets, engines and contexts had no room.
    pub(super) const fn excess(&self) -> u64 {
        self.excess.count() + self.engines.excess()
    }

    /// Takes what an event states. Returns a packet that counts and is done.
    pub(super) fn take(&mut self, GpuFact { time, machine, what }: GpuFact, is_chosen: bool) -> Option<Packet> {
        let What::Packet { context, sequence, step } = what else {
            self.engines.take(machine, what);
            return None;
        };
        let key = (machine, context, sequence);
        if matches!(step, Step::Queued(_) | Step::Submitted { .. }) && !self.open.contains_key(&key) {
            if !self.excess.admits(self.open.len(), MOST_OPEN) {
                return None;
            }
            let packet = self.packet(key, time, is_chosen);
            self.open.insert(key, packet);
        }
        self.open.get_mut(&key)?.take(&step, time);
        match step {
            Step::Completed { is_preempted } => self.complete(key, time, is_preempted),
            Step::Retired { .. } => return self.open.remove(&key).filter(|packet| packet.is_chosen),
            Step::Queued(_) | Step::Submitted { .. } => {}
        }
        self.done(key)
    }

    fn packet(&self, (machine, context, sequence): (u16, u64, u32), time: FileTime, is_chosen: bool) -> Packet {
        let (engine, process) = self.engines.of(machine, context);
        let unknown = || NamedProcess { key: ProcessKey { machine, pid: None, start: None }, name: None };
        Packet {
            machine,
            context,
            sequence,
            engine,
            process: process.cloned().unwrap_or_else(unknown),
            kind: None,
            is_present: false,
            time,
            queued: None,
            submitted: None,
            ran: None,
            busy: 0.0,
            submissions: 0,
            preemptions: 0,
            is_timeout: false,
            end: None,
            is_chosen,
        }
    }

    /// Adds the time for which a packet ran. An engine does its packets one after the other: one runs from when it is
    /// handed over, but not before the one in front of it is done.
    fn complete(&mut self, key: (u16, u64, u32), time: FileTime, is_preempted: bool) {
        let Some(packet) = self.open.get_mut(&key) else { return };
        let Some(submitted) = packet.submitted.take() else { return };
        let place = (key.0, packet.engine, if packet.engine.0.is_some() { 0 } else { packet.context });
        let began = self.last.get(&place).map_or(submitted, |last| submitted.max(*last)).min(time);
        packet.ran = packet.ran.or(Some(began));
        packet.busy += milliseconds(began, time);
        // What was preempted is submitted again.
        packet.end = Some(time).filter(|_| !is_preempted);
        self.excess.insert(&mut self.last, (place, time), MOST_OPEN);
    }

    /// Returns a packet that counts and is done with its completion: one whose queue is not in the trace.
    fn done(&mut self, key: (u16, u64, u32)) -> Option<Packet> {
        let packet = self.open.get(&key)?;
        if packet.queued.is_some() || packet.end.is_none() {
            return None;
        }
        self.open.remove(&key).filter(|packet| packet.is_chosen)
    }

    /// Returns the packets that count and are not done, in order of time, and what is known of engines.
    pub(super) fn into_open(self) -> (Vec<Packet>, Engines) {
        let mut open: Vec<Packet> = self.open.into_values().filter(|packet| packet.is_chosen).collect();
        for packet in &mut open {
            packet.end = None;
        }
        open.sort_by_key(|packet| (packet.time, packet.machine, packet.context, packet.sequence));
        (open, self.engines)
    }
}

impl Packet {
    fn take(&mut self, step: &Step, time: FileTime) {
        match step {
            Step::Queued(queued) => {
                (self.queued, self.is_present) = (self.queued.or(Some(time)), queued.is_present);
                self.kind = queued.kind.or(self.kind);
                if self.process.key.pid.is_none() {
                    self.process = queued.process.clone();
                }
            }
            Step::Submitted { kind } => {
                self.submitted = Some(time);
                self.submissions += 1;
                self.kind = self.kind.or(*kind);
            }
            Step::Completed { is_preempted } => self.preemptions += u32::from(*is_preempted),
            Step::Retired { is_timeout } => (self.is_timeout, self.end) = (*is_timeout, Some(time)),
        }
    }

    /// Returns the milliseconds for which it ran; `None` if it did not.
    pub(super) fn busy(&self) -> Option<f64> {
        self.ran.map(|_| self.busy)
    }

    /// Returns the milliseconds from the queue to the engine.
    pub(super) fn wait(&self) -> Option<f64> {
        Some(milliseconds(self.queued?, self.ran?))
    }
}
