//! The file format of speedscope: a sampled profile for each thread.

use serde_json::{Value, json};

use super::by_thread::{ThreadSamples, by_thread};
use super::used_frames::UsedFrames;
use crate::{Profile, Unit};

/// Returns the profile as a file of [speedscope](https://www.speedscope.app): a profile for each thread, the one with the
/// largest weight first, with its samples in order of time.
pub fn speedscope(profile: &Profile, name: &str) -> Value {
    let mut frames = UsedFrames::default();
    let profiles: Vec<Value> =
        by_thread(profile).iter().map(|thread| of_thread(profile, thread, &mut frames)).collect();
    let frame = |number: &u32| json!({ "name": profile.frame(*number) });
    json!({
        "$schema": "https://www.speedscope.app/file-format-schema.json",
        "exporter": concat!("etwkit ", env!("CARGO_PKG_VERSION")),
        "name": name,
        "activeProfileIndex": 0,
        "shared": { "frames": frames.list().iter().map(frame).collect::<Vec<_>>() },
        "profiles": profiles,
    })
}

fn of_thread(profile: &Profile, thread: &ThreadSamples, frames: &mut UsedFrames) -> Value {
    let (unit, factor) = match profile.unit {
        Unit::Time => ("nanoseconds", 100),
        Unit::Bytes => ("bytes", 1),
        Unit::Samples | Unit::Events => ("none", 1),
    };
    let weights: Vec<u64> = thread.samples.iter().map(|sample| sample.weight.saturating_mul(factor)).collect();
    let samples: Vec<Vec<u32>> =
        thread.samples.iter().map(|sample| frames.below_thread(profile, sample.node)).collect();
    json!({
        "type": "sampled",
        "name": format!("{} {}", profile.frame(thread.process), profile.frame(thread.thread)),
        "unit": unit,
        "startValue": 0,
        "endValue": thread.weight.saturating_mul(factor),
        "samples": samples,
        "weights": weights,
    })
}
