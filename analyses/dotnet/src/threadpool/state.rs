//! The thread pool of one process.

use std::collections::BTreeMap;

use etwkit::FileTime;
use etwkit_analysis::Excess;

use crate::processes::{Bounded, MOST};

use super::fact::{Adjustment, By, ThreadPoolFact, What};
use super::queue::Queue;

/// The thread pool of a process.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pool {
    /// Whether any event of it counts.
    pub(super) is_counted: bool,
    pub(super) worker_starts: u64,
    pub(super) worker_stops: u64,
    pub(super) workers_max: Option<u32>,
    pub(super) io_starts: u64,
    pub(super) io_stops: u64,
    pub(super) io_max: Option<u32>,
    pub(super) throughput_max: Option<f64>,
    pub(super) adjustments: Vec<(FileTime, Adjustment)>,
    /// How many adjustments have each reason.
    pub(super) reasons: BTreeMap<u32, u64>,
    runtime: Queue,
    framework: Queue,
    excess: Excess,
}

impl Bounded for Pool {
    fn excess(&self) -> u64 {
        self.excess.count() + self.queue().excess()
    }
}

impl Pool {
    pub(super) fn take(&mut self, fact: ThreadPoolFact, is_chosen: bool) {
        let ThreadPoolFact { origin, what } = fact;
        let time = origin.time;
        self.is_counted |= is_chosen;
        match what {
            What::Enqueued { item, by } => self.queue_of(by).push(item, time, is_chosen),
            What::Dequeued { item, by } => self.queue_of(by).pop(item, time, is_chosen),
            _ if !is_chosen => {}
            What::WorkerStart { active } => {
                self.worker_starts += 1;
                self.workers_max = self.workers_max.max(Some(active));
            }
            What::WorkerStop => self.worker_stops += 1,
            What::IoStart { threads } => {
                self.io_starts += 1;
                self.io_max = self.io_max.max(Some(threads));
            }
            What::IoStop => self.io_stops += 1,
            What::Sample { throughput } => self.measured(Some(throughput)),
            What::Adjusted(adjustment) => self.adjusted(time, adjustment),
        }
    }

    fn adjusted(&mut self, time: FileTime, adjustment: Adjustment) {
        self.workers_max = self.workers_max.max(Some(adjustment.workers));
        self.measured(adjustment.throughput);
        if self.excess.admits(self.adjustments.len(), MOST) {
            *self.reasons.entry(adjustment.reason).or_default() += 1;
            self.adjustments.push((time, adjustment));
        }
    }

    fn measured(&mut self, throughput: Option<f64>) {
        self.throughput_max = self.throughput_max.into_iter().chain(throughput).reduce(f64::max);
    }

    const fn queue_of(&mut self, by: By) -> &mut Queue {
        match by {
            By::Runtime => &mut self.runtime,
            By::Framework => &mut self.framework,
        }
    }

    /// Returns the queue: as the runtime reports it, else as the framework does. Both may report the same items.
    pub(super) const fn queue(&self) -> &Queue {
        if self.runtime.is_reported() { &self.runtime } else { &self.framework }
    }
}
