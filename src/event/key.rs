//! What a schema is looked up by.

use crate::bytes::Guid;

named_enum! {
    /// How an event names its schema.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum Kind {
        /// By class GUID, opcode and version: MOF classes, the kernel's among them.
        Classic = "classic",
        /// By provider, id and version: manifests and EventSource.
        Manifest = "manifest",
        /// By metadata in the event itself.
        TraceLogging = "tracelogging",
        /// By message GUID and number.
        Wpp = "wpp",
        /// The payload is one string (`EventWriteString`).
        StringOnly = "string",
        /// The event that the kernel could not write.
        Error = "error",
    }
}

/// The fields of an event's header that choose its schema. Which of them matter depends on the [`Kind`]; the others
/// are zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventKey {
    /// How the schema is named.
    pub kind: Kind,
    /// Provider, event class or message GUID.
    pub provider: Guid,
    /// Event id, or message number.
    pub id: u16,
    /// Version of the payload.
    pub version: u8,
    /// Opcode.
    pub opcode: u8,
    /// Task of a manifest's event: one id can serve several tasks, which name it.
    pub task: u16,
}

/// The id of an event type: its place in [`Trace::types`](crate::Trace::types).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventTypeId(pub u32);
