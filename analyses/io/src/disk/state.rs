//! Whose transfers they are, and how long disks served them.

use std::collections::HashMap;

use etwkit::FileTime;
use etwkit_analysis::{Excess, milliseconds};

use super::fact::{Disk, DiskFact, Issuer, Operation, Request, Transfer, What};
use crate::limits::{MOST_DISKS, MOST_OPEN};

/// What is known between events.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    /// Who asked for what is not done, and whether the filter chooses the event that states it.
    begun: HashMap<Request, (Issuer, bool)>,
    /// When each disk was last done.
    done: HashMap<Disk, FileTime>,
    /// Transfers whose issuer, or whose disk, has no room.
    excess: Excess,
}

impl State {
    /// Takes what an event states. Returns a transfer that is done and counts, and the milliseconds that the disk
    /// served it. The event of the end states all of it, and decides whether it counts, unless only another one states
    /// who asked.
    pub(super) fn take(&mut self, DiskFact(fact): DiskFact, is_chosen: bool) -> Option<(Transfer, Option<f64>)> {
        match fact {
            What::Begun(request, issuer) => {
                self.excess.insert(&mut self.begun, (request, (issuer, is_chosen)), MOST_OPEN);
                None
            }
            What::Done(mut transfer) => {
                // Where no event states who asked, it is the process that ran when the disk was done, as for
                // TraceEvent.
                let begun = transfer.request.and_then(|request| self.begun.remove(&request));
                let (issuer, is_counted) = begun.unwrap_or((transfer.issuer, is_chosen));
                transfer.issuer = issuer;
                let served = self.served(&transfer);
                is_counted.then_some((transfer, served))
            }
        }
    }

    pub(super) const fn excess(&self) -> u64 {
        self.excess.count()
    }

    /// Returns the milliseconds that a disk served a transfer: it waits while the disk is busy with the one before.
    /// This is the `DiskServiceTimeMSec` of TraceEvent, which is of reads and writes only.
    fn served(&mut self, transfer: &Transfer) -> Option<f64> {
        let elapsed = transfer.elapsed?;
        if transfer.operation == Operation::Flush {
            return None;
        }
        let before = self.excess.insert(&mut self.done, (transfer.disk, transfer.time), MOST_DISKS);
        Some(before.map_or(elapsed, |before| elapsed.min(milliseconds(before, transfer.time))))
    }
}
