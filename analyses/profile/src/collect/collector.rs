//! Adds up samples.

use std::ops::ControlFlow;
use std::sync::Arc;

use etwkit::FileTime;
use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::sink::Sink;
use etwkit::trace::{Filter, FilterCheck, RunOptions, Trace};

use super::chosen_threads::ChosenThreads;
use super::operations::Operations;
use super::sums::{StackSums, Whose};
use super::{ProfileFact, ProfileWorker};
use crate::weights::{Counted, Role, Weigher};
use crate::{Profile, Sample, Unit};

/// Options for the contents of a profile.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProfileOptions {
    /// What weights are counted in.
    pub unit: Unit,
    /// Whether it has a timeline: forms that are in order of time need one.
    pub has_timeline: bool,
}

/// Returns the profile of the events that pass the filter and weigh something. The trace must have been opened with
/// parsers that keep stacks.
///
/// # Errors
///
/// Returns an error if the trace cannot be read.
pub fn profile(
    trace: &Trace,
    weigher: impl Weigher + 'static,
    profile: ProfileOptions,
    options: &RunOptions,
) -> Result<Profile> {
    let (mut collector, options) = ProfileCollector::new(trace, Arc::new(weigher), profile).choosing(options);
    trace.run(&options, &mut collector)?;
    Ok(collector.finish())
}

/// Collects a profile; for programs that drive runs themselves, for instance to show progress.
#[derive(Debug)]
pub struct ProfileCollector<'t> {
    trace: &'t Trace,
    weigher: Arc<dyn Weigher>,
    /// Whether events of a type are read, by its id.
    wanted: Arc<[bool]>,
    chosen: ChosenThreads,
    /// Chooses among the events of the run; all are chosen without it.
    filter: Option<Filter>,
    sums: StackSums<'t>,
    operations: Operations,
}

impl<'t> ProfileCollector<'t> {
    /// Begins a profile.
    pub fn new(trace: &'t Trace, weigher: Arc<dyn Weigher>, options: ProfileOptions) -> Self {
        let wanted = trace.types().iter().map(|row| weigher.reads(row)).collect();
        let start = trace.start().unwrap_or_default();
        let mut profile = Profile::new(options.unit, weigher.title(), start, options.has_timeline);
        profile.interval = weigher.interval();
        Self {
            trace,
            weigher,
            wanted,
            chosen: ChosenThreads::default(),
            filter: None,
            sums: StackSums::new(profile),
            operations: Operations::default(),
        }
    }

    /// Chooses samples by the processes and threads of a filter, and returns the options to run it with, which have these
    /// conditions no more: events may lack the process that their stack states. Where events are joined
    /// ([`Weigher::joins_events`]), they have no filter at all, and the collector applies it.
    #[must_use]
    pub fn choosing(mut self, options: &RunOptions) -> (Self, RunOptions) {
        let mut options = options.clone();
        self.chosen = ChosenThreads::take_from(&mut options.filter);
        if self.weigher.joins_events() && options.filter != Filter::default() {
            self.filter = Some(std::mem::take(&mut options.filter));
        }
        (self, options)
    }

    /// Returns the profile.
    pub fn finish(self) -> Profile {
        let mut profile = self.sums.profile;
        profile.quality.without_end = self.operations.without_end();
        profile.quality.forgotten = self.operations.excess();
        profile.sort();
        profile
    }

    /// Takes what an event weighs.
    fn take(&mut self, mut fact: ProfileFact) {
        let machine = self.trace.systems().of_file(fact.stack.file).machine.number;
        match fact.reading.role {
            Role::Own => self.add(&fact, fact.time),
            Role::Ends => self.add(&fact, begin(&fact)),
            Role::Begins(key, _) => {
                let is_chosen = fact.is_chosen && self.chosen.has(&self.whose(&fact));
                self.operations.begin(machine, key, fact, is_chosen);
            }
            Role::EndsKey(key) if !fact.is_chosen => self.operations.lose(machine, key),
            Role::EndsKey(key) => match self.operations.end(machine, key, &mut fact) {
                Some(begun) if begun.counted() == Counted::Nothing => {}
                Some(begun) if !begun.is_chosen => match (fact.reading.amount.time, fact.reading.tid) {
                    (None, _) => self.add_without_start(&fact),
                    (Some(_), Some(_)) => self.add(&fact, begin(&fact)),
                    // Its own thread is the one that the disk interrupted.
                    (Some(_), None) => {}
                },
                Some(begun) => self.add(&begun, begun.time),
                None if fact.reading.amount.time.is_some() => self.add(&fact, begin(&fact)),
                None => self.add_without_start(&fact),
            },
        }
    }

    /// Counts an end that weighs nothing without its start.
    fn add_without_start(&mut self, fact: &ProfileFact) {
        let is_chosen = self.chosen.has(&self.whose(fact));
        self.sums.profile.quality.without_start += u64::from(is_chosen);
    }

    /// The thread of a sample.
    fn whose(&self, fact: &ProfileFact) -> Whose<'t> {
        let (system, when) = (self.trace.systems().of_file(fact.stack.file), fact.stack.when);
        let (pid, tid) = (fact.pid.or(fact.stack.pid), fact.tid.or(fact.stack.tid));
        Whose { system, pid, tid, process_when: when, thread_when: when }
    }

    /// Adds a sample.
    fn add(&mut self, fact: &ProfileFact, time: Option<FileTime>) {
        let whose = self.whose(fact);
        if !self.chosen.has(&whose) {
            return;
        }
        let node = self.sums.node(whose, Some(&fact.stack), fact.reading.label.as_deref());
        let profile = &mut self.sums.profile;
        let weight = fact.reading.amount.weight(profile.unit);
        profile.count(Sample { time: time.unwrap_or(profile.start), weight, node });
    }
}

/// Returns when the time began that an event ends.
fn begin(fact: &ProfileFact) -> Option<FileTime> {
    let time = i64::try_from(fact.reading.amount.time.unwrap_or(0)).unwrap_or(i64::MAX);
    fact.time.map(|end| FileTime(end.0.saturating_sub(time)))
}

impl<'t> Sink for ProfileCollector<'t> {
    type Worker = ProfileWorker<'t, ProfileFact>;

    fn worker(&self) -> ProfileWorker<'t, ProfileFact> {
        let weigher = Arc::clone(&self.weigher);
        let mut check = self.filter.as_ref().map(|filter| FilterCheck::new(self.trace, filter));
        let read = move |event: &Event<'_>, frames: &mut Vec<u64>| {
            let reading = weigher.read(event)?;
            if check.as_mut().is_none_or(|check| check.passes(event.raw())) {
                Some(ProfileFact::of(event, reading, frames))
            } else {
                ProfileFact::left_out(event, reading)
            }
        };
        ProfileWorker::new(Arc::clone(&self.wanted), Box::new(read))
    }

    fn accept(&mut self, facts: Vec<ProfileFact>) -> Result<ControlFlow<()>> {
        for fact in facts {
            self.take(fact);
        }
        Ok(ControlFlow::Continue(()))
    }
}
