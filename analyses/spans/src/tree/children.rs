//! The children of each span.

use etwkit::FileTime;

use crate::instant::Instant;
use crate::span::{Span, SpanId};
use crate::spans::Spans;

use super::exclusive::covered;

/// Spans as a tree.
#[derive(Clone, Debug)]
pub struct Tree<'s> {
    pub(super) spans: &'s Spans,
    /// Parent, time and node, sorted.
    nodes: Vec<(Option<SpanId>, FileTime, Node)>,
    /// By the places of spans, the time in which spans within them ran.
    covered: Vec<u64>,
}

/// A node of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Node {
    Span(SpanId),
    /// An event that is not a span, by its place.
    Instant(u32),
}

impl Spans {
    /// Returns the spans as a tree. They must have been collected with [`Keep::Tree`](crate::Keep::Tree). If an
    /// activity was asked for, the tree is what happened within it.
    pub fn tree(&self) -> Tree<'_> {
        let is_shown = |span: &Span| !self.has_query || span.is_within;
        let parent = |id: Option<SpanId>| id.filter(|id| self.get(*id).is_some_and(is_shown));
        let spans = self.list.iter().zip(0..).filter(|(span, _)| is_shown(span));
        let spans = spans
            .filter_map(|(span, id)| Some((parent(span.parent), span.start.or(span.stop)?, Node::Span(SpanId(id)))));
        let instants =
            self.instants.iter().zip(0..).map(|(event, id)| (parent(event.parent), event.time, Node::Instant(id)));
        let mut nodes: Vec<_> = spans.chain(instants).collect();
        nodes.sort_unstable();
        Tree { spans: self, nodes, covered: covered(&self.list) }
    }
}

impl Tree<'_> {
    /// The children of a node in order of time; of `None`, the roots.
    pub(super) fn children(&self, parent: Option<SpanId>) -> impl DoubleEndedIterator<Item = Node> {
        let start = self.nodes.partition_point(|(of, ..)| *of < parent);
        let end = self.nodes.partition_point(|(of, ..)| *of <= parent);
        self.nodes.get(start..end).unwrap_or_default().iter().map(|(.., node)| *node)
    }

    /// Calls a function with each node and the number of nodes that it is within, parents before their children.
    pub(super) fn walk(&self, mut each: impl FnMut(Node, usize)) {
        let mut todo: Vec<(Node, usize)> = self.children(None).rev().map(|node| (node, 0)).collect();
        while let Some((node, depth)) = todo.pop() {
            each(node, depth);
            if let Node::Span(id) = node {
                todo.extend(self.children(Some(id)).rev().map(|child| (child, depth + 1)));
            }
        }
    }

    /// Returns the time of a complete span, in units of 100 ns, in which no span within it ran, at any depth. Those that
    /// run on after its end count until then; those that run at once count once; those that are open do not count, but
    /// what ran within them does.
    pub fn exclusive(&self, id: SpanId) -> Option<u64> {
        let whole = self.spans.get(id)?.duration()?;
        Some(whole.saturating_sub(self.covered.get(id.0 as usize).copied().unwrap_or(0)))
    }

    pub(super) fn instant(&self, place: u32) -> Option<&Instant> {
        self.spans.instants.get(place as usize)
    }
}
