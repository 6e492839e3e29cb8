//! An event that a line may have been made of.

use etwkit::bytes::Guid;

use crate::in_trace_schema::InTraceSchema;

/// Process and thread of a header that names none.
pub(super) const NOBODY: (u32, u32) = (u32::MAX, u32::MAX);

/// An event to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) place: EventId,
    pub(super) version: u8,
    /// Opcode of a manifest's event; nothing but names depend on it.
    pub(super) opcode: u8,
    pub(super) pointer: usize,
    /// Process and thread of the header.
    pub(super) ids: (u32, u32),
    pub(super) payload: Vec<u8>,
    /// The schema that the trace has.
    pub(super) in_trace_schema: Option<InTraceSchema>,
    /// What events before it must state.
    pub(super) earlier: Vec<EarlierEvent>,
}

/// What an event is found by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum EventId {
    Classic(Guid, u8),
    Manifest(Guid, u16),
    /// `EventWriteString`.
    Text(Guid),
}

/// What an event before states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum EarlierEvent {
    /// Thread, process.
    Thread(u32, u32),
    /// Process, name.
    Process(u32, String),
    /// Key, name.
    File(u64, String),
}

impl Candidate {
    /// Whether the payload names the process of the event, and other events the process of a thread.
    pub(super) fn is_nobodys(&self) -> bool {
        self.ids == NOBODY
    }
}
