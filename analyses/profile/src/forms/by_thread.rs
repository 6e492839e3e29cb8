//! The samples of each thread.

use std::collections::BTreeMap;

use etwkit_analysis::ViewerPids;

use crate::{FrameKind, NodeId, Profile, Sample};

/// A thread with its samples in order of time.
#[derive(Clone, Debug)]
pub(super) struct ThreadSamples {
    /// Number of the frame of its process.
    pub(super) process: u32,
    /// Process id; 0 if it is not known. For viewers that tell processes apart by it, another number.
    pub(super) pid: u32,
    /// Number of its frame.
    pub(super) thread: u32,
    /// Thread id; 0 if it is not known.
    pub(super) tid: u32,
    pub(super) samples: Vec<Sample>,
    /// The weight of all samples.
    pub(super) weight: u64,
}

/// Returns the threads, the one with the largest weight first. Without a timeline, each node is a sample at the start.
pub(super) fn by_thread(profile: &Profile) -> Vec<ThreadSamples> {
    let threads = profile.threads();
    let mut found: BTreeMap<NodeId, ThreadSamples> = BTreeMap::new();
    let mut add = |sample: Sample| {
        let thread = threads.get(sample.node.0 as usize).copied().unwrap_or(sample.node);
        let thread = found.entry(thread).or_insert_with(|| of_thread(profile, thread));
        thread.weight = thread.weight.saturating_add(sample.weight);
        thread.samples.push(sample);
    };
    if profile.has_timeline() {
        profile.samples().iter().copied().for_each(add);
    } else {
        let owns = profile.nodes().filter(|(_, node)| node.own.samples > 0);
        owns.for_each(|(node, own)| add(Sample { time: profile.start, weight: own.own.weight, node }));
    }
    let mut list: Vec<ThreadSamples> = found.into_values().collect();
    list.sort_by_key(|thread| std::cmp::Reverse(thread.weight));
    list
}

/// Returns the same for viewers that tell processes apart by their ids: those of processes whose id another one has, too,
/// are others. The frame of a process states the real one.
pub(super) fn by_thread_for_viewers(profile: &Profile) -> Vec<ThreadSamples> {
    let mut threads = by_thread(profile);
    let mut in_time: Vec<&ThreadSamples> = threads.iter().collect();
    in_time.sort_by_key(|thread| thread.samples.first().map(|sample| sample.time));
    let pid = |process| if let FrameKind::Process { pid } = profile.kind(process) { pid } else { None };
    let numbers = ViewerPids::new(in_time.iter().map(|thread| (thread.process, pid(thread.process))));
    for thread in &mut threads {
        thread.pid = numbers.number(&thread.process);
    }
    threads
}

fn of_thread(profile: &Profile, id: NodeId) -> ThreadSamples {
    let path = profile.path(id);
    let process = path.first().copied().unwrap_or(0);
    let thread = path.get(1).copied().unwrap_or(process);
    let (pid, tid) = match (profile.kind(process), profile.kind(thread)) {
        (FrameKind::Process { pid }, FrameKind::Thread { tid }) => (pid.unwrap_or(0), tid),
        (FrameKind::Process { pid }, _) => (pid.unwrap_or(0), 0),
        _ => (0, 0),
    };
    ThreadSamples { process, pid, thread, tid, samples: Vec::new(), weight: 0 }
}
