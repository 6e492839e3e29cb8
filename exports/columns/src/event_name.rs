//! Names of events, by which tables are told apart.

use std::collections::BTreeMap;

use etwkit::output::names_of_type;
use etwkit::{EventType, Trace};

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

    /// Returns the names in a trace, and how many events have each.
    pub fn all(trace: &Trace) -> BTreeMap<Self, u64> {
        let mut all = BTreeMap::new();
        for row in trace.types() {
            *all.entry(Self::of(row)).or_default() += row.events();
        }
        all
    }
}
