//! Copies events of a trace to a new file.

use std::io::{Seek, Write};

use etwkit::container::{BufferInfo, Head};
use etwkit::event::RawEvent;
use etwkit::format::BufferHeader;
use etwkit::input::file_name;
use etwkit::trace::{Filter, Order, TraceFile};
use etwkit::{FileTime, RawTime, Trace};

use crate::by_raw_time::ByRawTime;
use crate::clocks::{first_to_start, time_shifts};
use crate::error::Result;
use crate::losses::Losses;
use crate::needed::{Need, Needed};
use crate::note::note;
use crate::origins::{Origins, Repeats};
use crate::refused;
use crate::time_givers::TimeGivers;
use crate::writer::{EventBytes, LogWriter, WriteOptions, Written};

/// How a copy is made.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CopyOptions {
    /// Which events are wanted. Without a condition all are copied.
    pub filter: Filter,
    /// Compress the buffers.
    pub compress: bool,
    /// What the note in the copy states about the filter; empty for a whole copy.
    pub described: String,
}

impl CopyOptions {
    /// Sets [`CopyOptions::filter`](field@CopyOptions::filter) and its description.
    #[must_use]
    pub fn filter(mut self, filter: Filter, described: &str) -> Self {
        (self.filter, self.described) = (filter, described.to_owned());
        self
    }

    /// Sets [`CopyOptions::compress`](field@CopyOptions::compress).
    #[must_use]
    pub const fn compress(mut self, compress: bool) -> Self {
        self.compress = compress;
        self
    }
}

/// Counts of the contents of a copy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Copied {
    /// Events that the filter wants.
    pub wanted: u64,
    /// Events without which those cannot be read: descriptions, processes, images, methods, stacks.
    pub context: u64,
    /// Events of the trace that are not in the copy.
    pub left_out: u64,
    /// Events that several files have, because they are copies of one trace: they are in the copy once.
    pub repeated: u64,
    /// Buffers and bytes; its events include the note that the file is a copy.
    pub written: Written,
}

/// Copies events of a trace, in order of time, with all others that are needed to read them. The parsers of the trace
/// should keep stacks (`etwkit_parsers::with_stacks`), so that the copy has those of its events.
///
/// The copy has one event more, `etwkit/Copy`, which names the files and the filter.
///
/// # Errors
///
/// [`Error::Refused`](crate::Error::Refused) for files whose events have no form for `.etl` buffers, and for files of
/// several machines, boots or clocks; those of reading and writing.
pub fn copy<W: Write + Seek>(trace: &Trace, options: &CopyOptions, out: W) -> Result<(W, Copied)> {
    copy_with(trace, options, out, &mut |_| ())
}

/// As [`copy`]; `progress` receives the bytes of the events read so far, once in a while.
///
/// # Errors
///
/// As [`copy`].
pub fn copy_with<W: Write + Seek>(
    trace: &Trace,
    options: &CopyOptions,
    out: W,
    progress: &mut dyn FnMut(u64),
) -> Result<(W, Copied)> {
    refused::check(trace)?;
    let origins = Origins::new(trace)?;
    let writer = begin(trace, options, &origins, out)?;
    let (needed, time_givers) = (Needed::new(trace, &options.filter)?, TimeGivers::new(trace));
    let losses = Losses::new(trace, &origins)?;
    let (repeats, copied) = (Repeats::new(origins), Copied::default());
    let (described, by_raw_time) = (Some(&*options.described), ByRawTime::new(trace));
    let mut copying = Copying { trace, writer, described, by_raw_time, repeats, losses, needed, time_givers, copied };
    let (mut read, mut reported) = (0, 0);
    let mut events = trace.events_in(Order::Time, &Filter::default());
    while let Some(event) = events.next_raw()? {
        read += event.bytes().len() as u64;
        if read - reported > PROGRESS {
            progress(read);
            reported = read;
        }
        if trace.is_log_header(&event) {
            copying.header(&event);
        } else {
            copying.event(&event)?;
        }
    }
    copying.finish()
}

/// A copy that is being made.
struct Copying<'t, W> {
    trace: &'t Trace,
    writer: LogWriter<W>,
    /// What the note that it is a copy states, until it is written.
    described: Option<&'t str>,
    by_raw_time: ByRawTime,
    repeats: Repeats,
    losses: Losses,
    needed: Needed<'t>,
    time_givers: TimeGivers,
    copied: Copied,
}

impl<W: Write + Seek> Copying<'_, W> {
    /// Passes over the header of a file: the copy has one of its own. An event without a time may have its time; then a
    /// note without text stands for it.
    fn header(&mut self, event: &RawEvent<'_>) {
        self.time_givers.replace(event, || note(event.time(), &[]));
    }

    /// Copies the next event, if it is needed.
    fn event(&mut self, event: &RawEvent<'_>) -> Result<()> {
        self.losses.note(event);
        if self.repeats.has(event) {
            self.copied.repeated += 1;
            return Ok(());
        }
        match self.needed.of(event) {
            Need::Wanted => self.copied.wanted += 1,
            Need::Context => self.copied.context += 1,
            Need::None if self.time_givers.is_awaited(event) => self.copied.context += 1,
            Need::None => {
                self.copied.left_out += 1;
                self.time_givers.leave_out(event);
                return Ok(());
            }
        }
        let mut lost = self.losses.take(event.processor());
        if let Some(giver) = self.time_givers.before(event) {
            self.put(
                event,
                &EventBytes::new(event.processor(), event.time(), &giver.bytes),
                std::mem::take(&mut lost),
            )?;
            if giver.is_of_trace {
                self.copied.context += 1;
                self.copied.left_out -= 1;
            }
        }
        self.put(event, &EventBytes::of(event), lost)
    }

    /// Writes an event, or what is copied beside it, when it is its turn; the flags state losses before it.
    fn put(&mut self, event: &RawEvent<'_>, bytes: &EventBytes<'_>, lost: u16) -> Result<()> {
        if self.by_raw_time.is_idle() {
            return self.write(bytes, lost);
        }
        self.by_raw_time.add(self.trace, event, bytes, lost)?;
        self.write_waiting()
    }

    fn write_waiting(&mut self) -> Result<()> {
        while let Some(event) = self.by_raw_time.take() {
            self.write(&event.bytes(), event.lost)?;
        }
        Ok(())
    }

    /// Writes the next event. The note comes before it and before the losses that the flags state.
    fn write(&mut self, event: &EventBytes<'_>, lost: u16) -> Result<()> {
        self.put_note(self.writer.start().min(event.time))?;
        self.writer.lost_before(event.processor, lost);
        Ok(self.writer.event(event)?)
    }

    /// Writes the note before all other events: at the start of the session, or at the first event if that is earlier, as
    /// times of a processor never fall.
    fn put_note(&mut self, time: RawTime) -> Result<()> {
        let Some(described) = self.described.take() else { return Ok(()) };
        let note = note_of(self.trace, time, described);
        Ok(self.writer.event(&EventBytes::new(processor_of_note(self.trace), time, &note))?)
    }

    fn finish(mut self) -> Result<(W, Copied)> {
        self.by_raw_time.end();
        self.write_waiting()?;
        self.put_note(self.writer.start())?;
        if let Some(end) = end_time(self.trace, &self.writer, self.copied.left_out > 0) {
            self.writer.set_end_time(end);
        }
        let (out, written) = self.writer.finish()?;
        Ok((out, Copied { written, ..self.copied }))
    }
}

fn processor_of_note(trace: &Trace) -> u16 {
    trace.processor_numbers().first().copied().unwrap_or_default()
}

/// Returns the event that says what the copy is.
fn note_of(trace: &Trace, start: RawTime, described: &str) -> Vec<u8> {
    note(start, &[("Source", &sources(trace)), ("Filter", described), ("Program", PROGRAM)])
}

/// How copies of a trace begin, for one who counts their bytes.
#[derive(Debug)]
pub(crate) struct Sample {
    /// Bytes of the first buffer.
    pub(crate) header: u64,
    /// Bytes of events in another one.
    pub(crate) room: usize,
    pub(crate) processor: u16,
    pub(crate) start: RawTime,
    /// The first event.
    pub(crate) note: Vec<u8>,
}

/// Begins a copy in memory; its note states a time beside the filter.
pub(crate) fn sample(trace: &Trace, options: &CopyOptions) -> Result<Sample> {
    let writer = begin(trace, options, &Origins::new(trace)?, std::io::Cursor::new(Vec::new()))?;
    let (start, described) = (writer.start(), options.described.clone() + &"-".repeat(BOTH_TIMES));
    let (header, room, processor) = (writer.bytes(), writer.room(), processor_of_note(trace));
    Ok(Sample { header, room, processor, start, note: note_of(trace, start, &described) })
}

/// Bytes of a text of both ends of a time, such as `; since 2026-01-02T03:04:05.0100000Z; until ...`, and some more.
const BOTH_TIMES: usize = 96;
/// Bytes of events after which progress is reported.
const PROGRESS: u64 = 1 << 20;
/// What made the copy.
const PROGRAM: &str = concat!("etwkit ", env!("CARGO_PKG_VERSION"));

fn begin<W: Write + Seek>(trace: &Trace, options: &CopyOptions, origins: &Origins, out: W) -> Result<LogWriter<W>> {
    let largest = trace.buffers().map(|buffer| buffer_size(&buffer)).max().unwrap_or(0);
    let file = first_to_start(trace);
    // Of a file whose header cannot be read, the session has no name.
    let session = file.map_or("", |file| &file.head.log.session);
    let write = WriteOptions::new(&name_of_copy(session), largest as usize).compress(options.compress);
    let Some(file) = file.filter(|file| !file.head.is_missing()) else {
        return Ok(LogWriter::without_header(out, &write)?);
    };
    let mut scratch = Vec::new();
    let start = file.source.window(0, BufferHeader::SIZE + MOST_EVENT, &mut scratch)?;
    let mut writer = match Head::header_event(start) {
        Some(event) => LogWriter::copy_of(out, &event, &file.head.log, &write)?,
        None => LogWriter::without_header(out, &write)?,
    };
    let (events, buffers) = origins.losses(trace);
    writer.set_losses(events, buffers);
    Ok(writer)
}

/// The end of the name of a copy's session.
const COPY: &str = "(copy by etwkit)";

/// Returns whether a session's name states that the file is a copy that this crate made.
pub fn is_name_of_copy(session: &str) -> bool {
    session.ends_with(COPY)
}

/// Returns the name of the session in a copy. A copy of a copy is called as the first one.
fn name_of_copy(session: &str) -> String {
    let mut name = session.trim_end();
    while let Some(own) = name.strip_suffix(COPY) {
        name = own.trim_end();
    }
    if name.is_empty() { COPY.to_owned() } else { format!("{name} {COPY}") }
}

/// The length of an event has 16 bits.
const MOST_EVENT: usize = 1 << 16;

/// Returns the bytes that a buffer takes when it is not compressed. A damaged header may state more than the file has.
const fn buffer_size(buffer: &BufferInfo) -> u32 {
    if buffer.is_compressed() { buffer.used } else { buffer.size }
}

/// Returns the names of the files without their folders, which may name users and cases.
fn sources(trace: &Trace) -> String {
    let names: Vec<&str> = trace.files().iter().map(|file| file_name(file.source.name())).collect();
    names.join(", ")
}

/// Returns the end of the copy: that of the trace, or the time of the last event if events are left out. That stands for
/// the end of a file that states none, too. It is not before the start, as events may be that were there before.
fn end_time<W: Write + Seek>(trace: &Trace, writer: &LogWriter<W>, is_part: bool) -> Option<FileTime> {
    let first = first_to_start(trace).map(|file| &file.head);
    let last = first.zip(writer.last_time()).and_then(|(head, last)| head.clock.filetime(last));
    let last = last.max(first.map(|head| head.log.start_time).filter(|_| last.is_some()));
    let of_file = |(file, shift): (&TraceFile, i64)| match file.head.log.end_time {
        FileTime(0) => last,
        end => Some(FileTime(end.0.saturating_add(shift))),
    };
    let whole = trace.files().iter().zip(time_shifts(trace)).filter_map(of_file).max();
    if is_part { last.or(whole) } else { whole.or(last) }
}
