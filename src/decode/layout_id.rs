//! Ids of layouts.

use crate::event::EventTypeId;

/// A layout of events: a type, and one of the alternatives of its schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LayoutId {
    /// The type; `None` for events whose type is not known.
    pub(crate) key: Option<EventTypeId>,
    /// The place of the schema among the alternatives; `u16::MAX` without a schema.
    pub(crate) alternative: u16,
}
