//! One process.

use crate::bytes::{cut_text, file_name};
use crate::limits;
use crate::time::FileTime;

use super::lifetime::Lifetime;
use super::process_facts::ProcessFacts;
use super::timeline::Moment;

/// One process: what had an id for a span of time.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Process {
    /// What events state about it.
    pub facts: ProcessFacts,
    /// Time of its start. Where no event states it, the end of the process that had the id before, if any. `None` if it
    /// started before the trace or no event states when, or if the clock of the trace is not known.
    pub start: Option<FileTime>,
    /// Time of its end; where that was lost, the start of the next process with the id, or the time of the event that
    /// lists it as one that has ended. `None` if it ran on, or if the clock of the trace is not known.
    pub end: Option<FileTime>,
}

impl Process {
    /// Returns whether it ran at a time; both ends belong to it.
    /// [`System::running_process_at`](super::System::running_process_at) is exact where a clock is finer than 100 ns.
    pub fn ran_at(&self, time: FileTime) -> bool {
        self.start.is_none_or(|start| start <= time) && self.end.is_none_or(|end| time <= end)
    }

    /// Returns the name of its image without directory. A name longer than any file's can be is cut after
    /// [`limits::MAX_FILE_NAME`] bytes.
    pub fn file_name(&self) -> &str {
        shared_file_name(&self.facts.image)
    }

    /// Ends it where its id is in use again: its own end was lost, or is in no session.
    pub(super) fn lose_end(&mut self, lifetime: &mut Lifetime, next: Moment) {
        lifetime.end = Some(next.tick.saturating_sub(1));
        self.end = next.time;
        self.facts.exit_status = None;
    }

    /// Returns whether its name may be cut off: the kernel itself keeps no more of it.
    pub(super) fn is_name_cut(&self) -> bool {
        self.file_name().len() == SHORT_NAME
    }

    /// Returns whether another source may mean the same image: events of an end have only the first 14 characters.
    pub(super) fn is_called_as(&self, other: &Self) -> bool {
        let (a, b) = (self.file_name().as_bytes(), other.file_name().as_bytes());
        let len = a.len().min(b.len());
        let is_same = a.iter().zip(b).all(|(a, b)| a.eq_ignore_ascii_case(b));
        is_same && (a.len() == b.len() || len >= SHORT_NAME)
    }

    /// Returns the name of its image without directory and extension.
    pub fn short_name(&self) -> &str {
        let file = self.file_name();
        file.rfind('.').and_then(|dot| file.get(..dot)).unwrap_or(file)
    }
}

/// Bytes that the kernel itself keeps of an image's name.
const SHORT_NAME: usize = 14;

/// Returns the last part of a path. Any number of events may name one process or image: what is longer than any file's
/// name can be is cut.
pub(super) fn shared_file_name(path: &str) -> &str {
    cut_text(file_name(path), limits::MAX_FILE_NAME)
}
