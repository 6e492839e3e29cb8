//! The file format of speedscope: a sampled profile for each thread.

use std::collections::BTreeMap;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::json;

use super::by_thread::{ThreadSamples, by_thread};
use super::lazy::Lazy;
use super::used_frames::UsedFrames;
use crate::{Profile, Unit};

/// Returns the profile as a file of [speedscope](https://www.speedscope.app): a profile for each thread, the one with the
/// largest weight first, with its samples in order of time.
pub fn speedscope<'p>(profile: &'p Profile, name: &'p str) -> impl Serialize + use<'p> {
    let threads = by_thread(profile);
    let mut frames = UsedFrames::default();
    for sample in threads.iter().flat_map(|thread| &thread.samples) {
        frames.below_thread(profile, sample.node);
    }
    File { profile, name, threads, frames }
}

struct File<'p> {
    profile: &'p Profile,
    name: &'p str,
    threads: Vec<ThreadSamples>,
    frames: UsedFrames,
}

impl Serialize for File<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { profile, name, threads, frames } = self;
        let frame = |number: &u32| json!({ "name": profile.frame(*number) });
        let shared = [("frames", Lazy(|| frames.list().iter().map(frame)))];
        let mut file = serializer.serialize_map(None)?;
        file.serialize_entry("$schema", "https://www.speedscope.app/file-format-schema.json")?;
        file.serialize_entry("exporter", concat!("etwkit ", env!("CARGO_PKG_VERSION")))?;
        file.serialize_entry("name", name)?;
        file.serialize_entry("activeProfileIndex", &0)?;
        file.serialize_entry("shared", &BTreeMap::from(shared))?;
        file.serialize_entry("profiles", &Lazy(|| threads.iter().map(|thread| OfThread { profile, frames, thread })))?;
        file.end()
    }
}

/// The profile of a thread.
struct OfThread<'f> {
    profile: &'f Profile,
    frames: &'f UsedFrames,
    thread: &'f ThreadSamples,
}

impl Serialize for OfThread<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { profile, frames, thread } = *self;
        let (unit, factor) = match profile.unit {
            Unit::Time => ("nanoseconds", 100),
            Unit::Bytes => ("bytes", 1),
            Unit::Samples | Unit::Events => ("none", 1),
        };
        let samples = || thread.samples.iter().map(|sample| frames.known_below_thread(profile, sample.node));
        let weights = || thread.samples.iter().map(|sample| sample.weight.saturating_mul(factor));
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("type", "sampled")?;
        map.serialize_entry("name", &format!("{} {}", profile.frame(thread.process), profile.frame(thread.thread)))?;
        map.serialize_entry("unit", unit)?;
        map.serialize_entry("startValue", &0)?;
        map.serialize_entry("endValue", &thread.weight.saturating_mul(factor))?;
        map.serialize_entry("samples", &Lazy(samples))?;
        map.serialize_entry("weights", &Lazy(weights))?;
        map.end()
    }
}
