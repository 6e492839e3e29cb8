//! The most that is kept of a trace, whatever it contains.

/// Open spans of one key. Those beyond are not matched.
pub(crate) const OPEN_OF_KEY: usize = 1 << 14;
/// Open spans of all keys.
pub(crate) const OPEN: usize = 1 << 20;
/// Durations for percentiles: 8 bytes each.
pub(crate) const DURATIONS: usize = 1 << 26;
/// Spans of a list or a tree.
pub(crate) const SPANS: usize = 1 << 22;
/// Other events of an activity.
pub(crate) const INSTANTS: usize = 1 << 16;
/// Spans within each other; those within more are shown within the innermost of these.
pub(crate) const DEPTH: u16 = 128;
/// Tasks that are scheduled and have not begun.
pub(crate) const SCHEDULED: usize = 1 << 20;
