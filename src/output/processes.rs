//! Texts that name the process of an event.

use std::ops::RangeInclusive;

use crate::decode::PendingEvent;

/// Texts of processes that were made before: neighbouring events are of few processes.
#[derive(Debug)]
pub(super) struct ProcessTexts {
    slots: Box<[Option<Known>]>,
}

/// Process ids are multiples of four.
const SLOTS: u32 = 256;

#[derive(Debug)]
struct Known {
    pid: u32,
    file: u16,
    ticks: RangeInclusive<i64>,
    text: Vec<u8>,
}

impl Default for ProcessTexts {
    fn default() -> Self {
        Self { slots: (0..SLOTS).map(|_| None).collect() }
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
    ) -> &[u8] {
        let tick = event.system().timeline.of(event.raw());
        let file = event.raw().place().file;
        let Some(slot) = self.slots.get_mut((pid / 4 % SLOTS) as usize) else { return &[] };
        let is_known = |known: &Known| known.pid == pid && known.file == file && known.ticks.contains(&tick);
        if !slot.as_ref().is_some_and(is_known) {
            let (name, ticks) = event.system().process_name_span(pid, tick);
            let mut text = slot.take().map_or_else(Vec::new, |known| known.text);
            text.clear();
            push(&mut text, pid, name);
            *slot = Some(Known { pid, file, ticks, text });
        }
        slot.as_ref().map_or(&[], |known| &known.text)
    }
}
