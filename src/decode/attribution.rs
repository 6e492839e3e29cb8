//! The process and thread to which an event is attributed.

use std::sync::LazyLock;

use crate::event::{RawEvent, known_id};
use crate::schema::Subject;
use crate::system::{Process, System};

use super::{Event, Fit};

/// A system without facts, for events outside of a trace.
static NO_SYSTEM: LazyLock<System> = LazyLock::new(System::default);

/// The process and thread to which an event is attributed; `None` where neither the event nor the trace names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Attribution {
    /// Process id.
    pub pid: Option<u32>,
    /// Thread id.
    pub tid: Option<u32>,
}

impl Attribution {
    /// Returns the writing process and thread, as far as the header has them.
    #[inline]
    pub(crate) fn of_header(event: &RawEvent<'_>) -> Self {
        Self { pid: known(event.pid()), tid: known(event.tid()) }
    }

    /// Returns the ids that a header has.
    #[inline]
    #[cfg(feature = "output")]
    pub(crate) fn of_ids((tid, pid): (u32, u32)) -> Self {
        Self { pid: known(Some(pid)), tid: known(Some(tid)) }
    }

    /// Returns the process and thread by the header, by the fields that a schema names for them, and by the thread's
    /// process. `id` reads a field.
    #[inline]
    pub(crate) fn of_subject(
        self,
        subject: Subject,
        event: &RawEvent<'_>,
        system: &System,
        id: impl Fn(Option<u16>) -> Option<u32>,
    ) -> Self {
        let mut found = self;
        if let Some(pid) = id(subject.process) {
            found.pid = known(Some(pid));
            found.tid =
                if subject.no_thread { None } else { id(subject.thread).map_or(found.tid, |tid| known(Some(tid))) };
        } else if found.tid.is_none() {
            found.tid = known(id(subject.thread));
        }
        found.with_process(event, system)
    }

    /// Adds the thread's process, if there is none.
    #[inline]
    pub(crate) fn with_process(self, event: &RawEvent<'_>, system: &System) -> Self {
        let by_thread = |tid| known(system.threads.process(tid, system.timeline.of(event)));
        Self { pid: self.pid.or_else(|| self.tid.and_then(by_thread)), ..self }
    }
}

#[inline]
fn known(id: Option<u32>) -> Option<u32> {
    id.and_then(known_id)
}

impl<'a> Event<'a> {
    /// Returns the process and thread to which the event is attributed: by its header, by the fields that its schema
    /// names for them, and by the thread's process.
    ///
    /// A field that names the process counts more than the header, and so does one that names the thread beside it:
    /// such events are written by somebody else. A field that names only the thread counts where the header does not
    /// know; the process is then the thread's.
    #[inline]
    pub fn attribution(&self) -> Attribution {
        let find = || {
            let Attribution { pid, tid } = self.find_attribution();
            (pid, tid)
        };
        let (pid, tid) = self.scratch.ids.get_or_find(find);
        Attribution { pid, tid }
    }

    fn find_attribution(&self) -> Attribution {
        let written = Attribution::of_header(&self.raw);
        let Some(schema) = self.schema else { return written.with_process(&self.raw, self.system()) };
        if self.fit() == Fit::Exact
            && let Some(found) = written.of_layout(schema, &self.raw, self.payload(), self.system())
        {
            return found;
        }
        written.of_subject(schema.subject(), &self.raw, self.system(), |place| self.id_at(place))
    }

    /// Returns the process id to which the event is attributed, see [`Event::attribution`].
    pub fn pid(&self) -> Option<u32> {
        self.attribution().pid
    }

    /// Returns the thread id to which the event is attributed, see [`Event::attribution`].
    pub fn tid(&self) -> Option<u32> {
        self.attribution().tid
    }

    /// Returns the process to which the event is attributed; `None` if the trace has no facts about it.
    pub fn process(&self) -> Option<&'a Process> {
        self.system().process_at(self.attribution().pid?, &self.raw)
    }

    /// Returns the file name of that process's image, such as `svchost.exe`.
    pub fn process_name(&self) -> Option<&'a str> {
        self.system().process_name_at(self.attribution().pid?, &self.raw)
    }

    /// Returns the traced system: that of the machine and boot that the event is of. Empty for events outside of a
    /// trace.
    #[inline]
    pub fn system(&self) -> &'a System {
        match self.decoder {
            Some(decoder) => decoder.systems().of(&self.raw),
            None => &NO_SYSTEM,
        }
    }

    fn id_at(&self, place: Option<u16>) -> Option<u32> {
        self.number_at(usize::from(place?)).map(|id| id as u32)
    }
}
