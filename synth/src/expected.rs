//! Ground truth of a built trace: what a reader must report about its bytes.

use crate::event::Event;
use crate::file::LogfileHeader;
use std::collections::BTreeMap;

/// Everything a correct reader finds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Expected {
    /// The log-file header; `None` if the bytes are not a trace, and then all lists are empty.
    pub header: Option<LogfileHeader>,
    /// Buffers in file order whose header is readable, the header buffer first; events and gaps refer to this list.
    pub buffers: Vec<ExpectedBuffer>,
    /// Readable events in file order, the log-file header event first.
    pub events: Vec<ExpectedEvent>,
    /// Byte ranges of the file that cannot be read as events or padding, in file order.
    pub gaps: Vec<Gap>,
    /// Indexes of buffers whose compressed stream is damaged.
    pub damaged_buffers: Vec<usize>,
    /// Zero bytes after the last buffer (preallocated file).
    pub zero_tail: usize,
}

/// One buffer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedBuffer {
    /// Position of its header in the file.
    pub offset: u64,
    /// Distance to the next buffer.
    pub size: u32,
    /// Used length with the header; of the unpacked content if compressed.
    pub used: u32,
    /// Whether the body is compressed.
    pub compressed: bool,
    /// Processor.
    pub processor: u16,
    /// Sequence number; none before Vista.
    pub sequence: Option<i64>,
    /// `BufferFlag` as written (not written before Vista).
    pub flags: u16,
    /// `BufferType` (not written before Vista).
    pub kind: u16,
    /// `State`.
    pub state: u32,
    /// How many readable events it has.
    pub events: usize,
}

/// One event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedEvent {
    /// Index of its buffer.
    pub buffer: usize,
    /// Offset from the start of its (unpacked) buffer.
    pub offset: u32,
    /// Position in the file; none in compressed buffers.
    pub position: Option<u64>,
    /// Processor of its buffer.
    pub processor: u16,
    /// FILETIME of its time stamp, if it has one.
    pub utc: Option<i64>,
    /// Header kind, raw time, ids, items, payload.
    pub event: Event,
}

/// A range of the file that cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Gap {
    /// First byte.
    pub offset: u64,
    /// Length.
    pub len: u64,
}

/// Totals over the readable events, keyed as in the corpus' truth file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// Events.
    pub events: u64,
    /// By [`HeaderKind::name`](crate::HeaderKind::name).
    pub by_header: BTreeMap<&'static str, u64>,
    /// By GUID in the header, lower case without braces; kernel events are not in it.
    pub by_provider: BTreeMap<String, u64>,
    /// By hook id, four lower-case hex digits.
    pub by_kernel_hook: BTreeMap<String, u64>,
    /// By type of extended items on disk (not the derived ones).
    pub by_extended_item: BTreeMap<u16, u64>,
    /// Bytes of all payloads, without headers, items and padding.
    pub payload_bytes: u64,
}

impl Expected {
    pub(crate) fn of(header: LogfileHeader) -> Self {
        Self { header: Some(header), ..Self::default() }
    }

    /// Returns whether the bytes are a trace at all.
    pub const fn is_trace(&self) -> bool {
        self.header.is_some()
    }

    /// Totals.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        self.events.iter().for_each(|expected| counts.add(&expected.event));
        counts
    }

    /// Indexes of `events` by raw time, equal times in file order (section 8.4).
    ///
    /// An event without a time has that of the event before it in its buffer (section 6).
    pub fn in_time_order(&self) -> Vec<usize> {
        let mut time = i64::MIN;
        let mut keyed = Vec::new();
        for (index, expected) in self.events.iter().enumerate() {
            let first = index == 0 || self.events[index - 1].buffer != expected.buffer;
            time = expected.event.time.unwrap_or(if first { i64::MIN } else { time });
            keyed.push((time, index));
        }
        keyed.sort_unstable();
        keyed.into_iter().map(|(_, index)| index).collect()
    }
}

impl Counts {
    fn add(&mut self, event: &Event) {
        self.events += 1;
        *self.by_header.entry(event.kind.name()).or_default() += 1;
        if let Some(hook) = event.hook {
            *self.by_kernel_hook.entry(format!("{hook:04x}")).or_default() += 1;
        }
        if let Some(provider) = event.provider {
            *self.by_provider.entry(provider.to_string()).or_default() += 1;
        }
        event.items.iter().for_each(|item| *self.by_extended_item.entry(item.kind).or_default() += 1);
        self.payload_bytes += event.payload().len() as u64;
    }
}
