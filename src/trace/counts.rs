//! Counts over the events of a file.

use std::collections::BTreeMap;

use crate::decode::Glance;
use crate::format::HeaderType;
use crate::time::RawTime;

/// Counts over all events of a trace.
#[derive(Clone, Debug)]
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
    /// While counting, the counts of events by hook id.
    pub(super) hooks: Vec<u64>,
    /// The hooks whose count in the array is not 0.
    counted_hooks: Vec<u16>,
}

/// Number of hook ids.
pub(super) const HOOKS: usize = 1 << 16;

impl Default for Counts {
    fn default() -> Self {
        // While counting, an array by hook id: a map lookup for each event would be slower.
        Self { hooks: vec![0; HOOKS], ..Self::without_hooks() }
    }
}

impl Counts {
    /// Counts nothing yet. `hooks` is an array of zeros.
    pub(super) fn with_hooks(hooks: Vec<u64>) -> Self {
        Self { hooks, ..Self::without_hooks() }
    }

    const fn without_hooks() -> Self {
        Self {
            events: 0,
            by_header: [0; HeaderType::ALL.len()],
            by_hook: BTreeMap::new(),
            by_item: BTreeMap::new(),
            payload_bytes: 0,
            buffers: 0,
            compressed_buffers: 0,
            time_inversions: 0,
            first_time: None,
            last_time: None,
            hooks: Vec::new(),
            counted_hooks: Vec::new(),
        }
    }

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
        self.compressed_buffers += other.compressed_buffers;
        self.time_inversions += other.time_inversions;
    }
}

impl Counts {
    /// Counts an event.
    #[inline]
    pub(super) fn add(&mut self, header: HeaderType, event: &Glance, inverted: bool) {
        self.events += 1;
        self.time_inversions += u64::from(inverted);
        if let Some(count) = self.by_header.get_mut(header.index()) {
            *count += 1;
        }
        if let Some(hook) = event.hook
            && let Some(count) = self.hooks.get_mut(usize::from(hook))
        {
            if *count == 0 {
                self.counted_hooks.push(hook);
            }
            *count += 1;
        }
        self.payload_bytes += event.payload as u64;
    }

    /// `header` is the time of the log-file header.
    pub(super) fn finish(&mut self, header: Option<RawTime>) {
        self.first_time = self.first_time.or(header);
        self.last_time = self.last_time.or(header);
        self.settle_hooks();
        self.hooks = Vec::new();
    }

    /// Moves the counts in the array of hooks to the map.
    pub(super) fn settle_hooks(&mut self) {
        for hook in self.counted_hooks.drain(..) {
            let count = self.hooks.get_mut(usize::from(hook)).map(std::mem::take).unwrap_or_default();
            *self.by_hook.entry(hook).or_default() += count;
        }
    }

    /// Adds the counts of a part of the same file.
    pub(super) fn add_part(&mut self, part: &Self) {
        self.add_file(part);
        // `None` is less than any time.
        self.first_time = self.first_time.iter().chain(&part.first_time).min().copied();
        self.last_time = self.last_time.max(part.last_time);
    }
}
