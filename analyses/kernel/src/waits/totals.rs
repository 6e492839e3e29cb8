//! Times of a thread.

use std::collections::BTreeMap;

use crate::schedule::{Slice, SliceKind, ThreadId};

/// What a thread did, in units of 100 ns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Totals {
    pub(crate) running: u64,
    pub(crate) ready: u64,
    pub(crate) waiting: u64,
    pub(crate) unknown: u64,
    /// How often it got a processor.
    pub(crate) switches: u64,
    /// How often it lost its processor and did not wait.
    pub(crate) preemptions: u64,
    pub(crate) longest_ready: Option<u64>,
    /// Waits and their time, by reason.
    pub(crate) reasons: BTreeMap<u8, (u64, u64)>,
}

impl Totals {
    /// Returns whether it had a processor.
    pub(crate) const fn has_run(&self) -> bool {
        self.running > 0 || self.switches > 0
    }

    pub(crate) fn add(&mut self, slice: &Slice) {
        let units = slice.units();
        match slice.kind {
            SliceKind::Running => {
                self.running += units;
                self.switches += u64::from(!slice.is_begun_before);
            }
            SliceKind::Ready => {
                self.ready += units;
                self.longest_ready = self.longest_ready.max(Some(units));
                let is_preempted = slice.departure.is_some_and(|departure| departure.is_ready());
                self.preemptions += u64::from(is_preempted && !slice.is_begun_before);
            }
            SliceKind::Waiting => {
                self.waiting += units;
                let reason = slice.departure.map_or(0, |departure| departure.reason);
                let (waits, sum) = self.reasons.entry(reason).or_default();
                *waits += u64::from(!slice.is_begun_before);
                *sum += units;
            }
            SliceKind::Unknown => self.unknown += units,
            SliceKind::Idle => {}
        }
    }
}

/// The activity of each thread; `None` of those that were not there in the window.
#[derive(Clone, Debug, Default)]
pub struct ThreadTotals(Vec<Option<Totals>>);

impl ThreadTotals {
    pub(crate) fn add_all(&mut self, slices: &[Slice]) {
        for slice in slices {
            self.add(slice);
        }
    }

    fn add(&mut self, slice: &Slice) {
        let Some(ThreadId(place)) = slice.thread else { return };
        let place = place as usize;
        if place >= self.0.len() {
            self.0.resize(place + 1, None);
        }
        if let Some(totals) = self.0.get_mut(place) {
            totals.get_or_insert_default().add(slice);
        }
    }

    /// Returns what a thread did; `None` if it was not there in the window.
    pub(crate) fn get(&self, thread: ThreadId) -> Option<&Totals> {
        self.0.get(thread.0 as usize)?.as_ref()
    }
}
