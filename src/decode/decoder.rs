//! The results of the first pass that events refer to.

use std::sync::Arc;

use crate::FileId;
use crate::clock::Clock;
use crate::event::EventTypeId;
use crate::system::Systems;

use super::EventType;
use super::types::EventTypes;

/// All that the first pass found out and an event refers to: event types with their schemas, the traced systems, and
/// the names and clocks of the files. Frozen, and shared by all threads and by events that own their bytes.
#[derive(Debug, Default)]
pub struct Decoder {
    pub(crate) types: EventTypes,
    pub(crate) systems: Systems,
    /// The clock of each file.
    pub(crate) clocks: Arc<[Clock]>,
    /// The name of each file.
    pub(crate) files: Box<[Box<str>]>,
}

impl Decoder {
    /// Returns all event types, in the order in which they were first seen.
    pub fn types(&self) -> &[EventType] {
        self.types.list()
    }

    /// Returns the event type of an id.
    #[inline]
    pub fn event_type(&self, id: EventTypeId) -> Option<&EventType> {
        self.types.get(id)
    }

    /// Returns the processes, threads, images and files of each machine and boot.
    #[inline]
    pub const fn systems(&self) -> &Systems {
        &self.systems
    }

    /// Returns the clock of a file.
    #[inline]
    pub fn clock(&self, file: FileId) -> Option<&Clock> {
        self.clocks.get(file.index())
    }

    /// Returns the names of the files, in the order of their ids.
    #[inline]
    pub fn files(&self) -> &[Box<str>] {
        &self.files
    }
}
