//! Samples of call stacks as a tree, for the flame graph.

use etwkit::Trace;
use etwkit::trace::RunOptions;
use etwkit_profile::weights::CpuSamples;
use etwkit_profile::{ProfileOptions, fold_to, profile};
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
    /// Number of nodes that were folded into their callers because they weigh least.
    folded: usize,
}

/// Adds up the CPU samples of a trace.
pub(crate) fn cpu_samples(trace: &Trace) -> etwkit::Result<Tree> {
    let options = RunOptions::default().threads(1);
    let whole = profile(trace, CpuSamples::new(trace)?, ProfileOptions::default(), &options)?;
    let profile = fold_to(&whole, MAX_NODES);
    let node =
        |(_, node): (_, &etwkit_profile::Node)| (node.parent.map(|parent| parent.0), node.frame, node.own.weight);
    Ok(Tree {
        title: profile.title,
        total: profile.total().weight,
        samples: profile.quality.samples,
        with_stack: profile.quality.with_stack,
        frames: profile.frames().map(|frame| frame.text.to_string()).collect(),
        nodes: profile.nodes().map(node).collect(),
        folded: whole.nodes().len() - profile.nodes().len(),
    })
}
