//! Every cap of the viewer.

/// Rows of one answer.
pub(crate) const MAX_ROWS: usize = 1000;
/// Problems and processes that are listed.
pub(crate) const MAX_LISTED: usize = 10_000;
/// Buffers that are listed.
pub(crate) const MAX_BUFFERS: usize = 100_000;
/// Bytes that all gzip files and archives together unpack to.
pub(crate) const MAX_UNPACKED: u64 = 1 << 30;
/// Nodes of a flame graph.
pub(crate) const MAX_NODES: usize = 20_000;
