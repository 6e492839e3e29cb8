//! What collections add up to.

use etwkit::FileTime;
use etwkit_analysis::Measures;

use super::collection::Collection;
use super::names::{BACKGROUND, is_induced};

/// Sums and maxima of collections.
#[derive(Clone, Debug, Default)]
pub(super) struct Sums {
    pub(super) pauses: Measures,
    /// Collections up to each generation.
    pub(super) of_generation: [u64; 3],
    /// When the first pause began.
    pub(super) first: Option<FileTime>,
    pub(super) heap_bytes_max: Option<u64>,
    pub(super) background: u64,
    pub(super) induced: u64,
    pub(super) alloc_mb_s_max: Option<f64>,
    pub(super) promoted_bytes: u64,
    pub(super) pinned_objects_max: Option<u32>,
    pub(super) gc_handles_max: Option<u32>,
    pub(super) before_bytes_max: Option<u64>,
}

impl Sums {
    /// Adds a collection, whose pause began at a time.
    pub(super) fn add(&mut self, gc: &Collection, pause_start: FileTime) {
        self.pauses.add(Some(gc.pause));
        if let Some(count) = self.of_generation.get_mut(gc.generation as usize) {
            *count += 1;
        }
        self.first = Some(self.first.map_or(pause_start, |first| first.min(pause_start)));
        self.background += u64::from(gc.kind == BACKGROUND);
        self.induced += u64::from(is_induced(gc.reason));
        self.alloc_mb_s_max = self.alloc_mb_s_max.into_iter().chain(gc.allocation_rate()).reduce(f64::max);
        if let Some(stats) = &gc.stats {
            self.heap_bytes_max = self.heap_bytes_max.max(Some(stats.size()));
            self.promoted_bytes = self.promoted_bytes.wrapping_add(stats.promoted());
            self.pinned_objects_max = self.pinned_objects_max.max(stats.pinned_objects);
            self.gc_handles_max = self.gc_handles_max.max(stats.handles);
        }
        if let Some(history) = &gc.history {
            self.before_bytes_max = self.before_bytes_max.max(Some(history.size_before()));
        }
    }
}
