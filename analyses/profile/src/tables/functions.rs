//! Weights by function.

use std::collections::BTreeMap;

use hashbrown::HashMap;

use crate::{FrameKind, NodeId, Profile};

/// The weight of a function, a module, a process or a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Function {
    /// Its name: of a function with the module, or its place in an image.
    pub name: String,
    /// Weight of samples in it and in what it calls; a recursive call counts once.
    pub inclusive: u64,
    /// Weight of samples whose innermost frame it is.
    pub exclusive: u64,
}

/// The name of samples of which no frame is known, or of which all are folded into the thread.
const NO_FRAMES: &str = "[no frames]";

/// Returns the functions of a profile, those with the largest exclusive weight first. Samples without frames are one of
/// them, so that the exclusive weights add up to all weight.
pub fn functions(profile: &Profile) -> Vec<Function> {
    of_groups(profile, |profile, id| {
        let path: Vec<&str> = profile.code_path(id).into_iter().map(|frame| profile.frame(frame)).collect();
        if path.is_empty() { vec![NO_FRAMES] } else { path }
    })
}

/// The module of frames that are in none that is known.
const UNKNOWN: &str = "unknown";

/// Returns the modules of a profile, those with the largest exclusive weight first.
pub fn modules(profile: &Profile) -> Vec<Function> {
    let module = |frame: u32| match profile.kind(frame) {
        FrameKind::Code { .. } => Some(profile.module_of(frame).map_or(UNKNOWN, |module| &module.name)),
        _ => None,
    };
    of_groups(profile, |profile, id| {
        let list: Vec<&str> = profile.path(id).into_iter().filter_map(module).collect();
        if list.is_empty() { vec![UNKNOWN] } else { list }
    })
}

/// Returns the processes of a profile, those with the largest weight first.
pub fn processes(profile: &Profile) -> Vec<Function> {
    of_groups(profile, |profile, id| profile.path(id).first().map(|frame| profile.frame(*frame)).into_iter().collect())
}

/// Returns the threads of a profile with their processes, those with the largest weight first.
pub fn threads(profile: &Profile) -> Vec<(String, Function)> {
    let threads = profile.threads();
    let mut weights: BTreeMap<NodeId, u64> = BTreeMap::new();
    for (id, node) in profile.nodes().filter(|(_, node)| node.own.weight > 0) {
        let thread = threads.get(id.0 as usize).copied().unwrap_or(id);
        *weights.entry(thread).or_default() += node.own.weight;
    }
    let row = |(thread, weight): (NodeId, u64)| {
        let path = profile.path(thread);
        let text = |place: usize| path.get(place).map_or("", |frame| profile.frame(*frame)).to_owned();
        (text(0), Function { name: text(1), inclusive: weight, exclusive: weight })
    };
    let mut list: Vec<(String, Function)> = weights.into_iter().map(row).collect();
    list.sort_by(|a, b| (b.1.exclusive, &a.0, &a.1.name).cmp(&(a.1.exclusive, &b.0, &b.1.name)));
    list
}

/// Adds up weights by the texts of each node, the innermost one last.
fn of_groups<'p>(profile: &'p Profile, texts: impl Fn(&'p Profile, NodeId) -> Vec<&'p str>) -> Vec<Function> {
    let mut found: HashMap<&str, (u64, u64)> = HashMap::new();
    for (id, node) in profile.nodes() {
        let weight = node.own.weight;
        if weight == 0 {
            continue;
        }
        let mut seen = texts(profile, id);
        if let Some(innermost) = seen.last() {
            found.entry(innermost).or_default().1 += weight;
        }
        seen.sort_unstable();
        seen.dedup();
        for name in seen {
            found.entry(name).or_default().0 += weight;
        }
    }
    let function =
        |(name, (inclusive, exclusive)): (&str, (u64, u64))| Function { name: name.to_owned(), inclusive, exclusive };
    let mut list: Vec<Function> = found.into_iter().map(function).collect();
    list.sort_by(|a, b| (b.exclusive, b.inclusive, &a.name).cmp(&(a.exclusive, a.inclusive, &b.name)));
    list
}
