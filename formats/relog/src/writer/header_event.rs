//! The first event of a file, whose payload is `TRACE_LOGFILE_HEADER` (section 4 of the format).

use etwkit::bytes::PointerSize;
use etwkit::event::{NO_ID, RawEvent};
use etwkit::format::{LogFileHeader, LogFileMode};
use etwkit::{FileTime, RawTime};

/// The header types of a `SYSTEM_TRACE_HEADER` with pointers of eight and of four bytes.
const WIDE: u8 = 2;
const NARROW: u8 = 1;
/// Bytes of a `SYSTEM_TRACE_HEADER`.
const SYSTEM_HEADER: usize = 32;
/// Maximum number of units of UTF-16 of a name in the header.
const MOST_UNITS: usize = 1_024;

/// Returns where the names are in the payload.
const fn names_at(pointer: PointerSize) -> usize {
    match pointer {
        PointerSize::Eight => 0x118,
        PointerSize::Four => 0x110,
    }
}

/// The log-file header event, as it is written.
#[derive(Clone, Debug)]
pub(super) struct HeaderEvent {
    pub(super) bytes: Vec<u8>,
}

impl HeaderEvent {
    /// Copies the header event of a trace with another session name. The log file name stays.
    pub(super) fn copy_of(event: &RawEvent<'_>, log: &LogFileHeader, session: &str) -> Self {
        let pointer = event.pointer_size();
        let mut copy = Self::empty(pointer);
        copy.put(0, &[event.version()]);
        copy.put(THREAD, &event.tid().unwrap_or(NO_ID).to_le_bytes());
        copy.put(PROCESS, &event.pid().unwrap_or(NO_ID).to_le_bytes());
        copy.put(TIME, &event.time().0.to_le_bytes());
        let (kernel, user) = event.header().processor_times().unwrap_or_default();
        copy.put(KERNEL_TIME, &kernel.to_le_bytes());
        copy.put(USER_TIME, &user.to_le_bytes());
        let payload = event.payload();
        let fixed = payload.len().min(names_at(pointer));
        copy.put(SYSTEM_HEADER, payload.get(..fixed).unwrap_or_default());
        copy.with_names(session, &log.log_file)
    }

    /// Makes a header event for a trace that has none. Its clock counts 100 ns from 1601, so that times are as raw as
    /// they were.
    pub(super) fn unknown(session: &str) -> Self {
        let mut event = Self::empty(PointerSize::Eight);
        event.put(0, &[2]);
        event.put(SYSTEM_HEADER + VERSION, &[10, 0, 1, 5]);
        event.put(SYSTEM_HEADER + PROCESSORS, &1_u32.to_le_bytes());
        event.put(SYSTEM_HEADER + START_BUFFERS, &1_u32.to_le_bytes());
        event.put(SYSTEM_HEADER + POINTER_SIZE, &8_u32.to_le_bytes());
        event.put(SYSTEM_HEADER + CLOCK, &2_u32.to_le_bytes());
        event.with_names(session, "")
    }

    /// A header event of zeros, up to the names.
    fn empty(pointer: PointerSize) -> Self {
        let mut event = Self { bytes: vec![0; SYSTEM_HEADER + names_at(pointer)] };
        event.put(2, &[if pointer == PointerSize::Eight { WIDE } else { NARROW }, 0xC0]);
        event
    }

    /// Sets what the writer decides. The event must have been made by one of the functions above.
    pub(super) fn set(&mut self, facts: &Facts) {
        self.put(SYSTEM_HEADER + BUFFER_SIZE, &facts.buffer_size.to_le_bytes());
        self.put(SYSTEM_HEADER + VERSION + 2, &facts.log_version);
        self.put(SYSTEM_HEADER + END_TIME, &facts.end_time.0.to_le_bytes());
        self.put(SYSTEM_HEADER + MAXIMUM_FILE_SIZE, &[0; 4]);
        self.put(SYSTEM_HEADER + MODE, &facts.mode.0.to_le_bytes());
        self.put(SYSTEM_HEADER + BUFFERS_WRITTEN, &facts.buffers_written.to_le_bytes());
        self.put(SYSTEM_HEADER + EVENTS_LOST, &facts.events_lost.to_le_bytes());
        self.put(SYSTEM_HEADER + self.buffers_lost_at(), &facts.buffers_lost.to_le_bytes());
    }

    /// Returns where `BuffersLost` is in the payload: the last word before the names.
    fn buffers_lost_at(&self) -> usize {
        let is_wide = self.bytes.get(2) == Some(&WIDE);
        names_at(if is_wide { PointerSize::Eight } else { PointerSize::Four }) - 4
    }

    /// Returns the raw time stamp.
    pub(super) fn time(&self) -> RawTime {
        let bytes = self.bytes.get(TIME..).and_then(|rest| rest.first_chunk());
        RawTime(bytes.map_or(0, |bytes| i64::from_le_bytes(*bytes)))
    }

    fn with_names(mut self, session: &str, file: &str) -> Self {
        for name in [session, file] {
            self.bytes.extend(name.encode_utf16().take(MOST_UNITS).chain([0]).flat_map(u16::to_le_bytes));
        }
        let len = self.bytes.len() as u16;
        self.put(SIZE, &len.to_le_bytes());
        self
    }

    fn put(&mut self, at: usize, bytes: &[u8]) {
        if let Some(place) = self.bytes.get_mut(at..at + bytes.len()) {
            place.copy_from_slice(bytes);
        }
    }
}

/// Offsets in the header of the event.
const SIZE: usize = 4;
const THREAD: usize = 8;
const PROCESS: usize = 12;
const TIME: usize = 16;
const KERNEL_TIME: usize = 24;
const USER_TIME: usize = 28;
/// Offsets in its payload.
const BUFFER_SIZE: usize = 0;
const VERSION: usize = 4;
const PROCESSORS: usize = 0x0C;
const END_TIME: usize = 0x10;
const MAXIMUM_FILE_SIZE: usize = 0x1C;
const MODE: usize = 0x20;
const BUFFERS_WRITTEN: usize = 0x24;
const START_BUFFERS: usize = 0x28;
const POINTER_SIZE: usize = 0x2C;
const EVENTS_LOST: usize = 0x30;
/// With pointers of eight bytes.
const CLOCK: usize = 0x110;

/// What the writer decides of a header.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    pub(super) buffer_size: u32,
    /// `SubVersion` and `SubMinorVersion`.
    pub(super) log_version: [u8; 2],
    pub(super) mode: LogFileMode,
    pub(super) end_time: FileTime,
    pub(super) buffers_written: u32,
    pub(super) events_lost: u32,
    pub(super) buffers_lost: u32,
}
