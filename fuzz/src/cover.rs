//! Every byte of a file is a buffer header, an event, fill or in a reported problem.

use std::ops::Range;

use etwkit::container::BufferInfo;
use etwkit::trace::Trace;

/// Which bytes are accounted for.
pub(crate) struct Cover<'c> {
    trace: &'c Trace,
    known: Vec<bool>,
}

impl<'c> Cover<'c> {
    /// Headers, fill, compressed buffers and problems.
    pub(crate) fn new(data: &[u8], trace: &'c Trace) -> Self {
        let mut cover = Self { trace, known: vec![false; data.len()] };
        for info in trace.buffers() {
            cover.buffer(data, &info);
        }
        for problem in trace.problems() {
            cover.mark(problem.offset, problem.len);
        }
        cover
    }

    /// An event at a place (buffer, offset) with its padding.
    pub(crate) fn event(&mut self, (buffer, offset): (u32, u32), len: usize) {
        let buffer = self.trace.buffer(buffer).filter(|info| !info.is_compressed());
        if let Some(info) = buffer {
            self.mark(info.offset + u64::from(offset), len.next_multiple_of(8) as u64);
        }
    }

    /// Returns the first byte that nothing accounts for.
    pub(crate) fn missing(&self) -> Option<usize> {
        self.known.iter().position(|known| !known)
    }

    fn buffer(&mut self, data: &[u8], info: &BufferInfo) {
        let whole = if info.is_compressed() { u64::from(info.size) } else { 72 };
        self.mark(info.offset, whole);
        if info.is_compressed() {
            return;
        }
        let end = info.offset + u64::from(info.size);
        let used = info.offset + u64::from(info.used);
        let slack = used.next_multiple_of(8).max(info.offset + u64::from(info.used).next_multiple_of(8));
        self.mark(used, slack.saturating_sub(used).min(7));
        let Some(bytes) = data.get(clamp(slack, data)..clamp(end, data)) else { return };
        let zeros = bytes.iter().take_while(|&&b| b == 0).count();
        for (at, &byte) in (slack..).zip(bytes) {
            let early = at - slack < zeros as u64 && info.used >= 72;
            self.mark(at, u64::from(byte == 0xFF || early));
        }
    }

    fn mark(&mut self, offset: u64, len: u64) {
        let range: Range<usize> = clamp(offset, &self.known)..clamp(offset.saturating_add(len), &self.known);
        self.known.get_mut(range).into_iter().flatten().for_each(|known| *known = true);
    }
}

fn clamp<T>(offset: u64, of: &[T]) -> usize {
    usize::try_from(offset).map_or(of.len(), |offset| offset.min(of.len()))
}
