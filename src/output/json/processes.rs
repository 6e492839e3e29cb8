//! The members of an event that name its process.

use std::ops::RangeInclusive;

use crate::decode::PendingEvent;
use crate::render::members::{MemberValue, MemberWriter};
use crate::select::HeaderField;

/// Members of processes that were written before: neighbouring events are of few processes.
#[derive(Debug)]
pub(super) struct ProcessMembers {
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

impl Default for ProcessMembers {
    fn default() -> Self {
        Self { slots: (0..SLOTS).map(|_| None).collect() }
    }
}

impl ProcessMembers {
    /// Returns the members `pid` and `process` of an event's process.
    #[inline]
    pub(super) fn of(&mut self, pid: u32, event: &PendingEvent<'_>) -> &[u8] {
        let tick = event.system().timeline.of(event.raw());
        let file = event.raw().place().file;
        let Some(slot) = self.slots.get_mut((pid / 4 % SLOTS) as usize) else { return &[] };
        let is_known = |known: &Known| known.pid == pid && known.file == file && known.ticks.contains(&tick);
        if !slot.as_ref().is_some_and(is_known) {
            *slot = Some(Known::new(pid, tick, event));
        }
        slot.as_ref().map_or(&[], |known| &known.text)
    }
}

impl Known {
    fn new(pid: u32, tick: i64, event: &PendingEvent<'_>) -> Self {
        let (name, ticks) = event.system().process_name_span(pid, tick);
        let mut text = Vec::new();
        text.member(HeaderField::Pid.name(), MemberValue::Number(pid.into()));
        if let Some(name) = name {
            text.member(HeaderField::Process.name(), MemberValue::Text(name.as_bytes()));
        }
        Self { pid, file: event.raw().place().file, ticks, text }
    }
}
