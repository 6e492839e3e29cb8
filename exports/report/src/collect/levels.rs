//! Levels of events.

use etwkit::EventType;
use etwkit::event::{Kind, RawEvent};
use etwkit::select::level_from_name;

/// Returns the level of an event, 1 (critical) to 5 (verbose): that of its header, or of its WPP definition; else 0.
pub(crate) fn level_of(event: &RawEvent<'_>, row: &EventType) -> u8 {
    if has_level(event) { event.level() } else { stated_level(row) }
}

/// Returns whether an event's header has a level.
pub(super) fn has_level(event: &RawEvent<'_>) -> bool {
    !matches!(event.kind(), Kind::Wpp | Kind::Error) && event.hook().is_none()
}

/// Returns the level that the definitions of messages of a type state, or 0.
pub(super) fn stated_level(row: &EventType) -> u8 {
    let stated = row.schema().and_then(|schema| schema.names().detail("level"));
    stated.and_then(|text| level_from_name(text).or_else(|| text.parse().ok())).unwrap_or(0)
}
