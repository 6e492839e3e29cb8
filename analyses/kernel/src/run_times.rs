//! CPU time of processes by context switches.

use std::collections::{BTreeMap, BTreeSet};

use etwkit::error::Result;
use etwkit::trace::{RunOptions, Trace};
use etwkit_analysis::{Run, Selection};

use crate::ProcessKey;
use crate::schedule::{SWITCHES, ThreadId};
use crate::thread_owner::ThreadOwner;
use crate::waits::WaitsByThread;

/// How long and how often the threads of a process ran.
#[derive(Clone, Debug, Default)]
pub(crate) struct RunTime {
    pub(crate) process: Option<String>,
    /// Units of 100 ns.
    pub(crate) units: u64,
    pub(crate) switches: u64,
}

/// The times of processes.
#[derive(Clone, Debug, Default)]
pub(crate) struct RunTimes {
    pub(crate) by_process: BTreeMap<ProcessKey, RunTime>,
    /// The machines of which the trace has context switches.
    pub(crate) machines: BTreeSet<u16>,
    /// How often an event named a thread that had no room.
    pub(crate) excess: u64,
}

/// Returns the times of the processes that are chosen; nothing if the trace has no context switches.
pub(crate) fn run_times(trace: &Trace, selection: &Selection) -> Result<Option<RunTimes>> {
    if SWITCHES.events(trace) == 0 {
        return Ok(None);
    }
    let mut run = Run::<WaitsByThread>::new(trace)?;
    run.select(Some(selection))?;
    trace.run(&RunOptions::default(), &mut run)?;
    let (feed, threads) = run.into_analysis().into_parts();
    let scheduler = feed.scheduler();
    let mut found = RunTimes { excess: scheduler.unlisted_threads(), ..RunTimes::default() };
    let machines = scheduler.threads().iter().map(|thread| thread.machine);
    found.machines = machines.filter(|machine| scheduler.has_switches(*machine)).collect();
    for (number, thread) in (0..).zip(scheduler.threads()).filter(|(_, thread)| feed.has(thread)) {
        let Some(totals) = threads.get(ThreadId(number)).filter(|totals| totals.has_run()) else { continue };
        let ThreadOwner { key, process, .. } = ThreadOwner::of(thread, trace);
        let times = found.by_process.entry(key).or_default();
        times.process = times.process.take().or(process);
        times.units += totals.running;
        times.switches += totals.switches;
    }
    Ok(Some(found))
}
