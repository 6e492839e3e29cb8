//! Texts that name the process of an event.

use std::ops::RangeInclusive;

use crate::decode::PendingEvent;
use crate::render::pen::Literal;

/// Texts of processes that were made before: neighbouring events are of few processes.
#[derive(Debug)]
pub(super) struct ProcessTexts {
    slots: Box<[Option<Known>]>,
    /// Where the text of an event's process is made.
    text: Vec<u8>,
}

/// Process ids are multiples of four.
const SLOTS: u32 = 256;

#[derive(Debug)]
struct Known {
    pid: u32,
    file: u16,
    ticks: RangeInclusive<i64>,
    text: ProcessText,
}

/// The text of a process, in blocks that most texts fit.
pub(super) type ProcessText = Literal<64>;

impl Default for ProcessTexts {
    fn default() -> Self {
        Self { slots: (0..SLOTS).map(|_| None).collect(), text: Vec::new() }
    }
}

impl ProcessTexts {
    /// Returns the text of an event's process, which `push` appends for its id and its name.
    #[inline]
    pub(super) fn of(
        &mut self,
        pid: u32,
        event: &PendingEvent<'_>,
        push: impl FnOnce(&mut Vec<u8>, u32, Option<&str>),
    ) -> Option<&ProcessText> {
        let tick = event.system().timeline.of(event.raw());
        let file = event.raw().place().file;
        let slot = self.slots.get_mut((pid / 4 % SLOTS) as usize)?;
        let is_known = |known: &Known| known.pid == pid && known.file == file && known.ticks.contains(&tick);
        if !slot.as_ref().is_some_and(is_known) {
            let (name, ticks) = event.system().process_name_span(pid, tick);
            self.text.clear();
            push(&mut self.text, pid, name);
            *slot = Some(Known { pid, file, ticks, text: ProcessText::new(&self.text) });
        }
        slot.as_ref().map(|known| &known.text)
    }
}
