//! When the sessions of a trace ran.

use crate::container::Head;
use crate::time::FileTime;

use super::Trace;
use super::counts::Counts;

impl Trace {
    /// Returns when the session, or the first of several, was started; `None` if no log-file header states it.
    pub fn session_start(&self) -> Option<FileTime> {
        self.heads().map(|(_, head)| head.log.start_time).filter(|time| time.0 != 0).min()
    }

    /// Returns when the session, or the last of several, was stopped. The time of its last event counts where the
    /// log-file header states no end, because the session was not stopped.
    pub fn session_end(&self) -> Option<FileTime> {
        self.heads().filter_map(|(counts, head)| head.session_end(counts.last_time)).max()
    }

    fn heads(&self) -> impl Iterator<Item = (&Counts, &Head)> {
        let heads = self.files.iter().map(|file| &file.head);
        self.indexed.per_file.iter().zip(heads).filter(|(_, head)| !head.is_missing())
    }
}
