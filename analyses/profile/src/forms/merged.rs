//! The call tree as it is drawn: nodes of equal text below one caller are one.

use hashbrown::HashMap;

use crate::Profile;

/// The call tree with a root above all processes.
#[derive(Clone, Debug)]
pub(super) struct Merged<'p> {
    nodes: Vec<MergedNode<'p>>,
}

/// A node of the tree as it is drawn.
#[derive(Clone, Debug)]
pub(super) struct MergedNode<'p> {
    pub(super) text: &'p str,
    /// 0 of the root.
    pub(super) depth: usize,
    /// Weight of it and of all below it.
    pub(super) inclusive: u64,
    /// Weight of its own samples.
    pub(super) exclusive: u64,
    /// Places of what it calls, the largest weight first.
    children: Vec<usize>,
}

/// The place of the root.
const ROOT: usize = 0;

impl<'p> Merged<'p> {
    /// Merges the nodes of a profile that weigh something.
    pub(super) fn of(profile: &'p Profile) -> Self {
        Self::named(profile, |frame| profile.frame(frame))
    }

    /// Merges them by other texts of the frames.
    pub(super) fn named(profile: &Profile, text_of: impl Fn(u32) -> &'p str) -> Self {
        let root = MergedNode { text: "all", depth: 0, inclusive: 0, exclusive: 0, children: Vec::new() };
        let mut merged = Self { nodes: vec![root] };
        let mut found: HashMap<(usize, &str), usize> = HashMap::new();
        let mut places: Vec<usize> = Vec::with_capacity(profile.nodes().len());
        for ((_, node), weight) in profile.nodes().zip(profile.inclusive()) {
            let parent = node.parent.and_then(|parent| places.get(parent.0 as usize)).copied().unwrap_or(ROOT);
            if weight.weight == 0 {
                places.push(parent);
                continue;
            }
            let text = text_of(node.frame);
            let place = *found.entry((parent, text)).or_insert_with(|| merged.add(parent, text));
            places.push(place);
            if let Some(found) = merged.nodes.get_mut(place) {
                found.inclusive += weight.weight;
                found.exclusive += node.own.weight;
            }
            if let (None, Some(root)) = (node.parent, merged.nodes.get_mut(ROOT)) {
                root.inclusive += weight.weight;
            }
        }
        merged.sort();
        merged
    }

    /// Returns the weight of everything.
    pub(super) fn total(&self) -> u64 {
        self.nodes.first().map_or(0, |root| root.inclusive)
    }

    /// Returns all nodes, each before what it calls, with the weight of everything that is drawn left of it.
    pub(super) fn in_order(&self) -> impl Iterator<Item = (&MergedNode<'p>, u64)> {
        let mut open: Vec<(usize, u64)> = vec![(ROOT, 0)];
        std::iter::from_fn(move || {
            let (place, left) = open.pop()?;
            let node = self.nodes.get(place)?;
            let mut right = left + node.inclusive - node.exclusive;
            for child in node.children.iter().rev() {
                right -= self.nodes.get(*child).map_or(0, |child| child.inclusive);
                open.push((*child, right));
            }
            Some((node, left))
        })
    }

    /// Returns all nodes but the root, each before what it calls, those of one caller by their texts.
    pub(super) fn by_name(&self) -> impl Iterator<Item = &MergedNode<'p>> {
        let mut open = self.last_name_first(ROOT);
        std::iter::from_fn(move || {
            let place = open.pop()?;
            open.extend(self.last_name_first(place));
            self.nodes.get(place)
        })
    }

    /// Returns the places of what a node calls, the last text first.
    fn last_name_first(&self, place: usize) -> Vec<usize> {
        let mut children = self.nodes.get(place).map(|node| node.children.clone()).unwrap_or_default();
        children.sort_unstable_by_key(|child| std::cmp::Reverse(self.nodes.get(*child).map(|node| node.text)));
        children
    }

    fn add(&mut self, parent: usize, text: &'p str) -> usize {
        let place = self.nodes.len();
        let depth = self.nodes.get(parent).map_or(0, |parent| parent.depth) + 1;
        self.nodes.push(MergedNode { text, depth, inclusive: 0, exclusive: 0, children: Vec::new() });
        if let Some(parent) = self.nodes.get_mut(parent) {
            parent.children.push(place);
        }
        place
    }

    fn sort(&mut self) {
        let keys: Vec<_> = self.nodes.iter().map(|node| (std::cmp::Reverse(node.inclusive), node.text)).collect();
        for node in &mut self.nodes {
            node.children.sort_by_key(|child| keys.get(*child).copied());
        }
    }
}
