//! Samples of call stacks as a tree, for the flame graph.

use etwkit::Trace;
use etwkit::trace::RunOptions;
use etwkit_profile::weights::CpuSamples;
use etwkit_profile::{Profile, ProfileOptions, fold, profile};
use serde::Serialize;

use crate::limits::MAX_NODES;

/// A tree of frames.
#[derive(Debug, Serialize)]
pub(crate) struct Tree {
    title: &'static str,
    /// Weight of all samples.
    total: u64,
    samples: u64,
    with_stack: u64,
    frames: Vec<String>,
    /// Parent (by number in this list), frame, weight of the node itself.
    nodes: Vec<(Option<u32>, u32, u64)>,
    /// Nodes whose weight is less than this share of all, in percent, are in their parent.
    folded_below: f64,
}

/// Adds up the CPU samples of a trace.
pub(crate) fn cpu_samples(trace: &Trace) -> etwkit::Result<Tree> {
    let options = RunOptions::default().threads(1);
    let whole = profile(trace, CpuSamples::new(trace)?, ProfileOptions::default(), &options)?;
    Ok(tree(whole))
}

/// Folds what is small until the tree is small enough.
fn tree(mut profile: Profile) -> Tree {
    let mut percent = 0.0;
    for step in [0.05, 0.2, 1.0, 5.0] {
        if profile.nodes().len() <= MAX_NODES {
            break;
        }
        percent = step;
        profile = fold(&profile, percent);
    }
    let node =
        |(_, node): (_, &etwkit_profile::Node)| (node.parent.map(|parent| parent.0), node.frame, node.own.weight);
    Tree {
        title: profile.title,
        total: profile.total().weight,
        samples: profile.quality.samples,
        with_stack: profile.quality.with_stack,
        frames: profile.frames().map(|frame| frame.text.to_string()).collect(),
        nodes: profile.nodes().take(MAX_NODES).map(node).collect(),
        folded_below: percent,
    }
}
