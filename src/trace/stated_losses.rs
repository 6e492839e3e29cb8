//! Losses that buffers and events of a file state.

use crate::format::LossEvent;

/// Losses of a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Losses {
    /// Events.
    pub events: u64,
    /// Buffers.
    pub buffers: u64,
    /// Files of a session in real time, which keep events that its consumer does not take in time.
    pub backups: u64,
}

/// The losses that buffers and events of a file state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct StatedLosses {
    /// Events, by headers of buffers.
    pub(super) by_buffers: u64,
    /// By events of class `RT_LostEvent`.
    pub(super) by_events: Losses,
}

impl StatedLosses {
    /// Notes the count of lost events that a buffer has.
    pub(super) fn add_buffer(&mut self, events: u32) {
        self.by_buffers = self.by_buffers.saturating_add(events.into());
    }

    /// Counts events that state a loss.
    pub(super) const fn add_events(&mut self, loss: LossEvent, events: u64) {
        match loss {
            LossEvent::Event => self.by_events.events += events,
            LossEvent::Buffer => self.by_events.buffers += events,
            LossEvent::File => self.by_events.backups += events,
        }
    }

    /// Adds those of another file or part.
    pub(super) const fn add(&mut self, other: &Self) {
        self.by_buffers = self.by_buffers.saturating_add(other.by_buffers);
        self.by_events.events += other.by_events.events;
        self.by_events.buffers += other.by_events.buffers;
        self.by_events.backups += other.by_events.backups;
    }
}
