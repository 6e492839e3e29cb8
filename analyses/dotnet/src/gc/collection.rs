//! A garbage collection.

use etwkit::FileTime;

use super::cpu::CollectionCpu;
use super::heap::HeapStats;
use super::history::HeapHistory;
use super::marks::ROOTS;

/// A garbage collection.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Collection {
    pub(super) number: u32,
    pub(super) generation: u32,
    pub(super) reason: u32,
    pub(super) kind: u32,
    pub(super) start: FileTime,
    pub(super) stop: Option<FileTime>,
    /// Milliseconds in which the program was suspended for it.
    pub(super) pause: f64,
    /// Milliseconds until the program was suspended.
    pub(super) suspend: Option<f64>,
    pub(super) stats: Option<HeapStats>,
    pub(super) history: Option<HeapHistory>,
    /// Bytes that were allocated since the collection before.
    pub(super) allocated: u64,
    /// Milliseconds of marking by kind of roots.
    pub(super) marks: [Option<f64>; ROOTS],
    /// Milliseconds from the statistics of the collection before until its pause began.
    pub(super) since_last: Option<f64>,
    pub(super) cpu: CollectionCpu,
}

impl Collection {
    /// Returns its pause as a share of the time since the collection before, in per cent.
    pub(super) fn pause_percent(&self) -> Option<f64> {
        let all = self.pause + self.since_last?;
        (all > 0.0).then(|| self.pause * 100.0 / all)
    }

    /// Returns the megabytes (10^6 bytes) that were allocated per second since the collection before.
    #[expect(clippy::cast_precision_loss, reason = "bytes of a process are below 2^53")]
    pub(super) fn allocation_rate(&self) -> Option<f64> {
        let since = self.since_last.filter(|since| *since > 0.0)?;
        Some(self.allocated as f64 / 1e6 * 1000.0 / since)
    }
}
