//! Who calls a function, and whom it calls.

use hashbrown::HashMap;

use etwkit::trace::Glob;

use crate::Profile;

/// The weight of a caller or a callee.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Neighbor {
    /// Its name.
    pub name: String,
    /// Weight of samples in which it calls the function, or is called by it.
    pub weight: u64,
}

/// The name of the row of samples that call nothing.
const SELF: &str = "[self]";

/// Returns who calls the functions of a name, the largest weight first. Of a recursive call, the outermost counts, so that
/// the weights add up to the function's inclusive weight.
pub fn callers(profile: &Profile, of: &Glob) -> Vec<Neighbor> {
    neighbors(profile, of, |(roots, path), is_it| {
        let place = path.iter().position(|frame| is_it(*frame))?;
        // Those of the outermost frame are the threads.
        Some(place.checked_sub(1).and_then(|place| path.get(place)).or_else(|| roots.last()).copied())
    })
}

/// Returns whom the functions of a name call, the largest weight first; `[self]` is the function itself. Of a recursive
/// call, the innermost counts, so that the weights add up to the function's inclusive weight.
pub fn callees(profile: &Profile, of: &Glob) -> Vec<Neighbor> {
    neighbors(profile, of, |(_, path), is_it| {
        let place = path.iter().rposition(|frame| is_it(*frame))?;
        Some(path.get(place + 1).copied())
    })
}

/// Adds up by what a function finds in a path, of which it gets the process with the thread and what is below: `None` if
/// the functions are not in it.
fn neighbors(
    profile: &Profile,
    of: &Glob,
    find: impl Fn((&[u32], &[u32]), &dyn Fn(u32) -> bool) -> Option<Option<u32>>,
) -> Vec<Neighbor> {
    let matching: Vec<bool> = profile.frames().map(|frame| of.matches(&frame.text)).collect();
    let is_it = |frame: u32| matching.get(frame as usize).is_some_and(|matches| *matches);
    let mut found: HashMap<&str, u64> = HashMap::new();
    for (id, node) in profile.nodes().filter(|(_, node)| node.own.weight > 0) {
        let (roots, path) = profile.split_path(id);
        if let Some(frame) = find((&roots, &path), &is_it) {
            *found.entry(frame.map_or(SELF, |frame| profile.frame(frame))).or_default() += node.own.weight;
        }
    }
    let neighbor = |(name, weight): (&str, u64)| Neighbor { name: name.to_owned(), weight };
    let mut list: Vec<Neighbor> = found.into_iter().map(neighbor).collect();
    list.sort_by(|a, b| (b.weight, &a.name).cmp(&(a.weight, &b.name)));
    list
}
