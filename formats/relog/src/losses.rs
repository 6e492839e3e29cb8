//! Losses that buffers state: events, or a buffer, were lost before them.

use std::collections::{BTreeMap, HashMap};

use etwkit::FileId;
use etwkit::Trace;
use etwkit::container::{Arena, BufferInfo, Step, Walk};
use etwkit::event::RawEvent;
use etwkit::format::{BufferFlags, BufferHeader};

use crate::error::Result;
use crate::note::source;
use crate::origins::Origins;

/// The losses that are still to be stated in a copy.
#[derive(Debug)]
pub(crate) struct Losses {
    /// By number, the flags of the buffers that state a loss and of which no event came yet.
    to_come: HashMap<u32, u16>,
    /// By processor, what was stated since its last event that was copied.
    pending: BTreeMap<u16, u16>,
    /// The group of each file that is one of several copies of a trace.
    groups: Vec<Option<usize>>,
    /// Events so far.
    count: u64,
    /// The last event of a file and processor, as one of `count`.
    last: HashMap<(FileId, u16), u64>,
    /// The last loss of a group and processor.
    stated: HashMap<(usize, u16), u64>,
}

/// The flags that state a loss.
const LOST: u16 = BufferFlags::EVENTS_LOST.0 | BufferFlags::BUFFER_LOST.0;

/// Returns whether a buffer has an event that can be read, beside the header of its file.
fn has_events(trace: &Trace, number: u32, buffer: &BufferInfo, arena: &mut Arena) -> Result<bool> {
    let Some(file) = trace.file(buffer.file).filter(|_| buffer.used as usize > BufferHeader::SIZE) else {
        return Ok(false);
    };
    let loaded = arena.load(&file.source, buffer)?;
    let mut walk = Walk::new(loaded.bytes, buffer, number);
    while let Some(step) = walk.step() {
        if matches!(step, Step::Event(event) if !trace.is_log_header(&event)) {
            return Ok(true);
        }
    }
    Ok(false)
}

impl Losses {
    pub(crate) fn new(trace: &Trace, origins: &Origins) -> Result<Self> {
        let (mut to_come, mut of_empty) = (HashMap::new(), BTreeMap::<_, u16>::new());
        let mut arena = Arena::default();
        for (number, buffer) in (0..).zip(trace.buffers()) {
            let of = (buffer.file, buffer.processor);
            let flags = buffer.flags.0 & LOST | of_empty.remove(&of).unwrap_or_default();
            if flags == 0 {
                continue;
            }
            if has_events(trace, number, &buffer, &mut arena)? {
                to_come.insert(number, flags);
            } else {
                // What it states is true of the next one.
                of_empty.insert(of, flags);
            }
        }
        let groups = trace.files_with_ids().map(|(id, _)| origins.group(id)).collect();
        let (pending, last, stated) = <_>::default();
        Ok(Self { to_come, pending, groups, count: 0, last, stated })
    }

    /// Notes the next event of the trace.
    pub(crate) fn note(&mut self, event: &RawEvent<'_>) {
        if self.to_come.is_empty() {
            return;
        }
        self.count += 1;
        let (file, processor) = (event.place().file, event.processor());
        if source(event).is_some() {
            // A copy of an earlier version may begin the buffer after a loss with its note, which has the time of the start.
            return;
        }
        let before = self.last.insert((file, processor), self.count);
        let Some(flags) = self.to_come.remove(&event.place().buffer) else { return };
        if !self.is_stated(file, processor, before.unwrap_or_default()) {
            *self.pending.entry(processor).or_default() |= flags;
        }
    }

    /// Returns whether another copy of the trace stated a loss since the last event of a file and processor. Each states
    /// all losses, before its own next event: the one with the event right after a loss does so first.
    fn is_stated(&mut self, file: FileId, processor: u16, before: u64) -> bool {
        let Some(group) = self.groups.get(file.index()).copied().flatten() else { return false };
        self.stated.insert((group, processor), self.count).is_some_and(|stated| stated > before)
    }

    /// Returns the flags of the losses before the next event of a processor that is copied; 0 if there are none.
    pub(crate) fn take(&mut self, processor: u16) -> u16 {
        self.pending.remove(&processor).unwrap_or_default()
    }
}
