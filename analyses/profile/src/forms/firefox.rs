//! The file format of the Firefox Profiler.

use std::time::Duration;

use etwkit::FileTime;
use etwkit_analysis::units_to_milliseconds;
use fxprof_processed_profile::{
    CategoryColor, CategoryHandle, CpuDelta, Frame, FrameFlags, FrameInfo, ProcessHandle, Profile as Processed,
    ReferenceTimestamp, SamplingInterval, StackHandle, ThreadHandle, Timestamp, WeightType,
};
use hashbrown::HashMap;
use serde_json::Value;

use super::by_thread::{ThreadSamples, by_thread};
use crate::{FrameKind, NodeId, Profile, Sample, Unit};

/// Nanoseconds in a unit of 100 ns.
const NANOSECONDS: u64 = 100;
/// The interval of samples if no event states it: a millisecond.
const USUAL_INTERVAL: u64 = FileTime::UNITS_PER_MILLISECOND.unsigned_abs();

/// Returns the profile as a file of the [Firefox Profiler](https://profiler.firefox.com): the samples of each thread in
/// order of time. Code of Windows and of the .NET runtime has a category of its own.
pub fn firefox(profile: &Profile, name: &str) -> serde_json::Result<Value> {
    let start = Duration::from_nanos(profile.start_since_1970());
    let interval = profile.interval.unwrap_or(USUAL_INTERVAL).saturating_mul(NANOSECONDS);
    let processed = Processed::new(
        name,
        ReferenceTimestamp::from_duration_since_unix_epoch(start),
        SamplingInterval::from_nanos(interval),
    );
    let mut writer = Writer::new(profile, processed);
    let threads = by_thread(profile);
    for thread in &threads {
        writer.thread(thread);
    }
    let mut value = serde_json::to_value(&writer.processed)?;
    put_weights(&mut value, &writer.weights, profile.unit);
    Ok(value)
}

/// What is known while samples are added.
struct Writer<'p> {
    profile: &'p Profile,
    processed: Processed,
    own: CategoryHandle,
    system: CategoryHandle,
    /// By the number of the frame.
    processes: HashMap<u32, ProcessHandle>,
    /// Weights of all samples; each has its place as its weight until the end, because the crate takes 32 bits.
    weights: Vec<u64>,
}

impl<'p> Writer<'p> {
    fn new(profile: &'p Profile, mut processed: Processed) -> Self {
        let own = processed.add_category("Application", CategoryColor::Yellow);
        let system = processed.add_category("Windows and .NET", CategoryColor::Blue);
        processed.set_os_name("Windows");
        processed.set_symbolicated(true);
        Self { profile, processed, own, system, processes: HashMap::new(), weights: Vec::new() }
    }

    fn thread(&mut self, thread: &ThreadSamples) {
        let Self { profile, processed, processes, .. } = self;
        let start = timestamp(profile, profile.start.0);
        let is_main = !processes.contains_key(&thread.process);
        let process = *processes
            .entry(thread.process)
            .or_insert_with(|| processed.add_process(profile.frame(thread.process), thread.pid, start));
        let handle = processed.add_thread(process, thread.tid, start, is_main);
        processed.set_thread_name(handle, profile.frame(thread.thread));
        processed.set_thread_samples_weight_type(handle, weight_type(profile.unit));
        let mut stacks = HashMap::new();
        let mut before = None;
        for sample in &thread.samples {
            self.sample(handle, sample, &mut stacks, &mut before);
        }
    }

    fn sample(
        &mut self,
        thread: ThreadHandle,
        sample: &Sample,
        stacks: &mut HashMap<NodeId, Option<StackHandle>>,
        before: &mut Option<i64>,
    ) {
        let stack = self.stack(thread, sample.node, stacks);
        let own = if self.profile.unit == Unit::Time {
            sample.weight
        } else {
            self.profile.interval.unwrap_or(USUAL_INTERVAL)
        };
        // No thread runs longer than the time since its last sample.
        let since = before.map_or(own, |before| sample.time.0.saturating_sub(before).max(0).cast_unsigned());
        *before = Some(sample.time.0);
        let delta = CpuDelta::from_nanos(own.min(since).saturating_mul(NANOSECONDS));
        let place = i32::try_from(self.weights.len()).unwrap_or(i32::MAX);
        self.weights.push(sample.weight);
        self.processed.add_sample(thread, timestamp(self.profile, sample.time.0), stack, delta, place);
    }

    /// Returns the stack of a node; `None` of threads.
    fn stack(
        &mut self,
        thread: ThreadHandle,
        node: NodeId,
        stacks: &mut HashMap<NodeId, Option<StackHandle>>,
    ) -> Option<StackHandle> {
        let mut missing = Vec::new();
        let mut next = Some(node);
        let mut stack = None;
        while let Some(node) = next {
            if let Some(known) = stacks.get(&node) {
                stack = *known;
                break;
            }
            missing.push(node);
            next = self.profile.node(node).and_then(|node| node.parent);
        }
        for id in missing.into_iter().rev() {
            let Some(node) = self.profile.node(id) else { continue };
            if matches!(self.profile.kind(node.frame), FrameKind::Code { .. } | FrameKind::Label) {
                let frame = self.frame(thread, node.frame);
                stack = Some(self.processed.intern_stack(thread, stack, frame));
            }
            stacks.insert(id, stack);
        }
        stack
    }

    fn frame(&mut self, thread: ThreadHandle, frame: u32) -> fxprof_processed_profile::FrameHandle {
        let category = match self.profile.module_of(frame) {
            Some(module) if module.is_system => self.system,
            Some(_) => self.own,
            None => CategoryHandle::OTHER,
        };
        let name = self.processed.intern_string(self.profile.frame(frame));
        let frame = FrameInfo { frame: Frame::Label(name), category_pair: category.into(), flags: FrameFlags::empty() };
        self.processed.intern_frame(thread, frame)
    }
}

/// Returns a time since the start of the trace.
fn timestamp(profile: &Profile, time: i64) -> Timestamp {
    let units = u64::try_from(time.saturating_sub(profile.start.0)).unwrap_or(0);
    Timestamp::from_nanos_since_reference(units.saturating_mul(NANOSECONDS))
}

const fn weight_type(unit: Unit) -> WeightType {
    match unit {
        Unit::Samples | Unit::Events => WeightType::Samples,
        Unit::Time => WeightType::TracingMs,
        Unit::Bytes => WeightType::Bytes,
    }
}

/// Replaces the places of weights by the weights.
fn put_weights(value: &mut Value, weights: &[u64], unit: Unit) {
    let threads = value.get_mut("threads").and_then(Value::as_array_mut);
    for thread in threads.into_iter().flatten() {
        let list =
            thread.get_mut("samples").and_then(|samples| samples.get_mut("weight")).and_then(Value::as_array_mut);
        for weight in list.into_iter().flatten() {
            let place = weight.as_u64().unwrap_or(0) as usize;
            let own = weights.get(place).copied().unwrap_or(0);
            *weight = if unit == Unit::Time { units_to_milliseconds(own).into() } else { own.into() };
        }
    }
}
