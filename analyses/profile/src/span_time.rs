//! The time of spans, which are pairs of start and stop events.

use etwkit::system::{System, When};
use etwkit::trace::Trace;
use etwkit_spans::{Span, SpanId, Spans, State, Tree};

use crate::collect::{StackSums, Whose};
use crate::{NodeId, Profile, ProfileOptions, Sample, Unit};

/// The name of the samples of [`span_time`], in the plural.
pub const SPANS: &str = "spans";

/// Returns the profile of the time of spans, which must have been collected with
/// [`Keep::Tree`](etwkit_spans::Keep::Tree).
///
/// The frames of a span are those within which it ran, each with provider and task, below the process and the thread in
/// which the outermost one began. The weight of a complete span is the time in which no span within it ran, or 1 in
/// [`Unit::Samples`]; open and orphaned ones weigh nothing and are counted.
pub fn span_time(trace: &Trace, spans: &Spans, options: ProfileOptions) -> Profile {
    let start = trace.start().unwrap_or_default();
    let profile = Profile::new(options.unit, SPANS, start, options.has_timeline);
    let nodes = vec![None; spans.list().len()];
    let mut paths = Paths { trace, spans, tree: spans.tree(), nodes, sums: StackSums::new(profile) };
    for (span, id) in spans.list().iter().zip(0..) {
        paths.add(SpanId(id), span);
    }
    let mut profile = paths.sums.profile;
    profile.sort();
    profile
}

/// The nodes of spans.
struct Paths<'s> {
    trace: &'s Trace,
    spans: &'s Spans,
    tree: Tree<'s>,
    /// By the places of spans.
    nodes: Vec<Option<NodeId>>,
    sums: StackSums<'s>,
}

impl Paths<'_> {
    /// Adds the weight of a span.
    fn add(&mut self, id: SpanId, span: &Span) {
        let quality = &mut self.sums.profile.quality;
        match span.state() {
            State::Complete => quality.samples += 1,
            State::Open => quality.without_end += 1,
            State::Orphaned => quality.without_start += 1,
        }
        let Some((time, units)) = span.start.zip(self.tree.exclusive(id)) else { return };
        let weight = if self.sums.profile.unit == Unit::Samples { 1 } else { units };
        if weight > 0
            && let Some(node) = self.node(id)
        {
            self.sums.profile.count(Sample { time, weight, node });
        }
    }

    /// Returns the node of a span, and adds those of the spans within which it ran.
    fn node(&mut self, id: SpanId) -> Option<NodeId> {
        let (mut path, mut next, mut node) = (Vec::new(), Some(id), None);
        while let Some(id) = next {
            node = self.nodes.get(id.0 as usize).copied().flatten();
            if node.is_some() {
                break;
            }
            path.push(id);
            // Parents come before their children.
            next = self.spans.get(id)?.parent.filter(|parent| *parent < id);
        }
        while let Some(id) = path.pop() {
            let span = self.spans.get(id)?;
            let above = match node {
                Some(node) => node,
                None => self.thread(span)?,
            };
            let (provider, task) = self.spans.names(span);
            let below = self.sums.below(above, &format!("{provider}/{task}"));
            self.sums.profile.quality.cut += u64::from(below.is_none());
            let below = below.unwrap_or(above);
            if let Some(known) = self.nodes.get_mut(id.0 as usize) {
                *known = Some(below);
            }
            node = Some(below);
        }
        node
    }

    /// Returns the node of the thread in which a span began.
    fn thread(&mut self, span: &Span) -> Option<NodeId> {
        let is_own = |system: &&System| system.machine.number == span.process.machine;
        let system = self.trace.systems().iter().find(is_own)?;
        let when = When::from(span.start.or(span.stop)?);
        let whose = Whose { system, pid: span.process.pid, tid: span.tid, process_when: when, thread_when: when };
        Some(self.sums.thread(whose))
    }
}
