//! Which events an analysis reads, and what records them.

use std::collections::BTreeSet;

use etwkit::bytes::Guid;
use etwkit::error::Result;
use etwkit::event::{EventKey, Kind};
use etwkit::trace::{Filter, Glob, Trace};

/// The events that an analysis reads.
#[derive(Clone, Copy, Debug)]
pub struct Interest {
    /// Provider and ids of manifest events.
    pub manifest: &'static [(Guid, &'static [u16])],
    /// Class and opcodes of classic and kernel events.
    pub classic: &'static [(Guid, &'static [u8])],
    /// What records the events without which there are no rows.
    pub need: Need,
}

/// The events that must be recorded for an analysis to have rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Flags of the kernel's session, as `xperf` and `wpr` name them.
    KernelFlags(&'static str),
    /// A provider and its keywords.
    Keywords(&'static str),
}

impl Interest {
    /// Returns whether it reads the events of a key.
    pub fn has(&self, key: &EventKey) -> bool {
        match key.kind {
            Kind::Manifest => self.manifest.iter().any(|(guid, ids)| *guid == key.provider && ids.contains(&key.id)),
            Kind::Classic => {
                self.classic.iter().any(|(class, opcodes)| *class == key.provider && opcodes.contains(&key.opcode))
            }
            _ => false,
        }
    }

    /// Returns how many of its events a trace has.
    pub fn events(&self, trace: &Trace) -> u64 {
        trace.types().iter().filter(|row| self.has(row.key())).map(etwkit::decode::EventType::events).sum()
    }

    /// Returns the numbers of the machines whose files have its events. Where a trace has several machines, events are
    /// read until each of them has one.
    ///
    /// # Errors
    ///
    /// Returns an error if the trace cannot be read.
    pub(crate) fn machines(&self, trace: &Trace) -> Result<BTreeSet<u16>> {
        let mut found = BTreeSet::new();
        if self.events(trace) == 0 {
            return Ok(found);
        }
        if let [only] = trace.systems().iter().collect::<Vec<_>>()[..] {
            return Ok([only.machine.number].into());
        }
        let guids = self.manifest.iter().map(|(guid, _)| guid).chain(self.classic.iter().map(|(guid, _)| guid));
        let mut events = trace.select(&Filter::default().providers(guids.map(|guid| Glob::new(&guid.to_string()))));
        while found.len() < trace.systems().iter().count() {
            let Some(event) = events.next()? else { break };
            if self.has(&event.raw().key()) {
                found.insert(event.system().machine.number);
            }
        }
        Ok(found)
    }
}

impl Need {
    /// Returns it as a sentence about how to record such a trace.
    pub fn advice(&self) -> String {
        match self {
            Self::KernelFlags(flags) => format!("record the kernel flags {flags}"),
            Self::Keywords(keywords) => format!("record {keywords}"),
        }
    }
}
