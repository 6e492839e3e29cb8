//! Puts header and buffers into a file, and keeps the ground truth.

use super::buffer::buffer_flag;
use super::header::mode;
use super::layout::HEADER;
use super::{Buffer, BufferLayout, LogfileHeader};
use crate::event::Event;
use crate::expected::Expected;
use crate::narrow::{round_up_8, u32_of, usize_of};
use std::collections::BTreeMap;

/// A finished trace and what a reader must find in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    /// The file.
    pub bytes: Vec<u8>,
    /// The truth about it.
    pub expected: Expected,
}

/// The bytes between the end of an event and the next multiple of 8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Padding {
    /// Old data, as in real files: never zero, and ending in a marker's top byte.
    Dirty,
    /// Zeros.
    Zero,
}

/// Builds a trace from buffers, or from events that it sorts into buffers itself.
#[derive(Debug, Clone)]
pub struct TraceBuilder {
    pub(super) header: LogfileHeader,
    pub(super) layout: BufferLayout,
    pub(super) header_buffer: Buffer,
    pub(super) buffers: Vec<Buffer>,
    pub(super) open: BTreeMap<u16, Buffer>,
    pub(super) padding: Padding,
    pub(super) slots: Option<usize>,
    pub(super) first_sequence: i64,
    pub(super) zero_tail: usize,
    pub(super) flush_marker: bool,
}

impl TraceBuilder {
    /// A trace with this header and no buffer but the header's.
    pub fn new(header: LogfileHeader) -> Self {
        Self {
            header,
            layout: BufferLayout::Modern,
            header_buffer: Buffer::on(0).kind(HEADER_TYPE),
            buffers: Vec::new(),
            open: BTreeMap::new(),
            padding: Padding::Dirty,
            slots: None,
            first_sequence: 1,
            zero_tail: 0,
            flush_marker: true,
        }
    }

    /// Layout of all buffer headers.
    #[must_use]
    pub fn layout(mut self, layout: BufferLayout) -> Self {
        self.layout = layout;
        self
    }

    /// Changes the header buffer: its size, state, leftovers, or further group-0 events after the first.
    #[must_use]
    pub fn header_buffer(mut self, change: impl FnOnce(Buffer) -> Buffer) -> Self {
        self.header_buffer = change(self.header_buffer).kind(HEADER_TYPE);
        self
    }

    /// Appends a buffer as it is.
    #[must_use]
    pub fn buffer(mut self, buffer: Buffer) -> Self {
        self.buffers.push(buffer);
        self
    }

    /// Appends buffers.
    #[must_use]
    pub fn buffers(mut self, buffers: impl IntoIterator<Item = Buffer>) -> Self {
        self.buffers.extend(buffers);
        self
    }

    /// Logs an event on a processor; its buffer is appended when full, or when the trace is built.
    #[must_use]
    pub fn log(mut self, processor: u16, event: impl Into<Event>) -> Self {
        let event = event.into();
        let open = self.open.entry(processor).or_insert_with(|| Buffer::on(processor));
        let used = HEADER + open.events.iter().map(|e| round_up_8(e.bytes.len())).sum::<usize>();
        if used + round_up_8(event.bytes.len()) > usize_of(self.header.buffer_size) {
            self.buffers.push(std::mem::replace(open, Buffer::on(processor)));
        }
        open.events.push(event);
        self
    }

    /// Padding between events.
    #[must_use]
    pub fn padding(mut self, padding: Padding) -> Self {
        self.padding = padding;
        self
    }

    /// A circular file with room for the header's buffer and `slots` others; later ones overwrite the oldest. The header
    /// states the size in KB.
    #[must_use]
    pub fn circular(mut self, slots: usize) -> Self {
        self.slots = Some(slots);
        let size = ((slots as u64 + 1) * u64::from(self.header.buffer_size)) >> 10;
        self.header.maximum_file_size = u32::try_from(size).unwrap_or(u32::MAX);
        self.header.mode |= mode::USE_KBYTES;
        self
    }

    /// Sequence number of the first buffer after the header's; not 1 in later files of a new-file set.
    #[must_use]
    pub fn first_sequence(mut self, sequence: i64) -> Self {
        self.first_sequence = sequence;
        self
    }

    /// Appends this many zero bytes: the unused part of a preallocated file.
    #[must_use]
    pub fn zero_tail(mut self, bytes: usize) -> Self {
        self.zero_tail = bytes;
        self
    }

    /// The session was not stopped: `EndTime` 0, `BuffersWritten` as given, no flush marker at the end.
    #[must_use]
    pub fn unfinalised(mut self, buffers_written: u32) -> Self {
        self.header.end_time = 0;
        self.header.buffers_written = Some(buffers_written);
        self.flush_marker = false;
        self
    }

    /// Number of buffers so far, without the header's.
    pub fn buffer_count(&self) -> usize {
        self.buffers.len() + self.open.len()
    }

    /// The file and the truth about it.
    pub fn build(mut self) -> Trace {
        self.buffers.extend(std::mem::take(&mut self.open).into_values());
        let written = u32_of(1 + self.buffers.len());
        self.number_buffers();
        self.mark_flushes();
        let buffers = self.in_file_order();
        let header_event: Event = self.header.event(written).into();
        let saved = u32_of(HEADER + round_up_8(header_event.bytes.len()));
        let mut first = self.header_buffer.clone();
        first.events.insert(0, header_event);
        first.sequence = Some(0);
        if first.offsets.is_none() {
            first.offsets = Some((if self.layout == BufferLayout::Modern { saved } else { 0 }, 0));
        }
        let trace = Trace { bytes: Vec::new(), expected: Expected::of(self.header.clone()) };
        let mut trace = std::iter::once(&first).chain(&buffers).fold(trace, |trace, b| self.append(trace, b));
        trace.bytes.resize(trace.bytes.len() + self.zero_tail, 0);
        trace.expected.zero_tail = self.zero_tail;
        trace
    }

    fn number_buffers(&mut self) {
        let mut next = self.first_sequence;
        for buffer in &mut self.buffers {
            if buffer.restarts {
                next = 1;
            }
            next = *buffer.sequence.get_or_insert(next) + 1;
        }
    }

    fn mark_flushes(&mut self) {
        if !self.flush_marker {
            return;
        }
        let before_restart = |n: usize| self.buffers.get(n + 1).is_none_or(|next| next.restarts);
        let ends: Vec<_> = (0..self.buffers.len()).filter(|&n| before_restart(n)).collect();
        for n in ends {
            self.buffers[n].flags |= buffer_flag::FLUSH_MARKER;
        }
        if self.buffers.is_empty() {
            self.header_buffer.flags |= buffer_flag::FLUSH_MARKER;
        }
    }

    fn in_file_order(&mut self) -> Vec<Buffer> {
        let buffers = std::mem::take(&mut self.buffers);
        let slots = self.slots.unwrap_or(usize::MAX).max(1);
        let mut file: Vec<Buffer> = Vec::new();
        for (n, buffer) in buffers.into_iter().enumerate() {
            match file.get_mut(n % slots) {
                Some(old) => *old = buffer,
                None => file.push(buffer),
            }
        }
        file
    }
}

/// `BufferType` of the first buffer.
pub(super) const HEADER_TYPE: u16 = 4;
