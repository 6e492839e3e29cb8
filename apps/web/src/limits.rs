//! Every cap of the viewer.

/// Parts that a trace is cut into. A part is what is decoded to show a row of it.
pub(crate) const MAX_PARTS: usize = 1 << 14;
/// Bytes of a part.
pub(crate) const PART_BYTES: u64 = 256 << 10;
/// Rows of one answer.
pub(crate) const MAX_ROWS: usize = 1000;
/// Bytes of a row; a longer one has its header only.
pub(crate) const MAX_ROW: usize = 64 << 10;
/// Bytes of an event's text in the detail pane.
pub(crate) const MAX_DETAIL: usize = 4 << 20;
/// Bytes of a file or payload that one answer shows.
pub(crate) const MAX_HEX: usize = 64 << 10;
/// Processes that are counted one by one in the facets.
pub(crate) const MAX_FACETS: usize = 10_000;
/// Problems and processes that are listed.
pub(crate) const MAX_LISTED: usize = 10_000;
/// Buffers that are listed.
pub(crate) const MAX_BUFFERS: usize = 100_000;
/// Bytes that all gzip files and archives together unpack to.
pub(crate) const MAX_UNPACKED: u64 = 1 << 30;
/// Nodes of a flame graph.
pub(crate) const MAX_NODES: usize = 20_000;
