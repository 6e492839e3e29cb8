//! Makes a profile of another one, node by node.

use crate::{Node, NodeId, Profile, Sample};

/// What becomes of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Becomes {
    /// A node of a frame below what its caller became.
    Frame(u32),
    /// Its caller: its samples count there.
    Caller,
    /// A node as usual, whose own samples are left out.
    Unweighed(u32),
}

/// Makes a profile in which each node of another one becomes what a function states. The function gets the new profile,
/// to add frames, the node, and what its caller became.
pub(super) fn rebuild(
    profile: &Profile,
    mut becomes: impl FnMut(&mut Profile, NodeId, &Node, Option<NodeId>) -> Becomes,
) -> Profile {
    let mut new = profile.emptied();
    // What each node became, and whether its samples stay.
    let mut places: Vec<(Option<NodeId>, bool)> = Vec::with_capacity(profile.nodes().len());
    for (id, node) in profile.nodes() {
        let caller = node.parent.and_then(|parent| places.get(parent.0 as usize)).and_then(|(place, _)| *place);
        let (place, stays) = match becomes(&mut new, id, node, caller) {
            Becomes::Frame(frame) => (Some(new.child(caller, frame)), true),
            Becomes::Caller => (caller, true),
            Becomes::Unweighed(frame) => (Some(new.child(caller, frame)), false),
        };
        places.push((place, stays));
        if let (Some(place), true) = (place, stays) {
            new.add(place, node.own);
        }
    }
    for sample in profile.samples() {
        if let Some((Some(node), true)) = places.get(sample.node.0 as usize) {
            new.keep(Sample { node: *node, ..*sample });
        }
    }
    new
}
