//! From events to the call tree.

use std::ops::ControlFlow;
use std::sync::Arc;

use etwkit::FileTime;
use etwkit::decode::{Event, Fit, PendingEvent};
use etwkit::error::Result;
use etwkit::sink::{Sink, Worker};
use etwkit::system::{System, When};
use etwkit::trace::{RunOptions, Trace};
use etwkit_kernel_analyses::samples::{INTEREST, Intervals, is_busy};

use crate::Profile;
use crate::frame_names::FrameNames;

/// Returns the profile of the CPU samples that pass the filter. The trace must have been opened with parsers that keep
/// stacks.
///
/// # Errors
///
/// Returns an error if the trace cannot be read.
pub fn profile(trace: &Trace, options: &RunOptions) -> Result<Profile> {
    let mut collector = ProfileCollector::new(trace)?;
    trace.run(options, &mut collector)?;
    Ok(collector.finish())
}

/// Collects a profile; for programs that drive runs themselves, for instance to show progress.
#[derive(Debug)]
pub struct ProfileCollector<'t> {
    trace: &'t Trace,
    /// Whether events of a type are read, by its id.
    wanted: Arc<[bool]>,
    intervals: Intervals,
    profile: Profile,
    names: FrameNames,
}

/// A sample.
#[derive(Clone, Debug)]
pub struct SampleFact {
    time: Option<FileTime>,
    /// File that the event is in.
    file: u16,
    when: When,
    pid: Option<u32>,
    tid: Option<u32>,
    /// The process in which the addresses are.
    stack_pid: Option<u32>,
    /// Addresses, the innermost first.
    stack: Box<[u64]>,
    has_stack: bool,
    is_incomplete: bool,
}

impl<'t> ProfileCollector<'t> {
    /// Begins a profile.
    ///
    /// # Errors
    ///
    /// Returns an error if the trace cannot be read.
    pub fn new(trace: &'t Trace) -> Result<Self> {
        let wanted = trace.types().iter().map(|row| INTEREST.has(row.key())).collect();
        let intervals = Intervals::of(trace)?;
        Ok(Self { trace, wanted, intervals, profile: Profile::default(), names: FrameNames::default() })
    }

    /// Returns whether an event states the interval of samples: without it, they stand for no time.
    pub fn has_intervals(&self) -> bool {
        self.intervals.at(None).is_some()
    }

    /// Returns the profile.
    pub fn finish(self) -> Profile {
        self.profile
    }

    fn add(&mut self, fact: &SampleFact) {
        let quality = &mut self.profile.quality;
        quality.samples += 1;
        quality.with_stack += u64::from(fact.has_stack);
        quality.incomplete += u64::from(fact.is_incomplete);
        let system = self.trace.systems().of_file(fact.file);
        let thread = self.thread(fact, system);
        let pid = fact.stack_pid.or(fact.pid).unwrap_or(0);
        let (mut node, mut in_kernel) = (thread, 0);
        for (place, address) in fact.stack.iter().enumerate().rev() {
            let frame = system.frame_at(pid, *address, place, fact.when);
            let functions = system.functions_at(&frame);
            let is_named = frame.method_name().is_some() || functions.is_some();
            in_kernel += usize::from(frame.image.map_or(address >> 63 == 1, |image| image.pid == 0));
            let quality = &mut self.profile.quality;
            quality.frames += 1;
            quality.named += u64::from(is_named);
            quality.in_images += u64::from(!is_named && frame.image.is_some());
            let Self { profile, names, .. } = self;
            let Some(functions) = functions else {
                let frame = names.of_frame(frame, profile);
                node = profile.child(Some(node), frame);
                continue;
            };
            // The function that was called is the last one: those before it are inlined into it.
            for function in functions.iter().rev() {
                let function = names.of_function(frame, function, profile);
                node = profile.child(Some(node), function);
            }
        }
        let quality = &mut self.profile.quality;
        if fact.has_stack && !fact.stack.is_empty() {
            quality.kernel_only += u64::from(in_kernel == fact.stack.len());
            quality.user_only += u64::from(in_kernel == 0);
        }
        self.profile.count(node, self.intervals.at(fact.time));
    }

    /// Returns the node of the sample's thread.
    fn thread(&mut self, fact: &SampleFact, system: &'t System) -> crate::NodeId {
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

impl SampleFact {
    fn of(event: &Event<'_>, frames: &mut Vec<u64>) -> Option<Self> {
        if !is_busy(event) {
            return None;
        }
        let found = event.stack(frames);
        // Without a stack, the sample itself has the innermost address.
        if found.is_none() {
            frames.clear();
            frames.extend(event.get::<u64>("InstructionPointer").ok());
        }
        Some(Self {
            time: event.time(),
            file: event.raw().place().file,
            when: When::from(event.raw()),
            pid: event.pid(),
            tid: event.tid(),
            stack_pid: found.and_then(|found| found.pid),
            stack: frames.as_slice().into(),
            has_stack: found.is_some(),
            is_incomplete: found.is_some_and(|found| found.missing.is_some()),
        })
    }
}

impl Sink for ProfileCollector<'_> {
    type Worker = ProfileWorker;

    fn worker(&self) -> ProfileWorker {
        let (facts, frames) = <_>::default();
        ProfileWorker { wanted: Arc::clone(&self.wanted), facts, frames }
    }

    fn accept(&mut self, facts: Vec<SampleFact>) -> Result<ControlFlow<()>> {
        for fact in &facts {
            self.add(fact);
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// Reads the samples of one thread.
#[derive(Debug)]
pub struct ProfileWorker {
    wanted: Arc<[bool]>,
    facts: Vec<SampleFact>,
    frames: Vec<u64>,
}

/// Samples that are handed over at once on one thread.
const FULL: usize = 1024;

impl Worker for ProfileWorker {
    type Batch = Vec<SampleFact>;

    fn event(&mut self, event: &Event<'_>) -> Result<()> {
        self.facts.extend(SampleFact::of(event, &mut self.frames));
        Ok(())
    }

    fn pending(&mut self, pending: &mut PendingEvent<'_>) -> Result<Option<Fit>> {
        let id = pending.event_type().map(|row| row.id().0 as usize);
        if !id.and_then(|id| self.wanted.get(id)).is_some_and(|wanted| *wanted) {
            return Ok(None);
        }
        let event = pending.locate();
        self.event(&event)?;
        Ok(event.schema().map(|_| event.fit()))
    }

    fn is_full(&self) -> bool {
        self.facts.len() >= FULL
    }

    fn take(&mut self) -> Vec<SampleFact> {
        std::mem::take(&mut self.facts)
    }
}
