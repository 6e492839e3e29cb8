//! Every cap of the models.

/// Parts that a trace is cut into. A part is what is decoded to show a row of it.
pub(crate) const MAX_PARTS: usize = 1 << 14;
/// Bytes of a part.
pub(crate) const PART_BYTES: u64 = 256 << 10;
/// Bytes of a row; a longer one has its short members only.
pub(crate) const MAX_ROW: usize = 64 << 10;
/// Bytes of a member that a longer row keeps: times, names and numbers, not payloads.
pub(crate) const MAX_MEMBER: usize = 1 << 10;
/// Bytes of an event's text in the detail pane.
pub(crate) const MAX_DETAIL: usize = 4 << 20;
/// Bytes of a file or payload that one answer shows.
pub const MAX_HEX: usize = 64 << 10;
/// Processes that are counted one by one in the facets.
pub(crate) const MAX_FACETS: usize = 10_000;
/// Intervals of time whose events are counted while a list is read: a megabyte.
pub(crate) const MAX_CELLS: usize = 1 << 16;
/// Intervals of time in one answer.
pub(crate) const MAX_CELLS_SHOWN: usize = 1 << 13;
/// Names of fields that are listed.
pub(crate) const MAX_NAMES: usize = 10_000;
