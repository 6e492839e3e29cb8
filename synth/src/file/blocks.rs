//! `.btl` files: blocks of packed records (section 17).

use super::{LogfileHeader, Trace, buffer_flag};
use crate::compress::{huffman, ulz};
use crate::event::{Event, record};
use crate::expected::{Expected, ExpectedBuffer, ExpectedEvent};
use crate::narrow::u32_of;

/// A block of records.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Block {
    records: Vec<(u16, Event)>,
    packing: Packing,
}

/// How a block is packed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Packing {
    #[default]
    Ulz,
    Literals,
    Huffman,
}

impl Block {
    /// A block without records.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends the record of an event that a processor wrote.
    #[must_use]
    pub fn event(mut self, processor: u16, event: impl Into<Event>) -> Self {
        self.records.push((processor, record(event, processor)));
        self
    }

    /// Packs it without any match.
    #[must_use]
    pub fn literally(mut self) -> Self {
        self.packing = Packing::Literals;
        self
    }
}

/// Returns a file of a block with the log-file header and these.
pub fn block_file(header: &LogfileHeader, blocks: impl IntoIterator<Item = Block>) -> Trace {
    let first = Block::new().event(0, header.event(1)).literally();
    let trace = Trace { bytes: Vec::new(), expected: Expected::of(header.clone()) };
    std::iter::once(first).chain(blocks).fold(trace, |trace, block| append(trace, &block, header))
}

/// Returns a file of blocks packed by XPRESS-Huffman, as `BPerf` wrote them first; the first one begins with the
/// log-file header.
pub fn huffman_block_file(header: &LogfileHeader, blocks: impl IntoIterator<Item = Block>) -> Trace {
    let trace = Trace { bytes: Vec::new(), expected: Expected::of(header.clone()) };
    let mut first = Some((0, record(header.event(1), 0)));
    blocks.into_iter().fold(trace, |trace, block| {
        let records = first.take().into_iter().chain(block.records).collect();
        append(trace, &Block { records, packing: Packing::Huffman }, header)
    })
}

fn append(mut trace: Trace, block: &Block, header: &LogfileHeader) -> Trace {
    let (buffer, offset) = (trace.expected.buffers.len(), trace.bytes.len());
    let mut area = Vec::new();
    for (processor, event) in &block.records {
        trace.expected.events.push(ExpectedEvent {
            buffer,
            offset: u32_of(BEFORE + area.len()),
            position: None,
            processor: *processor,
            utc: event.time.map(|time| header.clock.utc(time, header.t0, header.start_time)),
            event: event.clone(),
        });
        area.extend_from_slice(&event.bytes);
        area.resize(area.len().next_multiple_of(16), 0);
    }
    let packed = match block.packing {
        Packing::Ulz => ulz::compress(&area),
        Packing::Literals => ulz::literally(&area),
        Packing::Huffman => huffman::compress(&area),
    };
    trace.bytes.extend(u32_of(packed.len()).to_le_bytes());
    trace.bytes.extend(u32_of(area.len()).to_le_bytes());
    trace.bytes.extend(packed);
    trace.bytes.resize(trace.bytes.len().next_multiple_of(4), 0);
    trace.expected.buffers.push(ExpectedBuffer {
        offset: offset as u64,
        size: u32_of(trace.bytes.len() - offset),
        used: u32_of(area.len() + BEFORE),
        compressed: true,
        processor: 0,
        sequence: None,
        flags: buffer_flag::COMPRESSED,
        kind: 0,
        state: 0,
        events: block.records.len(),
    });
    trace
}

/// What readers count before the records of an unpacked block, as before the events of a buffer.
const BEFORE: usize = 72;
