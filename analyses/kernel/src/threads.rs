//! Threads of a trace.

use std::collections::BTreeMap;

use etwkit::FileTime;
use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::trace::Trace;
use etwkit_analysis::{Analysis, Interest, Need, Selection, Time, units_to_milliseconds};

use crate::schedule::{INTEREST, NamedThread, ScheduleChange, ScheduleFact, SliceFeed, Thread, ThreadId};
use crate::thread_owner::{ThreadOwner, system};
use crate::waits::ThreadTotals;

etwkit_analysis::row! {
    /// A thread.
    pub struct ThreadRow {
        /// Process id; absent if no event states it.
        pid: Option<u32> as Id,
        /// File name of the image of the process.
        process: Option<String> as Text,
        /// Thread id.
        tid: u32 as Id,
        /// Name of the thread.
        name: Option<String> as Text,
        /// Time of its start, UTC; absent if it ran before the trace.
        start: Option<Time> as Time,
        /// Time of its end, UTC; absent if it ran on after the trace.
        end: Option<Time> as Time,
        /// Where it began to run: image and offset, else the address.
        start_address: Option<String> as Text,
        /// Base priority, if events have it.
        priority: Option<u8> as Id,
        /// Milliseconds in which it ran, by context switches; absent without these.
        run_ms: Option<f64> as Milliseconds,
        /// How often it got a processor; absent without context switches.
        switches: Option<u64> as Count,
    }
}

/// What an event states about a thread.
#[derive(Clone, Debug)]
pub struct ThreadFact {
    schedule: ScheduleFact,
    details: Details,
}

/// What starts and rundowns state about a thread.
#[derive(Clone, Copy, Debug, Default)]
struct Details {
    address: Option<u64>,
    priority: Option<u8>,
}

impl Details {
    fn of(event: &Event<'_>) -> Self {
        let address = |name| event.get::<u64>(name).ok().filter(|address| *address != 0);
        Self {
            address: address("Win32StartAddr").or_else(|| address("StartAddr")),
            priority: event.get("BasePriority").ok(),
        }
    }
}

/// Lists threads, in the order in which events first name them.
#[derive(Debug, Default)]
pub struct ThreadList {
    feed: SliceFeed,
    totals: ThreadTotals,
    details: BTreeMap<ThreadId, Details>,
}

impl Analysis for ThreadList {
    type Fact = ThreadFact;
    type Row = ThreadRow;

    const NEEDS_ALL_EVENTS: bool = true;

    fn interest() -> Interest {
        Interest { need: Need::KernelFlags("PROC_THREAD+LOADER"), ..INTEREST }
    }

    fn begin(_: &Trace) -> Result<Self> {
        Ok(Self::default())
    }

    fn select(&mut self, _: &Trace, selection: Option<&Selection>) -> Result<()> {
        self.feed.select(selection);
        Ok(())
    }

    fn fact(event: &Event<'_>) -> Option<ThreadFact> {
        let schedule = ScheduleFact::of(event)?;
        let is_about_one = about(&schedule.change).is_some();
        Some(ThreadFact { schedule, details: if is_about_one { Details::of(event) } else { Details::default() } })
    }

    fn step(&mut self, ThreadFact { schedule, details }: ThreadFact, trace: &Trace) {
        let slices = self.feed.step(&schedule, trace);
        self.totals.add_all(&slices);
        self.feed.recycle(slices);
        let Some(named) = about(&schedule.change) else { return };
        if let Some(id) = self.feed.scheduler().newest_thread(schedule.machine, named.tid) {
            let known = self.details.entry(id).or_default();
            known.address = known.address.or(details.address);
            known.priority = known.priority.or(details.priority);
        }
    }

    fn excess(&self) -> u64 {
        self.feed.scheduler().unlisted_threads()
    }

    fn finish(mut self, trace: &Trace) -> Vec<ThreadRow> {
        self.totals.add_all(&self.feed.finish());
        let threads = (0..).map(ThreadId).zip(self.feed.scheduler().threads());
        let selection = self.feed.selection();
        let was_there =
            |thread: &Thread| thread.start <= selection.until && thread.end.is_none_or(|end| selection.since <= end);
        let chosen = threads.filter(|(_, thread)| self.feed.has(thread) && was_there(thread));
        chosen
            .map(|(id, thread)| {
                let details = self.details.get(&id).copied().unwrap_or_default();
                let totals = self.totals.get(id).map_or((0, 0), |totals| (totals.running, totals.switches));
                let has_switches = self.feed.scheduler().has_switches(thread.machine);
                row(thread, details, has_switches.then_some(totals), trace)
            })
            .collect()
    }
}

/// The thread that an event is about.
fn about(change: &ScheduleChange) -> Option<NamedThread> {
    match change {
        ScheduleChange::Start(thread) | ScheduleChange::Exists(thread) | ScheduleChange::End(thread) => Some(*thread),
        _ => None,
    }
}

fn row(thread: &Thread, details: Details, exact: Option<(u64, u64)>, trace: &Trace) -> ThreadRow {
    let ThreadOwner { key, process, name } = ThreadOwner::of(thread, trace);
    ThreadRow {
        pid: key.pid,
        process,
        tid: thread.tid,
        name,
        start: Some(Time(thread.start)).filter(|_| thread.is_started),
        end: thread.end.map(Time),
        start_address: details.address.map(|address| place(thread, address, trace)),
        priority: details.priority,
        run_ms: exact.map(|(units, _)| units_to_milliseconds(units)),
        switches: exact.map(|(_, switches)| switches),
    }
}

/// Returns the image and the offset of an address. The first thread of a process starts before its images are loaded,
/// so that the time of the thread's end comes first.
fn place(thread: &Thread, address: u64, trace: &Trace) -> String {
    let at = |time: FileTime| {
        let image = system(thread.machine, trace)?.image_at(thread.pid.unwrap_or(0), address, time)?;
        Some(format!("{}+{:#x}", image.file_name(), address.wrapping_sub(image.base)))
    };
    let last = thread.end.unwrap_or(FileTime(i64::MAX));
    at(last).or_else(|| at(thread.seen)).unwrap_or_else(|| format!("{address:#x}"))
}
