//! The call tree.

use etwkit::FileTime;
use hashbrown::HashMap;

use super::{Frame, FrameKind, Module, ModuleId, Quality, Unit};

/// A call tree: each node is a frame below the frames that called it. The outermost two of each path are the process
/// and the thread.
#[derive(Clone, Debug, Default)]
pub struct Profile {
    /// What weights are counted in.
    pub unit: Unit,
    /// What a sample is, such as `CPU samples`.
    pub title: &'static str,
    /// When the trace begins.
    pub start: FileTime,
    /// The usual interval of samples, in units of 100 ns; `None` if they have none.
    pub interval: Option<u64>,
    /// How many samples have stacks, and how many not, by reason.
    pub quality: Quality,
    frames: Vec<Frame>,
    modules: Vec<Module>,
    nodes: Vec<Node>,
    children: HashMap<(Option<NodeId>, u32), NodeId>,
    /// The samples in order of time; `None` unless they were asked for.
    samples: Option<Vec<Sample>>,
    /// The weight of the samples that were counted.
    counted: u64,
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
    pub own: Weight,
}

/// How many samples there are, and what they weigh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Weight {
    /// Samples.
    pub samples: u64,
    /// Their weight, in the profile's unit.
    pub weight: u64,
}

/// A sample of the timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// When it was taken; of something that took time, when it began.
    pub time: FileTime,
    /// Its weight, in the profile's unit.
    pub weight: u64,
    /// Its innermost frame.
    pub node: NodeId,
}

/// Nodes that a profile may have: some 100 bytes each.
pub(crate) const MOST_NODES: usize = 1 << 21;
/// The weight of all samples: 29 years, or 9 PB. No sum of weights overflows, not even in nanoseconds.
const MOST_WEIGHT: u64 = i64::MAX as u64 / 1000;
/// Samples that a timeline may have: 24 bytes each.
const MOST_SAMPLES: usize = 1 << 25;

impl Weight {
    /// Adds another one.
    pub const fn add(&mut self, other: Self) {
        self.samples = self.samples.saturating_add(other.samples);
        self.weight = self.weight.saturating_add(other.weight);
    }
}

impl Profile {
    /// Begins a profile, with a timeline or without.
    pub(crate) fn new(unit: Unit, title: &'static str, start: FileTime, has_timeline: bool) -> Self {
        Self { unit, title, start, samples: has_timeline.then(Vec::new), ..Self::default() }
    }

    /// Returns a profile of the same frames without nodes and samples.
    pub(crate) fn emptied(&self) -> Self {
        Self {
            frames: self.frames.clone(),
            modules: self.modules.clone(),
            quality: self.quality,
            interval: self.interval,
            ..Self::new(self.unit, self.title, self.start, self.samples.is_some())
        }
    }

    /// Returns when the trace begins, in nanoseconds since 1970; 0 for times before that.
    pub(crate) fn start_since_1970(&self) -> u64 {
        u64::try_from(self.start.unix_nanos()).unwrap_or(0)
    }

    /// Returns the nodes.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = (NodeId, &Node)> + ExactSizeIterator {
        self.nodes.iter().enumerate().map(|(place, node)| (NodeId(place as u32), node))
    }

    /// Returns a node.
    pub fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id.0 as usize)
    }

    /// Returns whether a timeline was asked for.
    pub const fn has_timeline(&self) -> bool {
        self.samples.is_some()
    }

    /// Returns the samples in order of time; none unless a timeline was asked for.
    pub fn samples(&self) -> &[Sample] {
        self.samples.as_deref().unwrap_or_default()
    }

    /// Returns the text of a frame.
    pub fn frame(&self, number: u32) -> &str {
        self.frames.get(number as usize).map_or("", |frame| &frame.text)
    }

    /// Returns what a frame is.
    pub fn kind(&self, number: u32) -> FrameKind {
        self.frames.get(number as usize).map_or(FrameKind::Label, |frame| frame.kind)
    }

    /// Returns the module of a frame; `None` if it is not code, or in no module that is known.
    pub fn module_of(&self, number: u32) -> Option<&Module> {
        match self.kind(number) {
            FrameKind::Code { module: Some(module) } => self.modules.get(module.0 as usize),
            _ => None,
        }
    }

    /// Returns all frames, by their numbers.
    pub fn frames(&self) -> impl ExactSizeIterator<Item = &Frame> {
        self.frames.iter()
    }

    /// Returns the weight of all samples.
    pub fn total(&self) -> Weight {
        let mut total = Weight::default();
        self.nodes.iter().for_each(|node| total.add(node.own));
        total
    }

    /// Returns the weight of each node with all nodes below it, by the places of nodes.
    pub fn inclusive(&self) -> Vec<Weight> {
        let mut weights: Vec<Weight> = self.nodes.iter().map(|node| node.own).collect();
        for (id, node) in self.nodes().rev() {
            let own = weights.get(id.0 as usize).copied().unwrap_or_default();
            if let Some(parent) = node.parent.and_then(|parent| weights.get_mut(parent.0 as usize)) {
                parent.add(own);
            }
        }
        weights
    }

    /// Returns the node of the thread of each node, by the places of nodes; that of the process for itself.
    pub fn threads(&self) -> Vec<NodeId> {
        let mut threads: Vec<NodeId> = Vec::with_capacity(self.nodes.len());
        for (id, node) in self.nodes() {
            let is_process = |id: NodeId| self.node(id).is_some_and(|node| node.parent.is_none());
            let below_thread = node.parent.filter(|parent| !is_process(*parent));
            threads.push(below_thread.and_then(|parent| threads.get(parent.0 as usize).copied()).unwrap_or(id));
        }
        threads
    }

    /// Returns the frames of a node, the outermost one first.
    pub fn path(&self, node: NodeId) -> Vec<u32> {
        let mut path = Vec::new();
        let mut next = self.node(node);
        while let Some(node) = next {
            path.push(node.frame);
            next = node.parent.and_then(|parent| self.node(parent));
        }
        path.reverse();
        path
    }

    /// Returns the frames of a node below its process and its thread, the outermost one first.
    pub fn code_path(&self, node: NodeId) -> Vec<u32> {
        self.split_path(node).1
    }

    /// Returns the frames of a node's process and thread, which are the outermost two, and those below.
    pub(crate) fn split_path(&self, node: NodeId) -> (Vec<u32>, Vec<u32>) {
        let mut path = self.path(node);
        let below = path.split_off(path.len().min(2));
        (path, below)
    }

    /// Adds a frame and returns its number. Equal texts that are added twice are two frames.
    pub(crate) fn add_frame(&mut self, text: String, kind: FrameKind) -> u32 {
        self.frames.push(Frame { text: text.into(), kind });
        self.frames.len() as u32 - 1
    }

    /// Adds a module.
    pub(crate) fn add_module(&mut self, module: Module) -> ModuleId {
        self.modules.push(module);
        ModuleId(self.modules.len() as u32 - 1)
    }

    /// Returns whether no further node has room.
    pub(crate) fn is_full(&self) -> bool {
        self.nodes.len() >= MOST_NODES
    }

    /// Returns the node of a frame below another one.
    pub(crate) fn child(&mut self, parent: Option<NodeId>, frame: u32) -> NodeId {
        let Self { nodes, children, .. } = self;
        *children.entry((parent, frame)).or_insert_with(|| {
            nodes.push(Node { parent, frame, own: Weight::default() });
            NodeId(nodes.len() as u32 - 1)
        })
    }

    /// Counts samples whose innermost frame is a node.
    pub(crate) fn add(&mut self, node: NodeId, weight: Weight) {
        if let Some(node) = self.nodes.get_mut(node.0 as usize) {
            node.own.add(weight);
        }
    }

    /// Counts a sample, in the timeline too.
    pub(crate) fn count(&mut self, mut sample: Sample) {
        let room = MOST_WEIGHT - self.counted;
        if sample.weight > room {
            sample.weight = room;
            self.quality.clipped += 1;
        }
        self.counted += sample.weight;
        self.add(sample.node, Weight { samples: 1, weight: sample.weight });
        self.keep(sample);
    }

    /// Puts a sample that is counted into the timeline.
    pub(crate) fn keep(&mut self, sample: Sample) {
        if let Some(samples) = &mut self.samples {
            if samples.len() < MOST_SAMPLES {
                samples.push(sample);
            } else {
                self.quality.beyond_timeline += 1;
            }
        }
    }

    /// Sorts the timeline: what took time begins before other samples that came first.
    pub(crate) fn sort(&mut self) {
        if let Some(samples) = &mut self.samples {
            samples.sort_by_key(|sample| sample.time);
        }
    }
}
