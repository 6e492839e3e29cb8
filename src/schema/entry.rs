//! A schema and the events it is for.

use std::ops::RangeInclusive;

use crate::bytes::Guid;
use crate::event::Kind;

use super::Schema;

/// A schema with what chooses it: one line of a table of schemas.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SchemaEntry {
    /// Which events it is for.
    pub select: SchemaSelector,
    /// Versions of the event; all of them if its source names none.
    pub versions: RangeInclusive<u8>,
    /// OS builds of the recording machine; all of them if its source names none.
    pub builds: RangeInclusive<u32>,
    /// The payload.
    pub schema: Schema,
}

impl SchemaEntry {
    /// Makes an entry of a schema for every version and build of these events.
    pub const fn new(select: SchemaSelector, schema: Schema) -> Self {
        Self { select, versions: 0..=u8::MAX, builds: 0..=u32::MAX, schema }
    }

    /// Sets [`SchemaEntry::versions`](field@SchemaEntry::versions).
    #[must_use]
    pub fn versions(mut self, versions: RangeInclusive<u8>) -> Self {
        self.versions = versions;
        self
    }

    /// Sets [`SchemaEntry::builds`](field@SchemaEntry::builds).
    #[must_use]
    pub fn builds(mut self, builds: RangeInclusive<u32>) -> Self {
        self.builds = builds;
        self
    }
}

/// The condition on an event's header or metadata for a schema to apply.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SchemaSelector {
    /// Class GUID and opcode: MOF classes, the kernel's among them.
    Classic {
        /// Event class.
        class: Guid,
        /// Opcode.
        opcode: u8,
    },
    /// Provider and event id, whatever the opcode: manifests and EventSource.
    Manifest {
        /// Provider.
        provider: Guid,
        /// Event id.
        id: u16,
    },
    /// Provider and event name.
    TraceLogging {
        /// Provider.
        provider: Guid,
        /// The event's name in its metadata.
        name: Box<str>,
    },
    /// Message GUID and number.
    Wpp {
        /// Message GUID.
        guid: Guid,
        /// Message number.
        number: u16,
    },
}

impl SchemaSelector {
    /// Returns the GUID that the events carry: provider, class or message GUID.
    pub const fn guid(&self) -> Guid {
        match self {
            Self::Classic { class, .. } => *class,
            Self::Manifest { provider, .. } | Self::TraceLogging { provider, .. } => *provider,
            Self::Wpp { guid, .. } => *guid,
        }
    }

    /// Returns the kind of events.
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Classic { .. } => Kind::Classic,
            Self::Manifest { .. } => Kind::Manifest,
            Self::TraceLogging { .. } => Kind::TraceLogging,
            Self::Wpp { .. } => Kind::Wpp,
        }
    }

    /// Opcode, event id or message number; 0 where a name chooses.
    pub(super) fn number(&self) -> u16 {
        match self {
            Self::Classic { opcode, .. } => u16::from(*opcode),
            Self::Manifest { id, .. } => *id,
            Self::TraceLogging { .. } => 0,
            Self::Wpp { number, .. } => *number,
        }
    }

    /// Returns the name that chooses; empty where a number does.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::TraceLogging { name, .. } => name,
            _ => "",
        }
    }
}
