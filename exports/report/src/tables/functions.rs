//! Functions of CPU samples, and their call tree.

use std::collections::BTreeMap;

use etwkit_profile::{NodeId, Profile, fold_to, functions as of_profile};

use super::{cut_text, text_column};
use crate::model::{Cell, Flame, Table};

/// The functions with most samples.
pub(crate) fn functions(profile: &Profile, most: usize) -> Table {
    let list = of_profile(profile);
    let all = profile.total().weight.max(1) as f64;
    let share = |weight: u64| Cell::Real((weight as f64 * 1e4 / all).round() / 100.0);
    let row = |function: &etwkit_profile::Function| {
        vec![
            Cell::Text(cut_text(&function.name)),
            share(function.exclusive),
            Cell::Integer(function.exclusive.into()),
            share(function.inclusive),
            Cell::Integer(function.inclusive.into()),
        ]
    };
    Table {
        id: "functions",
        title: "Functions with most CPU samples".to_owned(),
        command: "profile".to_owned(),
        columns: vec![
            text_column("function", "text", "Function, with its module, or its place in an image."),
            text_column("exclusive_share", "percent", "Share of all samples in it, in per cent."),
            text_column("exclusive", "count", "Samples in it."),
            text_column("inclusive_share", "percent", "Share of all samples in it and in what it calls, in per cent."),
            text_column("inclusive", "count", "Samples in it and in what it calls."),
        ],
        rows: list.iter().take(most).map(row).collect(),
        left_out: list.len().saturating_sub(most) as u64,
        excess: profile.quality.cut,
    }
}

/// The nodes of the call tree that weigh most, each below its caller; the others are folded into these.
pub(crate) fn flame(whole: &Profile) -> Flame {
    let profile = fold_to(whole, MOST_NODES);
    let inclusive = profile.inclusive();
    let weight = |id: NodeId| inclusive.get(id.0 as usize).map_or(0, |weight| weight.weight);
    let (mut frames, mut numbers) = (Vec::new(), BTreeMap::new());
    let (mut nodes, mut places) = (Vec::new(), BTreeMap::<NodeId, i32>::new());
    for (id, node) in profile.nodes() {
        let text = profile.frame(node.frame);
        let frame = *numbers.entry(text).or_insert_with(|| {
            frames.push(cut_text(text));
            frames.len() as u32 - 1
        });
        let parent = node.parent.and_then(|parent| places.get(&parent).copied()).unwrap_or(-1);
        places.insert(id, i32::try_from(nodes.len()).unwrap_or(i32::MAX));
        nodes.push((parent, frame, weight(id)));
    }
    Flame {
        title: "CPU samples by process, thread and stack".to_owned(),
        folded: (whole.nodes().len() - nodes.len()) as u64,
        frames,
        nodes,
        samples: profile.total().samples,
    }
}

/// Nodes of a page.
const MOST_NODES: usize = 6_000;
