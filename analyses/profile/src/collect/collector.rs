//! Adds up samples.

use std::ops::ControlFlow;
use std::sync::Arc;

use etwkit::FileTime;
use etwkit::error::Result;
use etwkit::sink::Sink;
use etwkit::system::System;
use etwkit::trace::{RunOptions, Trace};

use super::frame_names::FrameNames;
use super::operations::Operations;
use super::{ProfileFact, ProfileWorker};
use crate::weights::{Reading, Role, Weigher};
use crate::{NodeId, Profile, Quality, Sample, Unit};

/// What a profile has.
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
    let mut collector = ProfileCollector::new(trace, Arc::new(weigher), profile);
    trace.run(options, &mut collector)?;
    Ok(collector.finish())
}

/// Collects a profile; for programs that drive runs themselves, for instance to show progress.
#[derive(Debug)]
pub struct ProfileCollector<'t> {
    trace: &'t Trace,
    weigher: Arc<dyn Weigher>,
    /// Whether events of a type are read, by its id.
    wanted: Arc<[bool]>,
    profile: Profile,
    names: FrameNames,
    /// The frames at one address.
    numbers: Vec<u32>,
    operations: Operations,
}

impl<'t> ProfileCollector<'t> {
    /// Begins a profile.
    pub fn new(trace: &'t Trace, weigher: Arc<dyn Weigher>, options: ProfileOptions) -> Self {
        let wanted = trace.types().iter().map(|row| weigher.reads(row)).collect();
        let start = trace.start().unwrap_or_default();
        let mut profile = Profile::new(options.unit, weigher.title(), start, options.has_timeline);
        profile.interval = weigher.interval();
        let (names, operations) = (FrameNames::default(), Operations::default());
        Self { trace, weigher, wanted, profile, names, numbers: Vec::new(), operations }
    }

    /// Returns the profile.
    pub fn finish(self) -> Profile {
        let mut profile = self.profile;
        profile.quality.without_end = self.operations.without_end();
        profile.sort();
        profile
    }

    /// Takes what an event weighs.
    fn take(&mut self, mut fact: ProfileFact) {
        let machine = self.trace.systems().of_file(fact.file).machine.number;
        match fact.reading.role {
            Role::Own => self.add(&fact, fact.time),
            Role::Ends => self.add(&fact, begin(&fact)),
            Role::Begins(key) => self.operations.begin(machine, key, fact),
            Role::EndsKey(key) => match self.operations.end(machine, key, &mut fact) {
                Some(begun) => self.add(&begun, begun.time),
                None if fact.reading.amount.time.is_some() => self.add(&fact, begin(&fact)),
                None => self.profile.quality.without_start += 1,
            },
        }
    }

    /// Adds a sample.
    fn add(&mut self, fact: &ProfileFact, time: Option<FileTime>) {
        let system = self.trace.systems().of_file(fact.file);
        let mut quality = Quality { samples: 1, ..Quality::default() };
        quality.with_stack += u64::from(fact.has_stack);
        quality.incomplete += u64::from(fact.is_incomplete);
        let thread = self.thread(fact, system);
        let node = self.stack(thread, fact, system, &mut quality);
        self.profile.quality.add(&quality);
        let weight = fact.reading.amount.weight(self.profile.unit);
        self.profile.count(Sample { time: time.unwrap_or(self.profile.start), weight, node });
    }

    /// Returns the node of the innermost frame.
    fn stack(&mut self, thread: NodeId, fact: &ProfileFact, system: &System, quality: &mut Quality) -> NodeId {
        let Self { profile, names, numbers, .. } = self;
        let pid = fact.stack_pid.or(fact.pid).unwrap_or(0);
        let (mut node, mut in_kernel) = (thread, 0);
        for (place, address) in fact.stack.iter().enumerate().rev() {
            let frame = system.frame_at(pid, *address, place, fact.when);
            let functions = system.functions_at(&frame);
            in_kernel += usize::from(frame.image.map_or(address >> 63 == 1, |image| image.pid == 0));
            quality.add_frame(&frame, functions.is_some());
            names.of_address(frame, functions.as_deref(), profile, numbers);
            for number in &*numbers {
                if profile.is_full() {
                    quality.cut = 1;
                    return node;
                }
                node = profile.child(Some(node), *number);
            }
        }
        if fact.has_stack && !fact.stack.is_empty() {
            quality.kernel_only += u64::from(in_kernel == fact.stack.len());
            quality.user_only += u64::from(in_kernel == 0);
        }
        match &fact.reading {
            Reading { label: Some(label), .. } if !profile.is_full() => {
                let frame = names.of_label(label, profile);
                profile.child(Some(node), frame)
            }
            _ => node,
        }
    }

    /// Returns the node of the sample's thread.
    fn thread(&mut self, fact: &ProfileFact, system: &System) -> NodeId {
        let Self { profile, names, .. } = self;
        let pid = fact.pid.or(fact.stack_pid);
        let name = pid.and_then(|pid| system.process_name_at(pid, fact.when));
        let process = names.of_process(system.machine.number, pid, name, profile);
        let process = profile.child(None, process);
        let tid = fact.tid.unwrap_or(0);
        let thread = names.of_thread(tid, system.thread_name_at(tid, fact.when), profile);
        profile.child(Some(process), thread)
    }
}

/// Returns when the time began that an event ends.
fn begin(fact: &ProfileFact) -> Option<FileTime> {
    let time = i64::try_from(fact.reading.amount.time.unwrap_or(0)).unwrap_or(i64::MAX);
    fact.time.map(|end| FileTime(end.0.saturating_sub(time)))
}

impl Sink for ProfileCollector<'_> {
    type Worker = ProfileWorker;

    fn worker(&self) -> ProfileWorker {
        ProfileWorker::new(Arc::clone(&self.wanted), Arc::clone(&self.weigher))
    }

    fn accept(&mut self, facts: Vec<ProfileFact>) -> Result<ControlFlow<()>> {
        for fact in facts {
            self.take(fact);
        }
        Ok(ControlFlow::Continue(()))
    }
}
