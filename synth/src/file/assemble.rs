//! Turns one buffer into bytes, and notes the truth about it.

use super::buffer::{Stream, buffer_flag};
use super::builder::HEADER_TYPE;
use super::layout::{HEADER, Stated};
use super::{Buffer, BufferLayout, Padding, Trace, TraceBuilder, mode};
use crate::event::Event;
use crate::expected::{ExpectedBuffer, ExpectedEvent, Gap};
use crate::narrow::{round_up_8, u32_of, usize_of};

impl TraceBuilder {
    pub(super) fn append(&self, mut trace: Trace, buffer: &Buffer) -> Trace {
        let index = trace.expected.buffers.len();
        let offset = trace.bytes.len();
        let (area, starts) = self.area(buffer);
        let used = u32_of(HEADER + area.len()) - Self::cut_of_last(buffer);
        let (body, packed) = self.body(buffer, &area);
        let stated = self.stated(buffer, used, u32_of(HEADER + body.len()), packed);
        trace.bytes.extend(self.layout.write(buffer, &stated));
        trace.bytes.extend_from_slice(&body);
        let readable = readable_events(buffer);
        trace.expected.buffers.push(ExpectedBuffer {
            offset: offset as u64,
            size: stated.size,
            used,
            compressed: packed,
            processor: buffer.processor,
            sequence: (self.layout != BufferLayout::PreVista).then_some(stated.sequence),
            flags: stated.flags,
            kind: buffer.kind,
            state: buffer.state,
            events: readable,
        });
        for (event, start) in buffer.events.iter().zip(starts).take(readable) {
            trace.expected.events.push(self.truth(event, buffer, index, (!packed).then_some(offset), start));
        }
        if matches!(buffer.stream, Stream::Cut { .. } | Stream::Garbage(_)) {
            trace.expected.damaged_buffers.push(index);
            trace.expected.gaps.push(Gap { offset: (offset + HEADER) as u64, len: body.len() as u64 });
        }
        trace
    }

    fn truth(
        &self,
        event: &Event,
        buffer: &Buffer,
        index: usize,
        offset: Option<usize>,
        start: usize,
    ) -> ExpectedEvent {
        let header = &self.header;
        ExpectedEvent {
            buffer: index,
            offset: u32_of(start),
            position: offset.map(|offset| (offset + start) as u64),
            processor: buffer.processor,
            utc: event.time.map(|time| header.clock.utc(time, header.t0, header.start_time)),
            event: event.clone(),
        }
    }

    /// Returns the event area from byte 72 on, and where in the buffer each event starts.
    fn area(&self, buffer: &Buffer) -> (Vec<u8>, Vec<usize>) {
        let (mut area, mut starts) = (Vec::new(), Vec::new());
        for event in &buffer.events {
            starts.push(HEADER + area.len());
            area.extend_from_slice(&event.bytes);
            let padding = round_up_8(area.len()) - area.len();
            match self.padding {
                Padding::Dirty => area.extend_from_slice(&DIRTY[DIRTY.len() - padding..]),
                Padding::Zero => area.resize(area.len() + padding, 0),
            }
        }
        (area, starts)
    }

    fn cut_of_last(buffer: &Buffer) -> u32 {
        let last = buffer.events.last().filter(|_| buffer.exact_end);
        last.map_or(0, |event| u32_of(round_up_8(event.bytes.len()) - event.bytes.len()))
    }

    /// What follows the header up to the next one, and whether it is compressed.
    fn body(&self, buffer: &Buffer, area: &[u8]) -> (Vec<u8>, bool) {
        let size = usize_of(buffer.size.unwrap_or(self.header.buffer_size)) - HEADER;
        let used = area.len() - usize_of(Self::cut_of_last(buffer));
        match &buffer.stream {
            Stream::Packed { with, trailer } => {
                let mut packed = with.pack(&area[..used]);
                packed.extend_from_slice(if *trailer { &[0xff; 4] } else { &[] });
                if packed.len() < used { (packed, true) } else { (plain(area, size), false) }
            }
            Stream::Cut { with, events } => {
                let kept = buffer.events.iter().take(*events).map(|event| round_up_8(event.bytes.len())).sum();
                (with.pack(&area[..kept]), true)
            }
            Stream::Garbage(bytes) => (bytes.clone(), true),
            Stream::Plain => (plain(area, size), false),
        }
    }

    fn stated(&self, buffer: &Buffer, used: u32, size: u32, packed: bool) -> Stated {
        let relogged = self.header.mode & mode::RELOG != 0;
        let (saved, current) = buffer.offsets.unwrap_or((used, if relogged { 0 } else { used }));
        let is_header = buffer.kind == HEADER_TYPE;
        let last = buffer.last_time().unwrap_or(self.header.t0);
        let utc = self.header.clock.utc(last, self.header.t0, self.header.start_time);
        let stamp = if relogged { utc } else { last };
        let clock = &self.header.clock;
        Stated {
            size,
            used,
            saved,
            current: if is_header && buffer.offsets.is_none_or(|(_, c)| c == 0) && !relogged { used } else { current },
            reference_count: buffer.reference_count,
            flags: buffer.flags | self.layout.flags() | if packed { buffer_flag::COMPRESSED } else { 0 },
            kind: buffer.kind,
            sequence: buffer.sequence.unwrap_or(0),
            flushed_at: buffer.flushed_at.unwrap_or(if is_header { 0 } else { stamp }),
            clock_word: buffer.clock_word.unwrap_or(u64::from(clock.code()) | clock.frequency().unsigned_abs() << 3),
        }
    }
}

fn plain(area: &[u8], size: usize) -> Vec<u8> {
    assert!(area.len() <= size, "the events of a buffer need {} bytes, it has {size}", area.len());
    let mut body = area.to_vec();
    body.resize(size, 0xff);
    body
}

fn readable_events(buffer: &Buffer) -> usize {
    match &buffer.stream {
        Stream::Plain | Stream::Packed { .. } => buffer.events.len(),
        Stream::Cut { events, .. } => buffer.events.len().min(*events),
        Stream::Garbage(_) => 0,
    }
}

/// Left from older events.
const DIRTY: [u8; 7] = [0x7e, 0x31, 0x48, 0x02, 0x01, 0x14, 0xc0];
