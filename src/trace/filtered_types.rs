//! Which types of events a filter leaves.

use crate::decode::EventType;

use super::filter::Filter;
use super::glob::Glob;

impl Filter {
    /// Returns whether the filter takes events of a type, as far as their providers and names decide it.
    pub fn may_take(&self, row: &EventType) -> bool {
        (self.providers.is_empty() || self.providers.iter().any(|glob| glob.matches_type(row)))
            && (self.provider_guids.is_empty() || self.provider_guids.contains(&row.provider_guid()))
            && (self.names.is_empty() || self.names.iter().any(|glob| glob.matches(row.name().unwrap_or_default())))
    }
}

impl Glob {
    /// Returns whether a type of event has a provider of this name or GUID. Classic events have two: that of their class,
    /// and that of the provider that registered it.
    pub fn matches_type(&self, row: &EventType) -> bool {
        self.matches_provider(row.provider_name(), row.provider_guid())
            || self.matches_provider(None, row.key().provider)
    }
}
