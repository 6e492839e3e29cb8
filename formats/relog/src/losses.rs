//! Losses that buffers state: events, or a buffer, were lost before them.

use std::collections::{BTreeMap, HashMap};

use etwkit::Trace;
use etwkit::event::RawEvent;
use etwkit::format::{BufferFlags, BufferHeader};

/// The losses that are still to be stated in a copy.
#[derive(Debug)]
pub(crate) struct Losses {
    /// By number, the flags of the buffers that state a loss and of which no event came yet.
    to_come: HashMap<u32, u16>,
    /// By processor, what was stated since its last event that was copied.
    pending: BTreeMap<u16, u16>,
}

/// The flags that state a loss.
const LOST: u16 = BufferFlags::EVENTS_LOST.0 | BufferFlags::BUFFER_LOST.0;

impl Losses {
    pub(crate) fn new(trace: &Trace) -> Self {
        let (mut to_come, mut of_empty) = (HashMap::new(), BTreeMap::<_, u16>::new());
        for (number, buffer) in (0..).zip(trace.buffers()) {
            let (of, mut flags) = ((buffer.file, buffer.processor), buffer.flags.0 & LOST);
            if buffer.used as usize <= BufferHeader::SIZE {
                // What it states is true of the next one.
                *of_empty.entry(of).or_default() |= flags;
                continue;
            }
            flags |= of_empty.remove(&of).unwrap_or_default();
            if flags != 0 {
                to_come.insert(number, flags);
            }
        }
        Self { to_come, pending: BTreeMap::new() }
    }

    /// Notes the next event of the trace.
    pub(crate) fn note(&mut self, event: &RawEvent<'_>) {
        if self.to_come.is_empty() {
            return;
        }
        if let Some(flags) = self.to_come.remove(&event.place().buffer) {
            *self.pending.entry(event.processor()).or_default() |= flags;
        }
    }

    /// Returns the flags of the losses before the next event of a processor that is copied; 0 if there are none.
    pub(crate) fn take(&mut self, processor: u16) -> u16 {
        self.pending.remove(&processor).unwrap_or_default()
    }
}
