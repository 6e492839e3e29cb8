//! The call tree.

use hashbrown::HashMap;

use etwkit_kernel_analyses::samples::SampleCount;

use crate::Quality;

/// A call tree: each node is a frame below the frames that called it. The outermost two of each path are the process and
/// the thread.
#[derive(Clone, Debug, Default)]
pub struct Profile {
    frames: Vec<Box<str>>,
    nodes: Vec<Node>,
    children: HashMap<(Option<NodeId>, u32), NodeId>,
    /// How many samples have stacks, and how many not, by reason.
    pub quality: Quality,
}

/// A node of the tree, by its place: parents come before their children.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// A frame below the frames that called it.
#[derive(Clone, Debug)]
pub struct Node {
    /// The frame that called it; `None` of processes.
    pub parent: Option<NodeId>,
    /// Number of its frame.
    pub frame: u32,
    /// Samples whose innermost frame it is.
    own: SampleCount,
}

/// What samples are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Samples.
    Samples,
    /// The microseconds that they stand for: 0 if no event states the interval.
    Microseconds,
}

impl Profile {
    /// Returns the nodes.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        (0..).map(NodeId).zip(&self.nodes)
    }

    /// Returns the text of a frame.
    pub fn frame(&self, number: u32) -> &str {
        self.frames.get(number as usize).map_or("", |text| text)
    }

    /// Returns the texts of all frames, by their numbers.
    pub fn frames(&self) -> impl ExactSizeIterator<Item = &str> {
        self.frames.iter().map(|text| &**text)
    }

    /// Returns the weight of the samples whose innermost frame is a node.
    pub fn own(&self, node: &Node, unit: Unit) -> u64 {
        match unit {
            Unit::Samples => node.own.samples,
            Unit::Microseconds => node.own.units / 10,
        }
    }

    /// Returns the frames of a node, the outermost one first.
    pub fn path(&self, node: NodeId) -> Vec<u32> {
        let mut path = Vec::new();
        let mut next = Some(node);
        while let Some(node) = next.and_then(|id| self.nodes.get(id.0 as usize)) {
            path.push(node.frame);
            next = node.parent;
        }
        path.reverse();
        path
    }

    /// Adds a frame and returns its number. Equal texts that are added twice are two frames.
    pub(crate) fn add_frame(&mut self, text: String) -> u32 {
        self.frames.push(text.into());
        self.frames.len() as u32 - 1
    }

    /// Returns the node of a frame below another one.
    pub(crate) fn child(&mut self, parent: Option<NodeId>, frame: u32) -> NodeId {
        let Self { nodes, children, .. } = self;
        *children.entry((parent, frame)).or_insert_with(|| {
            nodes.push(Node { parent, frame, own: SampleCount::default() });
            NodeId(nodes.len() as u32 - 1)
        })
    }

    /// Counts a sample whose innermost frame is a node, and which stands for an interval in units of 100 ns.
    pub(crate) fn count(&mut self, node: NodeId, interval: Option<u32>) {
        if let Some(node) = self.nodes.get_mut(node.0 as usize) {
            node.own.add(interval);
        }
    }
}
