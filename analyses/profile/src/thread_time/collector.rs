//! From facts to the call tree.

use std::ops::ControlFlow;
use std::sync::Arc;

use etwkit::FileTime;
use etwkit::error::Result;
use etwkit::sink::Sink;
use etwkit::system::{System, When};
use etwkit::trace::{Filter, RunOptions, Trace};
use etwkit_analysis::Selection;
use etwkit_kernel_analyses::schedule::{ScheduleChange, ScheduleFact, Scheduler, Slice, SliceKind, Thread};

use super::causes::Causes;
use super::fact::{What, is_read};
use super::label::label;
use super::runs::{Piece, Runs};
use super::waits::{Wait, Waits};
use super::{ThreadFact, ThreadTime};
use crate::collect::{StackSums, Stacked, Whose};
use crate::{Profile, ProfileOptions, ProfileWorker, Sample};

/// Returns the profile of the time of threads. The filter chooses a window of time, processes and threads; conditions on
/// single events do not apply. The trace must have been opened with parsers that keep stacks.
///
/// # Errors
///
/// Returns an error if the trace cannot be read.
pub fn thread_time(trace: &Trace, kind: ThreadTime, profile: ProfileOptions, options: &RunOptions) -> Result<Profile> {
    let (mut collector, options) = ThreadTimeCollector::new(trace, kind, profile, options);
    trace.run(&options, &mut collector)?;
    Ok(collector.finish())
}

/// Collects the time of threads; for programs that drive runs themselves, for instance to show progress.
#[derive(Debug)]
pub struct ThreadTimeCollector<'t> {
    trace: &'t Trace,
    kind: ThreadTime,
    selection: Selection,
    /// Whether events of a type are read, by its id.
    wanted: Arc<[bool]>,
    scheduler: Scheduler,
    slices: Vec<Slice>,
    runs: Runs,
    waits: Waits,
    causes: Causes,
    sums: StackSums<'t>,
}

impl<'t> ThreadTimeCollector<'t> {
    /// Begins a profile of what options choose, and returns the options to run it with, which have no filter: it needs all
    /// events. Weights are times, whatever the unit that is asked for.
    pub fn new(
        trace: &'t Trace,
        kind: ThreadTime,
        profile: ProfileOptions,
        options: &RunOptions,
    ) -> (Self, RunOptions) {
        let start = trace.start().unwrap_or_default();
        let profile =
            Profile::new(kind.units().first().copied().unwrap_or_default(), kind.title(), start, profile.has_timeline);
        let collector = Self {
            trace,
            kind,
            selection: Selection::of(trace, &options.filter).unwrap_or_default(),
            wanted: trace.types().iter().map(|row| is_read(row, kind)).collect(),
            scheduler: Scheduler::default(),
            slices: Vec::new(),
            runs: Runs::default(),
            waits: Waits::default(),
            causes: Causes::default(),
            sums: StackSums::new(profile),
        };
        (collector, options.clone().filter(Filter::default()))
    }

    /// Returns the profile.
    pub fn finish(mut self) -> Profile {
        let mut open = Vec::new();
        self.scheduler.finish(&mut open);
        for slice in &open {
            self.count(slice);
        }
        let forgotten = self.runs.excess() + self.causes.excess() + self.waits.excess();
        for wait in std::mem::take(&mut self.waits).finish() {
            self.count_wait(&wait);
        }
        let mut profile = self.sums.profile;
        profile.quality.forgotten = forgotten + self.scheduler.unlisted_threads();
        profile.sort();
        profile
    }

    fn take(&mut self, fact: ThreadFact) {
        let ThreadFact { time, machine, what } = fact;
        match what {
            What::Schedule(fact, stack) => self.schedule(&fact, stack),
            What::Sample { tid, stack } => self.runs.sample((machine, tid), time, stack),
            What::Cause(fact) => {
                let Some(delay) = self.causes.take(machine, time, fact) else { return };
                if let Some(thread) = self.scheduler.newest_thread(machine, delay.tid) {
                    self.waits.explain(thread, &delay);
                }
            }
        }
    }

    fn schedule(&mut self, fact: &ScheduleFact, stack: Option<Arc<Stacked>>) {
        let ScheduleFact { machine, time, tag, change, .. } = *fact;
        if let ScheduleChange::Switch { new, .. } = change
            && new.tid != 0
        {
            self.runs.begin((machine, new.tid), tag, time, stack);
        }
        let mut slices = std::mem::take(&mut self.slices);
        self.scheduler.step(fact, self.trace, &mut slices);
        for slice in &slices {
            self.count(slice);
        }
        slices.clear();
        self.slices = slices;
        if let ScheduleChange::Switch { new, old, .. } = change
            && new.tid != old.tid
        {
            self.runs.end((machine, old.tid));
        }
    }

    /// Counts a slice of a thread that is chosen.
    fn count(&mut self, slice: &Slice) {
        let Some(id) = slice.thread else { return };
        let Some(thread) = self.scheduler.thread(id) else { return };
        if !self.selection.has_thread(thread.at()) {
            return;
        }
        let tid = thread.tid;
        match (slice.kind, self.kind) {
            (SliceKind::Running, kind) => {
                let label = (kind == ThreadTime::Wall).then(|| label(slice, None));
                for piece in self.runs.pieces(tid, slice) {
                    self.add(slice, &piece, label.as_deref());
                }
            }
            (_, ThreadTime::Running) => {}
            (SliceKind::Waiting, ThreadTime::Wall) => {
                let (stack, cause) = (self.runs.switch_stack(tid, slice), self.causes.of(slice, thread));
                if let Some(wait) = self.waits.push(id, Wait { slice: *slice, stack, cause }) {
                    self.count_wait(&wait);
                }
            }
            (_, ThreadTime::Wall) => {
                let stack = self.runs.switch_stack(tid, slice);
                let whole = Piece { start: slice.start, end: slice.end, stack };
                self.add(slice, &whole, Some(&label(slice, None)));
            }
        }
    }

    fn count_wait(&mut self, wait: &Wait) {
        let Wait { slice, stack, cause } = wait;
        let whole = Piece { start: slice.start, end: slice.end, stack: stack.clone() };
        self.add(slice, &whole, Some(&label(slice, *cause)));
    }

    /// Adds the part of a piece of a slice that is in the window.
    fn add(&mut self, slice: &Slice, piece: &Piece, label: Option<&str>) {
        let Some((start, end)) = self.selection.clip(piece.start, piece.end).filter(|(start, end)| start < end) else {
            return;
        };
        let thread = slice.thread.and_then(|id| self.scheduler.thread(id));
        let system = self.trace.systems().iter().find(|system| system.machine.number == slice.machine);
        let Some((thread, system)) = thread.zip(system) else { return };
        let node = self.sums.node(whose(thread, system, slice.end), piece.stack.as_deref(), label);
        let weight = end.0.saturating_sub(start.0).max(0).cast_unsigned();
        self.sums.profile.count(Sample { time: start, weight, node });
    }
}

/// Returns the thread of a slice. Its process has the same name in all of its lifetime.
fn whose<'t>(thread: &Thread, system: &'t System, end: FileTime) -> Whose<'t> {
    let (process_when, thread_when) = (When::from(thread.seen), When::from(end));
    Whose { system, pid: thread.pid, tid: Some(thread.tid), process_when, thread_when }
}

impl<'t> Sink for ThreadTimeCollector<'t> {
    type Worker = ProfileWorker<'t, ThreadFact>;

    fn worker(&self) -> ProfileWorker<'t, ThreadFact> {
        ProfileWorker::new(Arc::clone(&self.wanted), Box::new(ThreadFact::of))
    }

    fn accept(&mut self, facts: Vec<ThreadFact>) -> Result<ControlFlow<()>> {
        for fact in facts {
            self.take(fact);
        }
        Ok(ControlFlow::Continue(()))
    }
}
