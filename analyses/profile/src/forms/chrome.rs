//! The trace event format of Chrome, with CPU profiles.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::by_thread::{ThreadSamples, by_thread};
use super::track::places;
use crate::{NodeId, Profile, Unit};

/// Numbers of a thread's nodes: the root, times of which nothing is known, and the first of its own.
const ROOT: u64 = 1;
const IDLE: u64 = 2;
const FIRST: u64 = 3;

/// Returns the profile as a file of the trace event format: a CPU profile for each thread (`Profile` and `ProfileChunk`
/// events), with the member `weights` beside `timeDeltas`. If weights are times, samples are where they were taken, and
/// last as long as they weigh or until the next one; else they follow one another and last a microsecond for each unit.
pub fn chrome(profile: &Profile) -> Value {
    let mut events = Vec::new();
    for (number, thread) in (1..).zip(by_thread(profile)) {
        let name = |event: &str, name: &str| {
            let (pid, tid) = (thread.pid, thread.tid);
            json!({ "ph": "M", "cat": "__metadata", "name": event, "pid": pid, "tid": tid, "ts": 0, "args": { "name": name } })
        };
        events.push(name("process_name", profile.frame(thread.process)));
        events.push(name("thread_name", profile.frame(thread.thread)));
        events.extend(of_thread(profile, &thread, number));
    }
    let unit = if profile.unit == Unit::Time { "us" } else { profile.unit.name() };
    let exporter = concat!("etwkit ", env!("CARGO_PKG_VERSION"));
    let about = json!({ "exporter": exporter, "weights": profile.title, "unit": unit });
    json!({ "traceEvents": events, "displayTimeUnit": "ns", "otherData": about })
}

fn of_thread(profile: &Profile, thread: &ThreadSamples, number: u64) -> [Value; 2] {
    let mut nodes = Nodes::new(profile);
    let places = places(profile, thread);
    let start = places.first().map_or(0, |place| place.at);
    let end = places.last().map_or(0, |place| place.at);
    let (mut samples, mut deltas, mut weights) = (Vec::new(), Vec::new(), Vec::new());
    let mut before = start;
    for place in &places {
        samples.push(place.node.map_or(IDLE, |node| nodes.number(node)));
        deltas.push(microseconds(place.at.saturating_sub(before)));
        weights.push(weight(profile, place.weight));
        before = place.at;
    }
    let event = |name: &str, data: Value| {
        json!({
            "ph": "P", "cat": "disabled-by-default-v8.cpu_profiler", "name": name, "id": format!("{number:#x}"),
            "pid": thread.pid, "tid": thread.tid, "ts": microseconds(start), "args": { "data": data },
        })
    };
    let chunk = json!({
        "cpuProfile": { "nodes": nodes.list, "samples": samples },
        "timeDeltas": deltas,
        "weights": weights,
        "endTime": microseconds(end),
    });
    [event("Profile", json!({ "startTime": microseconds(start) })), event("ProfileChunk", chunk)]
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
    list: Vec<Value>,
}

impl<'p> Nodes<'p> {
    fn new(profile: &'p Profile) -> Self {
        let list = vec![node(ROOT, None, "(root)"), node(IDLE, Some(ROOT), "(idle)")];
        Self { profile, numbers: BTreeMap::new(), list }
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
            let is_root = matches!(
                self.profile.kind(found.frame),
                crate::FrameKind::Process { .. } | crate::FrameKind::Thread { .. }
            );
            if !is_root {
                let number = self.list.len() as u64 + FIRST - 2;
                self.list.push(node(number, Some(caller), self.profile.frame(found.frame)));
                caller = number;
            }
            self.numbers.insert(id, caller);
        }
        caller
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
