//! The trace event format of Chrome, with CPU profiles.

use std::collections::BTreeMap;

use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::by_thread::{ThreadSamples, by_thread_for_viewers};
use super::lazy::Lazy;
use super::room::name_of_node;
use super::track::{Place, places};
use crate::{FrameKind, NodeId, Profile, Unit};

/// Numbers of a thread's nodes: the root, times of which nothing is known, and the first of its own.
const ROOT: u64 = 1;
const IDLE: u64 = 2;
const FIRST: u64 = 3;

/// Returns the profile as a file of the trace event format: a CPU profile for each thread (`Profile` and `ProfileChunk`
/// events), with the member `weights` beside `timeDeltas`. If weights are times, samples are where they were taken, and
/// last as long as they weigh or until the next one; else they follow one another and last a microsecond for each unit.
/// Names of frames have at most 1 KiB.
pub fn chrome(profile: &Profile) -> impl Serialize + use<'_> {
    File { profile, threads: by_thread_for_viewers(profile) }
}

struct File<'p> {
    profile: &'p Profile,
    threads: Vec<ThreadSamples>,
}

impl Serialize for File<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let unit = if self.profile.unit == Unit::Time { "us" } else { self.profile.unit.name() };
        let exporter = concat!("etwkit ", env!("CARGO_PKG_VERSION"));
        let about = json!({ "exporter": exporter, "weights": self.profile.title, "unit": unit });
        let mut file = serializer.serialize_map(None)?;
        file.serialize_entry("traceEvents", &Events(self))?;
        file.serialize_entry("displayTimeUnit", "ns")?;
        file.serialize_entry("otherData", &about)?;
        file.end()
    }
}

/// The events of all threads.
struct Events<'f>(&'f File<'f>);

impl Serialize for Events<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let File { profile, threads } = self.0;
        let mut events = serializer.serialize_seq(None)?;
        for (number, thread) in (1_u64..).zip(threads) {
            let (pid, tid) = (thread.pid, thread.tid);
            for (event, frame) in [("process_name", thread.process), ("thread_name", thread.thread)] {
                let args = json!({ "name": profile.frame(frame) });
                events.serialize_element(&json!({
                    "ph": "M", "cat": "__metadata", "name": event, "pid": pid, "tid": tid, "ts": 0, "args": args,
                }))?;
            }
            let samples = ProfileOfThread::new(profile, thread);
            let event = |name, data| Event { name, number, thread, start: samples.start(), data };
            events.serialize_element(&event("Profile", None))?;
            events.serialize_element(&event("ProfileChunk", Some(&samples)))?;
        }
        events.end()
    }
}

/// An event of the CPU profiler; without samples, the first one of a thread.
struct Event<'f> {
    name: &'static str,
    number: u64,
    thread: &'f ThreadSamples,
    start: i64,
    data: Option<&'f ProfileOfThread<'f>>,
}

impl Serialize for Event<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut event = serializer.serialize_map(None)?;
        event.serialize_entry("ph", "P")?;
        event.serialize_entry("cat", "disabled-by-default-v8.cpu_profiler")?;
        event.serialize_entry("name", self.name)?;
        event.serialize_entry("id", &format!("{:#x}", self.number))?;
        event.serialize_entry("pid", &self.thread.pid)?;
        event.serialize_entry("tid", &self.thread.tid)?;
        event.serialize_entry("ts", &microseconds(self.start))?;
        match self.data {
            Some(samples) => event.serialize_entry("args", &BTreeMap::from([("data", samples)]))?,
            None => event.serialize_entry("args", &json!({ "data": { "startTime": microseconds(self.start) } }))?,
        }
        event.end()
    }
}

/// The samples of a thread and their nodes.
struct ProfileOfThread<'p> {
    profile: &'p Profile,
    places: Vec<Place>,
    nodes: Nodes<'p>,
    /// The numbers of the places' nodes.
    samples: Vec<u64>,
}

impl<'p> ProfileOfThread<'p> {
    fn new(profile: &'p Profile, thread: &ThreadSamples) -> Self {
        let (mut nodes, places) = (Nodes::new(profile), places(profile, thread));
        let samples = places.iter().map(|place| place.node.map_or(IDLE, |node| nodes.number(node))).collect();
        Self { profile, places, nodes, samples }
    }

    fn start(&self) -> i64 {
        self.places.first().map_or(0, |place| place.at)
    }
}

impl Serialize for ProfileOfThread<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { profile, places, nodes, samples } = self;
        let end = places.last().map_or(0, |place| place.at);
        let before = || std::iter::once(self.start()).chain(places.iter().map(|place| place.at));
        let deltas =
            || places.iter().zip(before()).map(|(place, before)| microseconds(place.at.saturating_sub(before)));
        let weights = || places.iter().map(|place| weight(profile, place.weight));
        let mut data = serializer.serialize_map(None)?;
        data.serialize_entry("cpuProfile", &CpuProfile { nodes, samples })?;
        data.serialize_entry("timeDeltas", &Lazy(deltas))?;
        data.serialize_entry("weights", &Lazy(weights))?;
        data.serialize_entry("endTime", &microseconds(end))?;
        data.end()
    }
}

/// The member `cpuProfile`.
struct CpuProfile<'p> {
    nodes: &'p Nodes<'p>,
    samples: &'p [u64],
}

impl Serialize for CpuProfile<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("nodes", &Lazy(|| self.nodes.in_json()))?;
        map.serialize_entry("samples", self.samples)?;
        map.end()
    }
}

/// Returns a weight: time in microseconds, as all times of the format are.
fn weight(profile: &Profile, weight: u64) -> Value {
    match profile.unit {
        Unit::Time => microseconds(i64::try_from(weight).unwrap_or(i64::MAX)),
        _ => weight.into(),
    }
}

/// Returns units of 100 ns as microseconds, whole ones without a fraction.
fn microseconds(units: i64) -> Value {
    if units % 10 == 0 { (units / 10).into() } else { (units as f64 / 10.0).into() }
}

/// The nodes of a thread, which refer to their callers.
struct Nodes<'p> {
    profile: &'p Profile,
    numbers: BTreeMap<NodeId, u64>,
    /// The caller and the frame of each, from [`FIRST`] on.
    list: Vec<(u64, u32)>,
}

impl<'p> Nodes<'p> {
    const fn new(profile: &'p Profile) -> Self {
        Self { profile, numbers: BTreeMap::new(), list: Vec::new() }
    }

    /// Returns the number of a node; the thread and the process are the root.
    fn number(&mut self, id: NodeId) -> u64 {
        let mut missing = Vec::new();
        let mut next = Some(id);
        let mut caller = ROOT;
        while let Some(node) = next {
            if let Some(number) = self.numbers.get(&node) {
                caller = *number;
                break;
            }
            missing.push(node);
            next = self.profile.node(node).and_then(|node| node.parent);
        }
        // The outermost two are the process and the thread.
        for id in missing.into_iter().rev() {
            let Some(found) = self.profile.node(id) else { continue };
            let is_root =
                matches!(self.profile.kind(found.frame), FrameKind::Process { .. } | FrameKind::Thread { .. });
            if !is_root {
                self.list.push((caller, found.frame));
                caller = self.list.len() as u64 + FIRST - 1;
            }
            self.numbers.insert(id, caller);
        }
        caller
    }

    fn in_json(&self) -> impl Iterator<Item = Value> {
        let own = (FIRST..)
            .zip(&self.list)
            .map(|(number, (caller, frame))| node(number, Some(*caller), name_of_node(self.profile.frame(*frame))));
        [node(ROOT, None, "(root)"), node(IDLE, Some(ROOT), "(idle)")].into_iter().chain(own)
    }
}

fn node(id: u64, parent: Option<u64>, name: &str) -> Value {
    let mut node =
        json!({ "id": id, "callFrame": { "codeType": "other", "functionName": name, "scriptId": 0, "url": "" } });
    if let (Some(parent), Some(members)) = (parent, node.as_object_mut()) {
        members.insert("parent".to_owned(), parent.into());
    }
    node
}
