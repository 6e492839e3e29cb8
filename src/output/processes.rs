//! Values that an output makes once per process.

use std::ops::RangeInclusive;

use crate::FileId;
use crate::decode::PendingEvent;
use crate::event::RawEvent;
use crate::render::pen::Literal;
use crate::system::System;

/// Keeps what was made for the processes of earlier events: neighbouring events are of few processes.
#[derive(Debug)]
pub struct PerProcess<T> {
    slots: Box<[Option<Known<T>>]>,
}

/// Process ids are multiples of four.
const SLOTS: u32 = 256;

#[derive(Debug)]
struct Known<T> {
    pid: u32,
    file: FileId,
    ticks: RangeInclusive<i64>,
    value: T,
}

impl<T> Default for PerProcess<T> {
    fn default() -> Self {
        Self { slots: (0..SLOTS).map(|_| None).collect() }
    }
}

impl<T> PerProcess<T> {
    /// Returns the value for the process that has an id when an event of a system is written. `make` gets the file name of the
    /// process's image, if it is known, as [`System::process_name_at`](crate::system::System::process_name_at) returns it.
    #[inline]
    pub fn of(
        &mut self,
        pid: u32,
        (event, system): (&RawEvent<'_>, &System),
        make: impl FnOnce(Option<&str>) -> T,
    ) -> Option<&T> {
        self.known(pid, (event, system), make).map(|known| &known.value)
    }

    /// Returns what [`PerProcess::of`] does, and the ticks for which it holds.
    #[inline]
    fn known(
        &mut self,
        pid: u32,
        (event, system): (&RawEvent<'_>, &System),
        make: impl FnOnce(Option<&str>) -> T,
    ) -> Option<&Known<T>> {
        let tick = system.timeline.of(event);
        let file = event.place().file;
        let slot = self.slots.get_mut((pid / 4 % SLOTS) as usize)?;
        let is_known = |known: &Known<T>| known.pid == pid && known.file == file && known.ticks.contains(&tick);
        if !slot.as_ref().is_some_and(is_known) {
            let (name, ticks) = system.process_name_span(pid, tick);
            *slot = Some(Known { pid, file, ticks, value: make(name) });
        }
        slot.as_ref()
    }
}

/// Texts of processes.
#[derive(Debug, Default)]
pub(super) struct ProcessTexts {
    known: PerProcess<ProcessText>,
    /// Where the text of an event's process is made.
    text: Vec<u8>,
}

/// The text of a process, in blocks that most texts fit.
pub(super) type ProcessText = Literal<64>;

impl ProcessTexts {
    /// Returns the text of an event's process, which `push` appends for its id and its name.
    #[inline]
    pub(super) fn of(
        &mut self,
        pid: u32,
        event: &PendingEvent<'_>,
        push: impl FnOnce(&mut Vec<u8>, u32, Option<&str>),
    ) -> Option<&ProcessText> {
        self.with_ticks(pid, event, push).map(|(text, _)| text)
    }

    /// Returns what [`ProcessTexts::of`] does, and the ticks for which it holds.
    #[inline]
    pub(super) fn with_ticks(
        &mut self,
        pid: u32,
        event: &PendingEvent<'_>,
        push: impl FnOnce(&mut Vec<u8>, u32, Option<&str>),
    ) -> Option<(&ProcessText, &RangeInclusive<i64>)> {
        let Self { known, text } = self;
        let known = known.known(pid, (event.raw(), event.system()), |name| {
            text.clear();
            push(text, pid, name);
            ProcessText::new(text)
        })?;
        Some((&known.value, &known.ticks))
    }
}
