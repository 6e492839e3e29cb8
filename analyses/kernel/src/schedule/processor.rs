//! What a processor runs.

use etwkit::FileTime;

use super::slice::{Slice, SliceKind, ThreadId};

/// A processor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Processor {
    pub(super) on: On,
    pub(super) since: FileTime,
    /// Its last event.
    pub(super) last: FileTime,
    /// The tag of the switch to what runs.
    pub(super) tag: Option<u64>,
    pub(super) buffer: Option<u32>,
}

/// What a processor runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum On {
    Thread(ThreadId),
    Idle,
    Unknown,
}

impl Processor {
    /// Returns what it did until a time.
    pub(super) fn slice(&self, (machine, number): (u16, u16), end: FileTime, is_complete: bool) -> Option<Slice> {
        let (thread, kind) = match self.on {
            On::Thread(id) => (Some(id), SliceKind::Running),
            On::Idle => (None, SliceKind::Idle),
            On::Unknown => (None, SliceKind::Unknown),
        };
        let slice = Slice {
            machine,
            thread,
            processor: Some(number),
            start: self.since,
            end,
            kind,
            departure: None,
            readied: None,
            switch_in: self.tag.filter(|_| thread.is_some()),
            is_complete: is_complete && kind != SliceKind::Unknown,
            is_begun_before: false,
        };
        Some(slice).filter(|slice| thread.is_some() || slice.start < slice.end)
    }
}
