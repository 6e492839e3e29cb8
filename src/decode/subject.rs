//! The process and thread that an event is about.

use crate::system::{Process, System};

use super::Event;

/// What the header has where the kernel does not know.
const UNKNOWN: u32 = u32::MAX;

/// The process and thread that an event is about; `None` where nothing tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Attribution {
    /// Process id.
    pub pid: Option<u32>,
    /// Thread id.
    pub tid: Option<u32>,
}

impl Event<'_> {
    /// Whose event it is, by its header, by the fields that its schema names, and by the thread's process.
    ///
    /// A field that tells the process counts more than the header, and so does one that tells the thread beside it:
    /// such events are written by somebody else. A field that tells only the thread counts where the header does not
    /// know; the process is then the thread's.
    #[inline]
    pub fn whose(&self, state: &System) -> Attribution {
        let known = |id: Option<u32>| id.filter(|id| *id != UNKNOWN);
        let mut whose = Attribution { pid: known(self.raw.pid()), tid: known(self.raw.tid()) };
        let Some(subject) = self.schema.map(crate::schema::Schema::subject) else { return whose };
        if let Some(pid) = self.id_at(subject.process) {
            whose.pid = known(Some(pid));
            whose.tid = if subject.no_thread { None } else { self.id_at(subject.thread).or(whose.tid) };
        } else if whose.tid.is_none() {
            whose.tid = known(self.id_at(subject.thread));
        }
        if whose.pid.is_none() {
            whose.pid = whose.tid.and_then(|tid| state.threads.process(tid, state.times.of(&self.raw)));
        }
        whose
    }

    /// The process that it is about, as far as the trace tells of processes.
    pub fn process<'s>(&self, state: &'s System) -> Option<&'s Process> {
        state.process_at(self.whose(state).pid?, &self.raw)
    }

    /// The file name of that process's image.
    pub fn process_name<'s>(&self, state: &'s System) -> Option<&'s str> {
        state.process_name_at(self.whose(state).pid?, &self.raw)
    }

    fn id_at(&self, place: Option<u16>) -> Option<u32> {
        self.field_at(usize::from(place?))?.value()?.as_u64().map(|id| id as u32)
    }
}
