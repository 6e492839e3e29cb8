//! Limits on what a crafted trace can make an analysis keep.

/// Things that `--each` lists.
pub(crate) const MOST_EACH: usize = 1 << 22;
/// Operations that have begun and not ended.
pub(crate) const MOST_OPEN: usize = 1 << 18;
/// Those of one activity or thread.
pub(crate) const MOST_NESTED: usize = 1 << 8;
/// Processors whose frequencies are followed.
pub(crate) const MOST_PROCESSORS: usize = 1 << 16;
/// Intervals between frames, for percentiles.
pub(crate) const MOST_INTERVALS: usize = 1 << 22;
