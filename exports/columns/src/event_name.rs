//! Names of events, by which tables are told apart.

use etwkit::EventType;
use etwkit::output::names_of_type;

/// The provider and the name of an event, as the first two columns of `etwkit count` show them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct EventName {
    /// Its name, or its GUID.
    pub provider: String,
    /// `Task/Opcode`, or what takes its place.
    pub event: String,
}

impl EventName {
    /// Returns the name of a type of event.
    pub fn of(row: &EventType) -> Self {
        let (provider, event) = names_of_type(row);
        Self { provider, event }
    }
}
