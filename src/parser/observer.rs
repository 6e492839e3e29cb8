//! The part of a parser that reads facts from events.

use std::fmt::Debug;

use crate::error::Result;
use crate::event::RawEvent;
use crate::system::System;

use super::{Claims, Finding};

/// Reads what events state about the traced system: processes, images, stacks. It makes no schemas.
pub trait Observer: Debug + Send + Sync {
    /// Returns which events it wants to see. Asked once, before the first of them.
    fn interest(&self) -> Claims;

    /// Returns whether all that it reads of an event is the event's own stack. Then nothing of other events is lost
    /// where the event is left out ([`EventType::is_learned_from`](crate::decode::EventType::is_learned_from)).
    fn reads_own_stacks(&self) -> bool {
        false
    }

    /// Notes what an event states. Called in time order, during the first pass.
    ///
    /// # Errors
    ///
    /// For an event that cannot be read. The trace lists it as a problem of kind `bad-schema` and goes on.
    fn observe(&mut self, event: &RawEvent<'_>, system: &mut System) -> Result<()>;

    /// Returns what it found that has no place in the [`System`], for
    /// [`Trace::finding`](crate::trace::Trace::finding). Called at the end of the first pass.
    fn finish(self: Box<Self>) -> Option<Finding> {
        None
    }
}
