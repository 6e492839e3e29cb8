//! Which events an analysis reads, and what records them.

use etwkit::bytes::Guid;
use etwkit::event::{EventKey, Kind};
use etwkit::trace::Trace;

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
