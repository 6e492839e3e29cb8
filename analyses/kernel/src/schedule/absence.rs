//! The time of a thread without a processor.

use etwkit::FileTime;

use super::slice::{Departure, Readied, Slice, SliceKind, ThreadId};

/// The time of a thread without a processor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Absence {
    pub(super) since: FileTime,
    pub(super) kind: AbsenceKind,
    pub(super) departure: Option<Departure>,
    pub(super) readied: Option<Readied>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AbsenceKind {
    Waiting,
    Ready,
    Unknown,
}

impl Absence {
    pub(super) const fn of(kind: AbsenceKind, since: FileTime) -> Self {
        Self { since, kind, departure: None, readied: None }
    }

    /// Hands over the absence of a thread that lasts until a time, at which a switch ends it or nothing does.
    pub(super) fn hand_over(
        self,
        (machine, thread): (u16, ThreadId),
        (end, switch_in): (FileTime, Option<u64>),
        slices: &mut Vec<Slice>,
    ) {
        let Self { since, kind, departure, readied } = self;
        let ready_from = match kind {
            AbsenceKind::Ready => Some(since),
            AbsenceKind::Waiting | AbsenceKind::Unknown => readied.map(|readied| readied.time.max(since)),
        };
        let whole = Slice {
            machine,
            thread: Some(thread),
            processor: None,
            start: since,
            end,
            kind: SliceKind::Ready,
            departure,
            readied,
            switch_in,
            is_complete: switch_in.is_some(),
            is_begun_before: false,
        };
        let first = Slice { end: ready_from.unwrap_or(end), ..whole };
        match kind {
            AbsenceKind::Waiting => {
                // A ready event ends a wait, also if the thread does not run any more.
                let is_complete = readied.is_some() || switch_in.is_some();
                slices.push(Slice { kind: SliceKind::Waiting, is_complete, ..first });
            }
            AbsenceKind::Unknown if first.start < first.end => {
                slices.push(Slice { kind: SliceKind::Unknown, is_complete: false, ..first });
            }
            AbsenceKind::Ready | AbsenceKind::Unknown => {}
        }
        slices.extend(ready_from.map(|start| Slice { start, ..whole }));
    }
}
