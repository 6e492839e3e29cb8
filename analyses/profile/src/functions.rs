//! Weights by function.

use hashbrown::HashMap;

use crate::{NodeId, Profile, Unit};

/// The weight of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Function {
    /// Its name with the module, or its place in an image.
    pub name: String,
    /// Weight of samples in it and in what it calls; a recursive call counts once.
    pub inclusive: u64,
    /// Weight of samples whose innermost frame it is.
    pub exclusive: u64,
}

/// Returns the functions of a profile, those with the largest exclusive weight first.
pub fn functions(profile: &Profile, unit: Unit) -> Vec<Function> {
    let mut found: HashMap<&str, (u64, u64)> = HashMap::new();
    for (id, node) in profile.nodes() {
        let weight = profile.own(node, unit);
        if weight == 0 {
            continue;
        }
        let path = frames_of(profile, id);
        if let Some(innermost) = path.last() {
            found.entry(innermost).or_default().1 += weight;
        }
        let mut seen: Vec<&str> = path;
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

/// Returns the frames of a path below the thread.
fn frames_of(profile: &Profile, id: NodeId) -> Vec<&str> {
    profile.path(id).into_iter().skip(2).map(|frame| profile.frame(frame)).collect()
}
