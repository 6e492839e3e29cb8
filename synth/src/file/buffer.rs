//! One buffer: its events and everything its header can state (section 2).

use crate::compress;
use crate::event::Event;
use crate::guid::Guid;

/// `BufferFlag` bits (`ntwmi.h`; section 2.3).
pub mod buffer_flag {
    /// Last buffer of a flush.
    pub const FLUSH_MARKER: u16 = 0x01;
    /// Events were lost before this buffer.
    pub const EVENTS_LOST: u16 = 0x02;
    /// A buffer was lost before this one.
    pub const BUFFER_LOST: u16 = 0x04;
    /// Damaged backup of a real-time session.
    pub const RTBACKUP_CORRUPT: u16 = 0x08;
    /// Backup of a real-time session.
    pub const RTBACKUP: u16 = 0x10;
    /// The processor is a u16 index.
    pub const PROC_INDEX: u16 = 0x20;
    /// Compressed.
    pub const COMPRESSED: u16 = 0x40;
}

/// How the event area of a buffer is packed. A file does not state which; only XPRESS is known from real ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// Plain LZ77.
    Xpress,
    /// LZ77 with Huffman codes.
    XpressHuffman,
    /// LZNT1.
    Lznt1,
}

impl Compression {
    pub(super) fn pack(self, area: &[u8]) -> Vec<u8> {
        match self {
            Self::Xpress => compress::xpress::compress(area),
            Self::XpressHuffman => compress::huffman::compress(area),
            Self::Lznt1 => compress::lznt1::compress(area),
        }
    }
}

/// A buffer to be written. What is not set is derived when the file is built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Buffer {
    pub(super) processor: u16,
    pub(super) logger_id: u16,
    pub(super) state: u32,
    pub(super) flags: u16,
    pub(super) kind: u16,
    pub(super) sequence: Option<i64>,
    pub(super) flushed_at: Option<i64>,
    pub(super) size: Option<u32>,
    pub(super) offsets: Option<(u32, u32)>,
    pub(super) reference_count: i32,
    pub(super) reference_time: (i64, i64),
    pub(super) clock_word: Option<u64>,
    pub(super) instance: Guid,
    pub(super) lost_events: u32,
    pub(super) restarts: bool,
    pub(super) exact_end: bool,
    pub(super) stream: Stream,
    pub(super) events: Vec<Event>,
}

/// How the body is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Stream {
    Plain,
    Packed { with: Compression, trailer: bool },
    Cut { with: Compression, events: usize },
    Garbage(Vec<u8>),
}

impl Buffer {
    /// An empty generic buffer of a processor.
    pub fn on(processor: u16) -> Self {
        Self {
            processor,
            logger_id: 0x15,
            state: 3,
            flags: 0,
            kind: 0,
            sequence: None,
            flushed_at: None,
            size: None,
            offsets: None,
            reference_count: 0,
            reference_time: (0, 0),
            clock_word: None,
            instance: Guid::NIL,
            lost_events: 0,
            restarts: false,
            exact_end: false,
            stream: Stream::Plain,
            events: Vec::new(),
        }
    }

    /// Appends an event.
    #[must_use]
    pub fn event(mut self, event: impl Into<Event>) -> Self {
        self.events.push(event.into());
        self
    }

    /// Appends events.
    #[must_use]
    pub fn events<E: Into<Event>>(mut self, events: impl IntoIterator<Item = E>) -> Self {
        self.events.extend(events.into_iter().map(Into::into));
        self
    }

    /// Session number, stored next to the processor.
    #[must_use]
    pub fn logger_id(mut self, logger_id: u16) -> Self {
        self.logger_id = logger_id;
        self
    }

    /// `State`: 0 free to 6 placeholder; 3 (flush) in ordinary files.
    #[must_use]
    pub fn state(mut self, state: u32) -> Self {
        self.state = state;
        self
    }

    /// Further [`buffer_flag`] bits; those of layout, compression and the last buffer come by themselves.
    #[must_use]
    pub fn flags(mut self, flags: u16) -> Self {
        self.flags = flags;
        self
    }

    /// `BufferType`: 0 generic, 1 rundown, 2 context swap, 3 reference time, 5 batched, 6 empty, 7 debug info.
    #[must_use]
    pub fn kind(mut self, kind: u16) -> Self {
        self.kind = kind;
        self
    }

    /// Sequence number; otherwise one more than the buffer before.
    #[must_use]
    pub fn sequence(mut self, sequence: i64) -> Self {
        self.sequence = Some(sequence);
        self
    }

    /// Time of the flush; otherwise that of the last event.
    #[must_use]
    pub fn flushed_at(mut self, time: i64) -> Self {
        self.flushed_at = Some(time);
        self
    }

    /// `BufferSize` of this buffer, if it is not the session's.
    #[must_use]
    pub fn size(mut self, size: u32) -> Self {
        self.size = Some(size);
        self
    }

    /// `SavedOffset` and `CurrentOffset`, which no reader may trust.
    #[must_use]
    pub fn garbage_offsets(mut self, saved: u32, current: u32) -> Self {
        self.offsets = Some((saved, current));
        self
    }

    /// `ReferenceCount`; before Vista it is at offset 0.
    #[must_use]
    pub fn reference_count(mut self, count: i32) -> Self {
        self.reference_count = count;
        self
    }

    /// FILETIME and QPC taken when the buffer was opened.
    #[must_use]
    pub fn reference_time(mut self, start_time: i64, start_clock: i64) -> Self {
        self.reference_time = (start_time, start_clock);
        self
    }

    /// The u64 at 0x20: clock bits, or a leftover pointer.
    #[must_use]
    pub fn clock_word(mut self, word: u64) -> Self {
        self.clock_word = Some(word);
        self
    }

    /// Before Vista: the GUID at 0x18 and the count of lost events at 0x34.
    #[must_use]
    pub fn pre_vista(mut self, instance: Guid, lost_events: u32) -> Self {
        (self.instance, self.lost_events) = (instance, lost_events);
        self
    }

    /// This buffer is the first of a further session in an append file: its sequence number is 1 again.
    #[must_use]
    pub fn restarts_session(mut self) -> Self {
        self.restarts = true;
        self
    }

    /// States the used length as the end of the last event, not rounded up to 8.
    #[must_use]
    pub fn exact_end(mut self) -> Self {
        self.exact_end = true;
        self
    }

    /// Compresses the body, if that makes it smaller.
    #[must_use]
    pub fn compress(mut self, with: Compression) -> Self {
        self.stream = Stream::Packed { with, trailer: false };
        self
    }

    /// The same, followed by four FF bytes: a flag word that was opened and not used.
    #[must_use]
    pub fn compress_with_trailer(mut self, with: Compression) -> Self {
        self.stream = Stream::Packed { with, trailer: true };
        self
    }

    /// Damage: the stream ends after the first `events` events although the header promises all.
    #[must_use]
    pub fn compress_and_cut(mut self, with: Compression, events: usize) -> Self {
        self.stream = Stream::Cut { with, events };
        self
    }

    /// Damage: these bytes replace the compressed stream; nothing can be read.
    #[must_use]
    pub fn garbage_stream(mut self, bytes: &[u8]) -> Self {
        self.stream = Stream::Garbage(bytes.to_vec());
        self
    }

    pub(super) fn last_time(&self) -> Option<i64> {
        self.events.iter().filter_map(|event| event.time).max()
    }
}
