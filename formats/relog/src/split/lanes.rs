//! How large a file becomes: its events fill buffers of each processor.

use std::collections::BTreeMap;

use crate::writer::{EventBytes, Fill, size_of_buffer};
use etwkit::format::BufferHeader;

/// Which files an event is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whose {
    /// All of them.
    All,
    /// The one that is counted.
    Part,
}

/// The buffers of all processors, in the part that is counted.
#[derive(Debug)]
pub(super) struct Lanes {
    /// Bytes of the first buffer.
    header: u64,
    /// Bytes of events in a buffer.
    room: usize,
    by_processor: BTreeMap<u16, Lane>,
    /// The sum of [`Lane::most_bytes`].
    sum: u64,
}

/// The buffers of one processor.
#[derive(Clone, Copy, Debug, Default)]
struct Lane {
    /// What is in the part so far.
    part: Filled,
    /// What of it is in all files.
    shared: Filled,
    /// As `part`, if it began at the time `now`.
    next: Filled,
    now: Option<i64>,
    /// All that will be in all files ...
    expected: Filled,
    /// ... and how many bytes of it are to come.
    to_come: u64,
    /// All that will be in one of the files each, and the bytes of the largest event of it.
    own: Filled,
    largest: usize,
}

/// A buffer has room for events of a part if so many of them would fill it.
const LEAST_SHARE: usize = 8;

/// Buffers that are filled one after the other.
#[derive(Clone, Copy, Debug, Default)]
struct Filled {
    /// Bytes of buffers before the last one.
    before: u64,
    last: Fill,
}

impl Filled {
    fn add(&mut self, event: &EventBytes<'_>, room: usize) {
        if self.last.ends_before(event, room) {
            self.before = self.bytes(room);
            self.last = Fill::default();
        }
        self.last.add(event);
    }

    fn bytes(&self, room: usize) -> u64 {
        let last = if self.last.used > 0 { size_of_buffer(room + BufferHeader::SIZE, self.last.used) } else { 0 };
        self.before + last as u64
    }
}

impl Lane {
    /// Returns the most bytes that the buffers of the part take in the end: what is there, and what is to come as if it
    /// began buffers of its own, unless the last buffer has room for it.
    fn most_bytes(&self, room: usize) -> u64 {
        let there = self.part.bytes(room);
        let has_room = self.part.last.used > 0 && self.part.last.used as u64 + self.to_come <= room as u64;
        if self.to_come == 0 || has_room {
            return there;
        }
        // Events that are put after others fill one buffer less than alone at most.
        let to_come = self.expected.bytes(room).saturating_sub(self.shared.bytes(room));
        there + to_come + if self.shared.last.used > 0 { (room + BufferHeader::SIZE) as u64 } else { 0 }
    }

    /// Returns the bytes of another buffer, if what is in all files leaves no room for events of a part in its own.
    fn another(&self, room: usize) -> u64 {
        let Filled { before, last } = self.expected;
        // As much as they have, or as much as is worth while.
        let all = if self.own.before == 0 { self.own.last.used } else { usize::MAX };
        let wanted = all.min(self.largest.max(room / LEAST_SHARE));
        let has_room = before == 0 && last.used > 0 && last.used + wanted <= room;
        if self.largest == 0 || has_room { 0 } else { size_of_buffer(room + BufferHeader::SIZE, self.largest) as u64 }
    }

    /// Begins a part at a time; what is of this time is in it.
    fn begin(&mut self, time: i64) {
        self.part = if self.now == Some(time) { self.next } else { self.shared };
    }
}

impl Lanes {
    pub(super) fn new(header: u64, room: usize) -> Self {
        Self { header, room, by_processor: BTreeMap::new(), sum: 0 }
    }

    /// Counts an event that will be in all files.
    pub(super) fn expect(&mut self, event: &EventBytes<'_>) {
        let room = self.room;
        self.change(event.processor, |lane| {
            lane.expected.add(event, room);
            lane.to_come += event.bytes.len().next_multiple_of(8) as u64;
        });
    }

    /// Counts an event that will be in one of the files.
    pub(super) fn expect_own(&mut self, event: &EventBytes<'_>) {
        let room = self.room;
        self.change(event.processor, |lane| {
            lane.own.add(event, room);
            lane.largest = lane.largest.max(event.bytes.len().next_multiple_of(8));
        });
    }

    /// Adds the next event, in order of time.
    pub(super) fn add(&mut self, event: &EventBytes<'_>, time: i64, whose: Whose) {
        let room = self.room;
        self.change(event.processor, |lane| {
            if lane.now != Some(time) {
                (lane.next, lane.now) = (lane.shared, Some(time));
            }
            lane.part.add(event, room);
            lane.next.add(event, room);
            if whose == Whose::All {
                lane.shared.add(event, room);
                lane.to_come = lane.to_come.saturating_sub(event.bytes.len().next_multiple_of(8) as u64);
            }
        });
    }

    /// Begins another part with the events of this time.
    pub(super) fn begin_part(&mut self, time: i64) {
        self.by_processor.values_mut().for_each(|lane| lane.begin(time));
        self.sum = self.by_processor.values().map(|lane| lane.most_bytes(self.room)).sum();
    }

    /// Returns the most bytes of a file with the events so far, and all that is to come for every file.
    pub(super) const fn bytes(&self) -> u64 {
        self.header + self.sum
    }

    /// Returns the bytes of a file that has only what every file has.
    pub(super) fn bytes_of_shared(&self) -> u64 {
        self.header + self.by_processor.values().map(|lane| lane.expected.bytes(self.room)).sum::<u64>()
    }

    /// Returns the bytes of a file that has room for an event of any processor beside that.
    pub(super) fn least_bytes(&self) -> u64 {
        self.bytes_of_shared() + self.by_processor.values().map(|lane| lane.another(self.room)).max().unwrap_or(0)
    }

    /// Returns the bytes of a file that has room for events of all processors at once, wherever what all files have is
    /// among them: [`Lane::most_bytes`] counts a buffer more where that fills several.
    pub(super) fn enough_bytes(&self) -> u64 {
        let of_lane = |lane: &Lane| lane.another(self.room) * if lane.expected.before > 0 { 2 } else { 1 };
        self.bytes_of_shared() + self.by_processor.values().map(of_lane).sum::<u64>()
    }

    /// Returns the bytes of the buffers that events fill which are not in all files.
    pub(super) fn own_bytes(&self) -> u64 {
        self.by_processor.values().map(|lane| lane.own.bytes(self.room)).sum()
    }

    fn change(&mut self, processor: u16, change: impl FnOnce(&mut Lane)) {
        let lane = self.by_processor.entry(processor).or_default();
        self.sum -= lane.most_bytes(self.room);
        change(lane);
        self.sum += lane.most_bytes(self.room);
    }
}
