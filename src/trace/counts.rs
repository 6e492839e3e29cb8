//! Counts over the events of a file.

use std::collections::BTreeMap;

use crate::decode::Tally;
use crate::format::HeaderType;
use crate::time::RawTime;

use super::stated_losses::StatedLosses;

/// Counts over all events of a trace.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Counts {
    /// Events.
    pub events: u64,
    /// Events of each header type, by [`HeaderType::index`].
    pub by_header: [u64; HeaderType::ALL.len()],
    /// Kernel events by hook id.
    pub by_hook: BTreeMap<u16, u64>,
    /// Extended items by type.
    pub by_item: BTreeMap<u16, u64>,
    /// Bytes of payload.
    pub payload_bytes: u64,
    /// Buffers.
    pub buffers: u64,
    /// Buffers that are compressed.
    pub compressed_buffers: u64,
    /// Events that are earlier than the one before them in their buffer.
    pub time_inversions: u64,
    /// Earliest raw time stamp. That of the log-file header counts only if there is no other event: it has the
    /// session's start, and in relogged files when they were written.
    pub first_time: Option<RawTime>,
    /// Latest raw time stamp, in the same sense.
    pub last_time: Option<RawTime>,
    pub(super) losses: StatedLosses,
}

impl Counts {
    /// Adds the counts of another file. Times and the clock that they are of are left alone.
    pub(super) fn add_file(&mut self, other: &Self) {
        let Self { events, by_header, by_hook, by_item, payload_bytes, buffers, .. } = self;
        *events += other.events;
        *payload_bytes += other.payload_bytes;
        *buffers += other.buffers;
        by_header.iter_mut().zip(other.by_header).for_each(|(sum, more)| *sum += more);
        for (hook, count) in &other.by_hook {
            *by_hook.entry(*hook).or_default() += count;
        }
        for (item, count) in &other.by_item {
            *by_item.entry(*item).or_default() += count;
        }
        self.losses.add(&other.losses);
        self.compressed_buffers += other.compressed_buffers;
        self.time_inversions += other.time_inversions;
    }

    /// Counts events.
    pub(super) fn add(&mut self, tally: &Tally) {
        self.events += tally.events;
        self.payload_bytes += tally.payload;
        if let Some(count) = self.by_header.get_mut(tally.header.index()) {
            *count += tally.events;
        }
        if let Some(loss) = tally.loss {
            self.losses.add_events(loss, tally.events);
        }
        if let Some(hook) = tally.hook {
            *self.by_hook.entry(hook).or_default() += tally.events;
        }
    }

    /// `header` is the time of the log-file header.
    pub(super) fn finish(&mut self, header: Option<RawTime>) {
        self.first_time = self.first_time.or(header);
        self.last_time = self.last_time.or(header);
    }

    /// Adds the counts of a part of the same file.
    pub(super) fn add_part(&mut self, part: &Self) {
        self.add_file(part);
        // `None` is less than any time.
        self.first_time = self.first_time.iter().chain(&part.first_time).min().copied();
        self.last_time = self.last_time.max(part.last_time);
    }
}
