//! The file format of speedscope: a sampled profile for each thread.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::{Profile, Unit};

/// Returns the profile as a file of [speedscope](https://www.speedscope.app). Samples of a thread are sorted by path, not
/// by time: the call tree has no times.
pub fn speedscope(profile: &Profile, unit: Unit, name: &str) -> Value {
    let mut threads: BTreeMap<(u32, u32), (Vec<Value>, Vec<u64>)> = BTreeMap::new();
    for (id, node) in profile.nodes() {
        let weight = profile.own(node, unit);
        let path = profile.path(id);
        if let (Some((thread, frames)), true) = (path.split_at_checked(2), weight > 0)
            && let [process, thread] = *thread
        {
            let (samples, weights) = threads.entry((process, thread)).or_default();
            samples.push(frames.into());
            weights.push(weight);
        }
    }
    let unit_name = match unit {
        Unit::Samples => "none",
        Unit::Microseconds => "microseconds",
    };
    let profiles = threads.into_iter().map(|((process, thread), (samples, weights))| {
        json!({
            "type": "sampled",
            "name": format!("{} {}", profile.frame(process), profile.frame(thread)),
            "unit": unit_name,
            "startValue": 0,
            "endValue": weights.iter().sum::<u64>(),
            "samples": samples,
            "weights": weights,
        })
    });
    let frames: Vec<Value> = profile.frames().map(|frame| json!({ "name": frame })).collect();
    json!({
        "$schema": "https://www.speedscope.app/file-format-schema.json",
        "exporter": concat!("etwkit ", env!("CARGO_PKG_VERSION")),
        "name": name,
        "shared": { "frames": frames },
        "profiles": profiles.collect::<Vec<_>>(),
    })
}
