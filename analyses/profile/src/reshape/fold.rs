//! Folds frames that weigh little into their callers.

use std::cmp::Reverse;

use hashbrown::HashMap;

use super::rebuild::{Becomes, rebuild};
use crate::{FrameKind, NodeId, Profile};

/// Folds frames into their callers whose inclusive weight, over the whole profile, is less than a part of all weight, in
/// per cent. Processes and threads stay. So does PerfView's `Fold %`.
pub fn fold(profile: &Profile, percent: f64) -> Profile {
    let least = profile.total().weight as f64 * percent / 100.0;
    let weights = inclusive(profile);
    rebuild(profile, |_, _, node, _| {
        let is_root = matches!(profile.kind(node.frame), FrameKind::Process { .. } | FrameKind::Thread { .. });
        let weight = weights.get(profile.frame(node.frame)).copied().unwrap_or(0);
        if is_root || weight as f64 >= least { Becomes::Frame(node.frame) } else { Becomes::Caller }
    })
}

/// Folds nodes into their callers until there are `most`: those whose inclusive weight is least. Such nodes without a
/// caller become one. The weight of the whole stays the same.
pub fn fold_to(profile: &Profile, most: usize) -> Profile {
    let inclusive = profile.inclusive();
    let weight = |id: NodeId| inclusive.get(id.0 as usize).map_or(0, |weight| weight.weight);
    // A caller weighs at least as much as what it calls, and comes before it.
    let mut heaviest: Vec<_> = profile.nodes().map(|(id, _)| (Reverse(weight(id)), id)).collect();
    heaviest.sort_unstable();
    if heaviest.len() > most {
        // One is left for what the others without a caller become.
        heaviest.truncate(most.saturating_sub(1));
    }
    let last = heaviest.last().copied();
    let mut others = None;
    rebuild(profile, |new, id, node, _| {
        let is_kept = last.is_some_and(|last| (Reverse(weight(id)), id) <= last);
        match node.parent {
            _ if is_kept => Becomes::Frame(node.frame),
            Some(_) => Becomes::Caller,
            None => Becomes::Frame(
                *others.get_or_insert_with(|| new.add_frame("(others)".to_owned(), FrameKind::Process { pid: None })),
            ),
        }
    })
}

/// Returns the inclusive weights of frames by their texts; a recursive call counts once.
fn inclusive(profile: &Profile) -> HashMap<&str, u64> {
    let mut weights = HashMap::new();
    for (id, node) in profile.nodes().filter(|(_, node)| node.own.weight > 0) {
        let mut texts: Vec<&str> = profile.path(id).into_iter().map(|frame| profile.frame(frame)).collect();
        texts.sort_unstable();
        texts.dedup();
        for text in texts {
            *weights.entry(text).or_default() += node.own.weight;
        }
    }
    weights
}
