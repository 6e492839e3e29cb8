//! Writes `.etl` files.
//!
//! A file is a row of buffers. The first one has the event with the header of the trace; the others have events of one
//! processor each, in the order of time, at multiples of eight bytes. No event spans buffers.

mod buffer;
mod fill;
mod header_event;
mod xpress;

use std::collections::BTreeMap;
use std::io::{self, Seek, SeekFrom, Write};

use etwkit::event::RawEvent;
use etwkit::format::{BufferHeader, LogFileHeader, LogFileMode};
use etwkit::limits::{MAX_EXPANSION, MAX_UNPACKED, UNPACKED_BUFFER};
use etwkit::{FileTime, RawTime};

use buffer::{Identity, Layout};
pub(crate) use fill::Fill;
use header_event::{Facts, HeaderEvent};
use xpress::Compressor;

/// How a file is written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WriteOptions {
    /// Compress buffers (XPRESS, plain LZ77), as Windows does when it merges files.
    pub compress: bool,
    /// Bytes of a buffer, with its header of 72 bytes. Rounded up to a multiple of 1,024. A larger event gets a larger
    /// buffer of its own.
    pub buffer_size: usize,
    /// The name of the session in the header.
    pub session: String,
}

impl WriteOptions {
    /// Buffers that are not compressed.
    pub fn new(session: &str, buffer_size: usize) -> Self {
        Self { compress: false, buffer_size, session: session.to_owned() }
    }

    /// Sets [`WriteOptions::compress`](field@WriteOptions::compress).
    #[must_use]
    pub const fn compress(mut self, compress: bool) -> Self {
        self.compress = compress;
        self
    }
}

/// An event as it is in a buffer, header and payload.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct EventBytes<'e> {
    /// The processor whose buffers have it.
    pub processor: u16,
    /// Raw time; that of the event before it, if it has none of its own.
    pub time: RawTime,
    /// Whether the time is in the header of the event. An event without one takes that of the event before it in its
    /// buffer; the first events of a buffer take that of the first one with a time, or 0.
    pub has_time: bool,
    /// All bytes, without padding.
    pub bytes: &'e [u8],
}

impl<'e> EventBytes<'e> {
    /// An event that has its own time.
    pub const fn new(processor: u16, time: RawTime, bytes: &'e [u8]) -> Self {
        Self { processor, time, has_time: true, bytes }
    }

    /// An event of a trace.
    pub fn of(event: &RawEvent<'e>) -> Self {
        Self { processor: event.processor(), time: event.time(), has_time: event.has_time(), bytes: event.bytes() }
    }
}

/// Counts of what was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Written {
    /// Events, without that of the header.
    pub events: u64,
    /// Buffers, with that of the header.
    pub buffers: u32,
    /// Bytes of the file.
    pub bytes: u64,
}

/// Writes a trace file. Events of one processor must come in the order of time.
#[derive(Debug)]
pub struct LogWriter<W> {
    out: W,
    layout: Layout,
    header: HeaderEvent,
    facts: Facts,
    compressor: Option<Compressor>,
    /// The buffer of each processor that is being filled.
    open: BTreeMap<u16, Open>,
    /// Memory of written buffers.
    image: Vec<u8>,
    written: Written,
    /// Bytes that readers still unpack beyond what each compressed buffer may have.
    unpack_room: u64,
    last: Option<i64>,
}

/// A buffer that is being filled.
#[derive(Debug, Default)]
struct Open {
    events: Vec<u8>,
    fill: Fill,
    /// `BufferFlag` of losses before it.
    lost: u16,
    /// The same of the buffer that the next event begins; 0 if it need not begin one.
    lost_next: u16,
}

/// Windows aligns the size of a buffer to this.
const GRANULE: usize = 1_024;
/// The largest buffer of files of version x.y.1.5, and the number of processors from which files have another version.
const LARGE_BUFFER: usize = 1 << 20;
/// The bytes of events in the largest buffer that can be read.
const MOST_EVENTS: usize = etwkit::limits::MAX_BUFFER - BufferHeader::SIZE;
const TOO_LARGE: &str =
    "messages without time stamps that have the time of one event take more than a buffer of 16 MiB";

impl<W: Write + Seek> LogWriter<W> {
    /// Begins a file: writes its first buffer with a copy of a trace's header event. The start of the trace, its clock,
    /// and what was lost stay as they are.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn copy_of(out: W, event: &RawEvent<'_>, log: &LogFileHeader, options: &WriteOptions) -> io::Result<Self> {
        Self::begin(out, HeaderEvent::copy_of(event, log, &options.session), log, options)
    }

    /// Begins a file for events of a trace without a header: its clock counts 100 ns from 1601.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn without_header(out: W, options: &WriteOptions) -> io::Result<Self> {
        let log = LogFileHeader::default();
        Self::begin(out, HeaderEvent::unknown(&options.session), &log, options)
    }

    fn begin(out: W, header: HeaderEvent, log: &LogFileHeader, options: &WriteOptions) -> io::Result<Self> {
        let least = BufferHeader::SIZE + header.bytes.len();
        let size = options.buffer_size.clamp(least, etwkit::limits::MAX_BUFFER).next_multiple_of(GRANULE);
        let [major, minor, sub, sub_minor] = log.version;
        let is_plain = !options.compress && size <= LARGE_BUFFER && log.processors <= 256;
        let log_version = match (is_plain, [sub, sub_minor]) {
            (false, _) => [2, 0],
            (true, [0 | 2, _]) => [1, 5],
            (true, known) => known,
        };
        let facts = Facts {
            buffer_size: size as u32,
            log_version,
            mode: mode_of_copy(log.mode, options.compress),
            end_time: log.end_time,
            buffers_written: 0,
            events_lost: log.events_lost,
            buffers_lost: log.buffers_lost,
        };
        let clock = u64::from(log.clock.0 & 7) | log.frequency.cast_unsigned() << 3;
        let layout = Layout { size, clock, has_index: (major, minor) >= (6, 2) || major == 0 };
        let compressor = options.compress.then(Compressor::default);
        let (open, image, written, last) = <_>::default();
        let unpack_room = MAX_UNPACKED;
        let mut writer = Self { out, layout, header, facts, compressor, open, image, written, unpack_room, last };
        writer.put_header()?;
        Ok(writer)
    }

    /// Returns the raw time of the header event, from which the trace counts.
    pub fn start(&self) -> RawTime {
        self.header.time()
    }

    /// Sets the end of the trace in the header.
    pub const fn set_end_time(&mut self, end: FileTime) {
        self.facts.end_time = end;
    }

    /// Sets how many events and buffers were lost.
    pub(crate) const fn set_losses(&mut self, events: u32, buffers: u32) {
        (self.facts.events_lost, self.facts.buffers_lost) = (events, buffers);
    }

    /// States losses before the next event of a processor, by flags of a buffer: it begins another one.
    pub(crate) fn lost_before(&mut self, processor: u16, flags: u16) {
        if flags != 0 {
            self.open.entry(processor).or_default().lost_next |= flags;
        }
    }

    /// Writes an event after those of its processor.
    ///
    /// # Errors
    ///
    /// Those of the output; `InvalidData` if events that must be in one buffer, because they have one time and only one
    /// of them states it, are larger than any buffer that can be read.
    pub fn event(&mut self, event: &EventBytes<'_>) -> io::Result<()> {
        let room = self.room();
        let open = self.open.entry(event.processor).or_default();
        let is_after_loss = open.lost_next != 0 && open.fill.may_end_before(event);
        if is_after_loss || open.fill.ends_before(event, room) {
            self.flush(event.processor, false)?;
        }
        let open = self.open.entry(event.processor).or_default();
        if open.fill.used == 0 {
            open.lost = std::mem::take(&mut open.lost_next);
        }
        if open.fill.bytes_with(event) > MOST_EVENTS {
            return Err(io::Error::new(io::ErrorKind::InvalidData, TOO_LARGE));
        }
        open.events.extend_from_slice(event.bytes);
        open.fill.add(event);
        open.events.resize(open.fill.used, 0);
        self.last = self.last.max(Some(event.time.0));
        self.written.events += 1;
        Ok(())
    }

    /// Returns the bytes that a buffer has for events. A larger event gets a larger buffer.
    pub(crate) const fn room(&self) -> usize {
        self.layout.size - BufferHeader::SIZE
    }

    /// Returns the bytes that were written.
    pub(crate) const fn bytes(&self) -> u64 {
        self.written.bytes
    }

    /// Returns the raw time of the last event.
    pub fn last_time(&self) -> Option<RawTime> {
        self.last.map(RawTime)
    }

    /// Writes the buffers that are not full and completes the header.
    ///
    /// # Errors
    ///
    /// Those of the output.
    pub fn finish(mut self) -> io::Result<(W, Written)> {
        let waiting: Vec<u16> =
            self.open.iter().filter(|(_, open)| !open.events.is_empty()).map(|(at, _)| *at).collect();
        for (number, processor) in waiting.iter().enumerate() {
            self.flush(*processor, number + 1 == waiting.len())?;
        }
        self.facts.buffers_written = self.written.buffers;
        let written = self.written;
        self.out.seek(SeekFrom::Start(0))?;
        self.put_header()?;
        self.out.seek(SeekFrom::End(0))?;
        self.out.flush()?;
        Ok((self.out, written))
    }

    /// Writes the first buffer; the second time in place of what was there.
    fn put_header(&mut self) -> io::Result<()> {
        let identity = Identity { processor: 0, time: 0, sequence: 0, is_header: true, is_last: false, lost: 0 };
        self.header.set(&self.facts);
        let mut events = self.header.bytes.clone();
        events.resize(events.len().next_multiple_of(8), 0);
        let size = if self.compressor.is_some() { GRANULE } else { self.layout.size };
        let layout = Layout { size: size.max(BufferHeader::SIZE + events.len()), ..self.layout };
        self.image.clear();
        buffer::append(&mut self.image, &layout, &identity, &events, None);
        self.out.write_all(&self.image)?;
        (self.written.buffers, self.written.bytes) = (1, self.image.len() as u64);
        Ok(())
    }

    fn flush(&mut self, processor: u16, is_last: bool) -> io::Result<()> {
        let Some(open) = self.open.get_mut(&processor) else { return Ok(()) };
        let (time, sequence) = (open.fill.last, self.written.buffers.into());
        let identity = Identity { processor, time, sequence, is_header: false, is_last, lost: open.lost };
        let used = open.events.len() + BufferHeader::SIZE;
        let size = match self.compressor {
            Some(_) => used,
            None => size_of_buffer(self.layout.size, open.events.len()),
        };
        let layout = Layout { size, ..self.layout };
        let packed = self.compressor.as_mut().and_then(|compressor| compressor.compress(&open.events));
        let is_larger = used > self.facts.buffer_size as usize;
        let packed = packed
            .filter(|packed| take_room(&mut self.unpack_room, packed.len() + BufferHeader::SIZE, used, is_larger));
        self.image.clear();
        buffer::append(&mut self.image, &layout, &identity, &open.events, packed);
        open.events.clear();
        open.fill = Fill::default();
        self.out.write_all(&self.image)?;
        self.written.buffers += 1;
        self.written.bytes += self.image.len() as u64;
        Ok(())
    }
}

/// Returns the bytes of a buffer that is not compressed and has these bytes of events, where buffers have this size.
pub(crate) fn size_of_buffer(size: usize, events: usize) -> usize {
    size.max(events + BufferHeader::SIZE).next_multiple_of(GRANULE)
}

/// Returns whether readers unpack a buffer of `size` bytes to `used` ones, and takes what it needs of the room that all
/// buffers share. One that is larger than the session's gets nothing of it: a reader may doubt its length.
const fn take_room(room: &mut u64, size: usize, used: usize, is_larger: bool) -> bool {
    let (size, used) = (size as u64, used as u64);
    let beyond = used.saturating_sub(size * UNPACKED_BUFFER);
    let stream = size.saturating_sub(BufferHeader::SIZE as u64);
    let is_plausible = used.saturating_sub(BufferHeader::SIZE as u64) <= stream * MAX_EXPANSION as u64;
    let is_unpacked = is_plausible && (beyond == 0 || !is_larger && beyond <= *room);
    if is_unpacked {
        *room -= beyond;
    }
    is_unpacked
}

/// Returns the mode of a copy: sequential and relogged; not circular, not one of several files, and nothing that is in
/// it was preallocated or appended.
fn mode_of_copy(mode: LogFileMode, compress: bool) -> LogFileMode {
    let cleared = CIRCULAR | APPEND | NEW_FILE | PREALLOCATE | COMPRESSED;
    LogFileMode(mode.0 & !cleared | SEQUENTIAL | RELOG | if compress { COMPRESSED } else { 0 })
}

/// Bits of `LogFileMode` (`evntrace.h`).
const SEQUENTIAL: u32 = 0x1;
const CIRCULAR: u32 = 0x2;
const APPEND: u32 = 0x4;
const NEW_FILE: u32 = 0x8;
const PREALLOCATE: u32 = 0x20;
const RELOG: u32 = 0x1_0000;
const COMPRESSED: u32 = 0x400_0000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_share_what_readers_unpack() {
        let (mut room, size, used) = (MAX_UNPACKED, 1_000, 200_000);
        let beyond = used as u64 - size as u64 * UNPACKED_BUFFER;
        let taken = std::iter::repeat_with(|| take_room(&mut room, size, used, false)).take_while(|taken| *taken);
        assert_eq!(taken.count() as u64, MAX_UNPACKED / beyond);
        assert!(take_room(&mut room, size, 96_000, true), "what each may have");
        assert!(!take_room(&mut { MAX_UNPACKED }, 78, 65_536, false), "no reader believes it");
        assert!(!take_room(&mut { MAX_UNPACKED }, size, used, true), "it is larger than the session's");
    }
}
