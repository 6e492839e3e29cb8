//! Every cap of the viewer.

/// Characters of a cell in the list.
pub(crate) const MAX_CELL: usize = 1000;
/// Characters of a value in the detail pane.
pub(crate) const MAX_VALUE: usize = 16 << 10;
/// Lines of the detail pane.
pub(crate) const MAX_DETAIL_LINES: usize = 20_000;
/// Characters of a line that is typed.
pub(crate) const MAX_TYPED: usize = 4096;
/// Rows that are kept around those that are shown.
pub(crate) const MAX_KEPT_ROWS: usize = 1024;
/// Values of one kind that the pane of counts lists.
pub(crate) const MAX_FACET_ROWS: usize = 200;
/// Names that are offered.
pub(crate) const MAX_OFFERED: usize = 50;
/// Bytes of an event that are handed to the clipboard; terminals take little more.
pub(crate) const MAX_COPIED: usize = 64 << 10;
