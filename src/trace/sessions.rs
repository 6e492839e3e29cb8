//! What the sessions of all files state together.

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

    /// Returns how many events the sessions lost while they recorded, as far as the files state it: see [`Trace::losses`].
    pub fn events_lost(&self) -> u64 {
        self.files_with_ids().map(|(id, _)| self.losses(id).events).sum()
    }

    /// Returns how many buffers the sessions lost while they recorded, as far as the files state it: see
    /// [`Trace::losses`].
    pub fn buffers_lost(&self) -> u64 {
        self.files_with_ids().map(|(id, _)| self.losses(id).buffers).sum()
    }

    /// Returns the names of the computers that recorded the files, each once: a machine that was booted again is two
    /// systems.
    pub fn computers(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for name in self.systems().iter().filter_map(|system| system.machine.computer_name.as_deref()) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    fn heads(&self) -> impl Iterator<Item = (&Counts, &Head)> {
        let heads = self.files.iter().map(|file| &file.head);
        self.indexed.per_file.iter().zip(heads).filter(|(_, head)| !head.is_missing())
    }
}
