//! What is known of the traced system beyond single events: parsers fill it in the first pass, then it is frozen.
//!
//! Everything is kept over time, because ids are reused: a process is its id *and* when it ran. All times are
//! [`FileTime`](crate::time::FileTime)s, whether one file is open or several with different clocks. Lookups take
//! [`When`]: an event, which is exact to the tick of its clock, or a `FileTime`. No provider is known here; parsers feed it.
//!
//! Events of the beginning or the end of something may be lost or in no session. What has no known beginning, because only
//! its end or a rundown states it, is taken to be there since what had its id or address before ended, else from the
//! beginning of the trace. What has no known end is there until something else is stated in its place: by a start from that
//! on; by a rundown or an end from the start of its session on, if the first one was stated in an earlier session, else from
//! the event on. Of images and methods that overlap, the one that began last counts.
//!
//! A [`System`] is that of one [`Machine`] and boot. Files of several machines have several: see [`Systems`].

mod budget;
mod by_address;
mod feed;
mod files;
mod frame;
#[cfg(feature = "output")]
mod frame_lookup;
mod frame_namer;
#[cfg(feature = "output")]
mod frame_slots;
mod identities;
mod image;
#[cfg(feature = "output")]
mod image_span;
mod images;
mod lifetime;
mod machine;
mod machine_facts;
mod methods;
mod names;
mod others;
mod owner;
mod process;
mod process_facts;
mod processes;
mod ranges;
mod stack_joins;
mod stacks;
mod systems;
mod threads;
mod timeline;
mod unknown;
mod volumes;

#[cfg(feature = "output")]
use std::ops::RangeInclusive;
use std::sync::Arc;

pub use budget::StateBudget;
pub use files::FileNames;
pub use frame::FrameAt;
#[cfg(feature = "output")]
pub use frame_lookup::FrameLookup;
pub use frame_namer::{FrameNamer, Function};
#[cfg(feature = "output")]
pub(crate) use frame_slots::{FrameKey, FrameSlots};
pub use identities::PdbFile;
pub use image::Image;
pub use images::Images;
pub use machine::Machine;
pub use machine_facts::MachineFacts;
pub use methods::{Method, MethodCode, Methods};
pub use process::Process;
pub use process_facts::ProcessFacts;
pub use processes::{ProcessId, Processes};
pub use stack_joins::{NoStackReason, StackJoins, UnjoinedReason};
use stacks::StackCaps;
pub use stacks::{MissingFrames, StackCounts, StackOwner, StackPart, Stacks};
pub use systems::Systems;
pub use threads::Threads;
pub use timeline::When;
pub(crate) use timeline::{Ticks, Timeline};
pub use unknown::Unknown;
pub use volumes::Volumes;

/// Facts of the traced system: of one machine, from one boot to the next. A lookup by an event of another machine finds
/// nothing.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// Which machine and boot it is.
    pub machine: Machine,
    /// What its events state about it.
    pub machine_facts: MachineFacts,
    pub(crate) timeline: Timeline,
    /// Processes over time.
    pub processes: Processes,
    /// Threads over time.
    pub threads: Threads,
    /// Images (modules) over time.
    pub images: Images,
    /// Methods that runtimes compiled, over time, if the parsers were asked to keep stacks.
    pub methods: Methods,
    /// Names of files by the keys and objects that events carry.
    pub files: FileNames,
    /// Names of open kernel objects by their address.
    pub objects: FileNames,
    /// Device names and their drive letters.
    pub volumes: Volumes,
    /// Stacks that came in events of their own, if the parsers were asked to keep them.
    pub stacks: Stacks,
    others: others::Others,
    /// What names native code.
    namer: Option<Arc<dyn FrameNamer>>,
    /// What is left of the caps on it; all machines of a trace share them.
    pub budget: StateBudget,
}

impl System {
    /// Makes the empty system of one of several machines, which share the caps.
    pub(crate) fn new(machine: Machine, timeline: Timeline, machines: usize, budget: StateBudget) -> Self {
        let stacks = Stacks::new(StackCaps::shared_by(machines));
        let volumes = Volumes::shared_by(machines);
        Self { machine, timeline, volumes, stacks, budget, ..Self::default() }
    }

    /// Returns the process that ran as an id, or was the last to do so: events of a process are still written after its
    /// end.
    pub fn process_at(&self, pid: u32, when: impl Into<When>) -> Option<&Process> {
        self.processes.at_or_before(pid, self.ticks(when)?)
    }

    /// Returns the process that ran as an id: `None` before its start, after its end, and if no event mentions it.
    pub fn running_process_at(&self, pid: u32, when: impl Into<When>) -> Option<&Process> {
        self.processes.at(pid, self.ticks(when)?)
    }

    /// Returns the file name of the image of [`System::process_at`]; `None` too if no event names it.
    pub fn process_name_at(&self, pid: u32, when: impl Into<When>) -> Option<&str> {
        self.process_at(pid, when).map(Process::file_name).filter(|name| !name.is_empty())
    }

    /// Returns what [`System::process_name_at`] does for an event at a tick, with the ticks for which it returns the
    /// same.
    #[cfg(feature = "output")]
    pub(crate) fn process_name_span(&self, pid: u32, tick: i64) -> (Option<&str>, RangeInclusive<i64>) {
        let (process, ticks) = self.processes.span(pid, tick);
        (process.map(Process::file_name).filter(|name| !name.is_empty()), ticks)
    }

    /// Returns why [`System::running_process_at`] finds none; `None` if it does.
    pub fn why_no_process(&self, pid: Option<u32>, when: impl Into<When>) -> Option<Unknown> {
        self.why_unknown(when, |at| self.processes.why_unknown(pid, at))
    }

    /// Returns the id of the process whose thread had an id, or was the last to have it.
    pub fn thread_process_at(&self, tid: u32, when: impl Into<When>) -> Option<u32> {
        self.threads.process(tid, self.ticks(when)?.last)
    }

    /// Returns the process of [`System::thread_process_at`], if it ran.
    pub fn process_of_thread(&self, tid: u32, when: impl Into<When>) -> Option<&Process> {
        let at = self.ticks(when)?;
        self.processes.at(self.threads.process(tid, at.last)?, at)
    }

    /// Returns why [`System::thread_process_at`] finds none; `None` if it does.
    pub fn why_no_thread(&self, tid: Option<u32>, when: impl Into<When>) -> Option<Unknown> {
        self.why_unknown(when, |at| self.threads.why_unknown(tid, at.last))
    }

    /// Returns the name of a thread.
    pub fn thread_name_at(&self, tid: u32, when: impl Into<When>) -> Option<&str> {
        self.threads.name_at(tid, self.ticks(when)?.last)
    }

    /// Returns the image that held an address in a process. Images of the kernel belong to all processes.
    pub fn image_at(&self, pid: u32, address: u64, when: impl Into<When>) -> Option<&Image> {
        self.images.at(pid, address, self.ticks(when)?)
    }

    /// Returns the method whose machine code was at an address of a process.
    pub fn method_at(&self, pid: u32, address: u64, when: impl Into<When>) -> Option<Method<'_>> {
        self.methods.at(pid, address, self.ticks(when)?)
    }

    /// Returns the name of the file of a key or object, in the kernel's form.
    pub fn file_name_at(&self, key: u64, when: impl Into<When>) -> Option<&str> {
        self.files.at(key, self.ticks(when)?.last)
    }

    /// Returns why [`System::file_name_at`] finds none; `None` if it does.
    pub fn why_no_file_name(&self, key: u64, when: impl Into<When>) -> Option<Unknown> {
        self.why_unknown(when, |at| self.files.why_unknown(key, at.last))
    }

    /// Returns the name of the kernel object at an address.
    pub fn object_name_at(&self, address: u64, when: impl Into<When>) -> Option<&str> {
        self.objects.at(address, self.ticks(when)?.last)
    }

    /// Returns why a lookup finds nothing: because of the time, or as `at` states about the ticks.
    fn why_unknown(&self, when: impl Into<When>, at: impl FnOnce(Ticks) -> Option<Unknown>) -> Option<Unknown> {
        let when = when.into();
        match self.timeline.ticks(when) {
            Some(ticks) => at(ticks),
            None if self.timeline.is_foreign(when) => Some(Unknown::OtherMachine),
            None => Some(Unknown::NoClock),
        }
    }

    /// Returns the ticks of a point in time, for several lookups.
    #[inline]
    pub(crate) fn ticks(&self, when: impl Into<When>) -> Option<Ticks> {
        self.timeline.ticks(when.into())
    }

    /// Orders what lookups search. Called once, after the first pass.
    pub(crate) fn freeze(&mut self) {
        let mut others = std::mem::take(&mut self.others);
        others.complete_names(&self.images, &mut self.budget);
        // Before the processes are sorted: owners are numbered in the order of their mention.
        self.images.end_with_processes(&self.processes);
        self.methods.end_with_processes(&self.processes);
        others.images.end_with_processes(&others.processes);
        self.processes.freeze(others.processes);
        self.threads.freeze();
        self.images.freeze(others.images);
        self.files.freeze();
        self.objects.freeze();
        self.methods.freeze();
        self.stacks.freeze(&self.threads);
    }
}
