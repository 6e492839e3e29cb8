//! Limits on what a crafted trace can make an analysis keep.

/// Things that `--each` lists.
pub(crate) const MOST_EACH: usize = 1 << 22;
/// Operations that have begun and not ended.
pub(crate) const MOST_OPEN: usize = 1 << 18;
/// Disks.
pub(crate) const MOST_DISKS: usize = 1 << 10;
