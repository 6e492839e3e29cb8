//! The buffers of a trace one after the other, with their events.

use etwkit::Trace;
use etwkit::container::{Arena, BufferInfo, Step, Walk};
use etwkit::decode::{Event, Scratch};
use etwkit::event::RawEvent;
use etwkit::format::{BufferHeader, Framing};
use etwkit::trace::{Filter, Order};

use crate::error::{Error, Result};

/// A buffer in memory, unpacked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Buffer<'b> {
    pub(crate) info: &'b BufferInfo,
    pub(crate) number: u32,
    /// From its header to its used length. The header of one that was compressed is zeros.
    pub(crate) bytes: &'b [u8],
}

/// Refuses what has no buffers of Vista or later, or nothing that can be read.
pub(crate) fn check_form(trace: &Trace) -> Result<()> {
    let refused = |why| {
        let file = trace.files().first().map_or("", |file| file.source.name()).to_owned();
        Err(Error::Refused { file, why })
    };
    let [file] = trace.files() else { return refused("one file at a time can be redacted") };
    if file.head.framing() == Framing::Records {
        return refused("the blocks of .btl files would have to be packed again");
    }
    if file.head.is_pre_vista() {
        return refused("buffers of Windows before Vista have another layout");
    }
    // What no event explains is blanked: nothing would be left by which the copy is a trace.
    if file.head.is_missing() && trace.events_total() == 0 {
        return refused("no event of it can be read");
    }
    // Its bytes would be blanked, too: nothing would say when the other events were.
    if !file.head.is_missing() && !has_header_event(trace)? {
        return Err(Error::Damaged { file: file.source.name().to_owned() });
    }
    Ok(())
}

/// Returns whether the header of the file is one of its events. A damaged length hides the event, not the header.
fn has_header_event(trace: &Trace) -> Result<bool> {
    let mut events = trace.events_in(Order::File, &Filter::default());
    Ok(events.next_raw()?.is_some_and(|event| trace.is_log_header(&event)))
}

/// Hands over all buffers in the order of the file.
pub(crate) fn each(trace: &Trace, mut each: impl FnMut(&Buffer<'_>) -> Result<()>) -> Result<()> {
    let Some(file) = trace.files().first() else { return Ok(()) };
    let mut arena = Arena::default();
    for (number, info) in trace.buffers().enumerate() {
        let loaded = arena.load(&file.source, &info)?;
        each(&Buffer { info: &info, number: number as u32, bytes: loaded.bytes })?;
    }
    Ok(())
}

impl<'b> Buffer<'b> {
    /// Walks its events.
    pub(crate) fn walk(&self) -> Walk<'b> {
        Walk::new(self.bytes, self.info, self.number)
    }

    /// Returns whether it has an event that can be read.
    pub(crate) fn has_events(&self) -> bool {
        let mut walk = self.walk();
        std::iter::from_fn(|| walk.step()).any(|step| matches!(step, Step::Event(_)))
    }

    /// Returns whether nothing of it can be read, though it is not empty. Without its bytes it may not be recognized as
    /// a buffer any more.
    pub(crate) fn is_lost(&self) -> bool {
        let is_empty = self.bytes.len() == BufferHeader::SIZE && self.info.used as usize == BufferHeader::SIZE;
        !is_empty && !self.has_events()
    }

    /// Hands over all events; other bytes are skipped.
    pub(crate) fn each_event(&self, mut each: impl FnMut(RawEvent<'b>) -> Result<()>) -> Result<()> {
        let mut walk = self.walk();
        while let Some(step) = walk.step() {
            if let Step::Event(event) = step {
                each(event)?;
            }
        }
        Ok(())
    }
}

/// Locates the fields of an event of a trace.
pub(crate) fn located<'a>(trace: &'a Trace, event: RawEvent<'a>, scratch: &'a mut Scratch) -> Event<'a> {
    let schema = trace.type_of(&event).and_then(|row| row.schema());
    Event::locate(event, schema, None, scratch)
}
