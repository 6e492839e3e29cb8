//! The results of the first pass that events refer to.

use crate::clock::Clock;
use crate::event::KeyId;
use crate::system::System;

use super::EventType;
use super::types::EventTypes;

/// All that the first pass found out and an event refers to: event types with their schemas, the traced system, and the
/// clocks of the files. Frozen, and shared by all threads and by events that own their bytes.
#[derive(Debug, Default)]
pub struct Decoder {
    pub(crate) types: EventTypes,
    pub(crate) system: System,
    /// The clock of each file.
    pub(crate) clocks: Box<[Clock]>,
}

impl Decoder {
    /// Returns all event types, in the order in which they were first seen.
    pub fn types(&self) -> &[EventType] {
        self.types.list()
    }

    /// Returns the event type of an id.
    #[inline]
    pub fn event_type(&self, id: KeyId) -> Option<&EventType> {
        self.types.get(id)
    }

    /// Returns the processes, threads, images and files of the traced system.
    pub const fn system(&self) -> &System {
        &self.system
    }

    /// Returns the clock of a file, by its number.
    #[inline]
    pub fn clock(&self, file: u16) -> Option<&Clock> {
        self.clocks.get(usize::from(file))
    }
}
