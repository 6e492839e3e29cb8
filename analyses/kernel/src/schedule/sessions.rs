//! Sessions that record one machine one after the other.

use std::collections::BTreeMap;

use etwkit::format::LogFileMode;
use etwkit::trace::Trace;
use etwkit::{FileId, FileTime};

/// The files of each machine whose events have begun.
#[derive(Clone, Debug, Default)]
pub(super) struct Sessions(BTreeMap<u16, Vec<FileId>>);

impl Sessions {
    /// Returns whether a buffer is the first one of a session that began after all others of its machine had ended.
    pub(super) fn begins_after_all(&mut self, machine: u16, buffer: u32, trace: &Trace) -> bool {
        let Some(info) = trace.buffer(buffer) else { return false };
        let begun = self.0.entry(machine).or_default();
        if begun.contains(&info.file) {
            return false;
        }
        let others = std::mem::replace(begun, [&begun[..], &[info.file]].concat());
        let Some(log) = trace.file(info.file).map(|file| &file.head.log) else { return false };
        // A session may go on in the next file.
        let is_next_file = log.mode.intersects(LogFileMode::NEW_FILE);
        let has_ended = |file: &FileId| end(*file, trace).is_some_and(|end| end < log.start_time);
        !is_next_file && !others.is_empty() && others.iter().all(has_ended)
    }
}

/// Returns when the session of a file ended: as its header states, or with the last event if it was not stopped.
fn end(id: FileId, trace: &Trace) -> Option<FileTime> {
    let file = trace.file(id)?;
    let stated = Some(file.head.log.end_time).filter(|end| end.0 > 0);
    stated.or_else(|| file.head.clock.filetime(trace.counts(id)?.last_time?))
}
