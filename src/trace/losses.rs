//! What the sessions lost while they recorded, whoever states it.
//!
//! The log-file header has the totals of a session that was stopped. Buffers of Windows 2000 and XP count what was lost,
//! and a consumer in real time is told by events. A loss that is stated twice must not count twice, so each of these counts
//! only where the ones before it state none.

use crate::FileId;
use crate::error::{Problem, ProblemKind};
use crate::format::HeaderType;

use super::Trace;
use super::stated_losses::Losses;

impl Trace {
    /// Returns what the session of a file lost: of events and of buffers, what its log-file header states; if it states
    /// none, what buffers of Windows 2000 and XP count; if they count none, the events that state a loss.
    pub fn losses(&self, file: FileId) -> Losses {
        let head = self.file(file).map(|file| &file.head).filter(|head| !head.is_missing());
        let (events, buffers) = head.map_or((0, 0), |head| (head.log.events_lost, head.log.buffers_lost));
        let stated = self.counts(file).map(|counts| counts.losses).unwrap_or_default();
        let Losses { events: told, buffers: told_buffers, backups } = stated.by_events;
        let first = |counts: &[u64]| counts.iter().copied().find(|count| *count > 0).unwrap_or(0);
        Losses {
            events: first(&[events.into(), stated.by_buffers, told]),
            buffers: first(&[buffers.into(), told_buffers]),
            backups,
        }
    }

    /// Returns the number of events that the kernel could not write to the space that it had reserved for them.
    fn error_events(&self, file: FileId) -> u64 {
        let counts = self.counts(file).and_then(|counts| counts.by_header.get(HeaderType::Error.index()));
        counts.copied().unwrap_or(0)
    }

    /// Notes the losses that the capture itself reports.
    pub(super) fn note_losses(&mut self) {
        let mut notes = Vec::new();
        for (id, _) in self.files_with_ids() {
            let Losses { events, buffers, backups } = self.losses(id);
            let lost = |count, what| format!("the session lost {count} {what} while it recorded");
            let errors = self.error_events(id);
            for (count, kind, detail) in [
                (events, ProblemKind::EventsLost, lost(events, "events")),
                (buffers, ProblemKind::BuffersLost, lost(buffers, "buffers")),
                (backups, ProblemKind::EventsLost, lost(backups, "files of events for a consumer in real time")),
                (
                    errors,
                    ProblemKind::ErrorEvents,
                    format!("{errors} events could not be written: only their sizes are there"),
                ),
            ] {
                if count > 0 {
                    notes.push(Problem::new(kind, detail).of_file(id));
                }
            }
        }
        self.problems.listed.append(&mut notes);
    }
}
