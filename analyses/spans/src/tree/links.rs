//! Finds the span within which each span began.

use etwkit::FileTime;
use etwkit::bytes::Guid;
use etwkit::event::EventTypeId;
use etwkit_kernel_analyses::ProcessKey;
use hashbrown::HashMap;

use crate::activity::{ancestors, is_task};
use crate::fact::{Match, SpanFact, What};
use crate::instant::Instant;
use crate::limits::{DEPTH, INSTANTS, SCHEDULED};
use crate::open::scope;
use crate::span::{Span, SpanId};
use crate::spans::Spans;

type ActivityKey = (Guid, Option<ProcessKey>);

/// The open spans of a thread or an activity that are looked at, the newest last.
#[derive(Clone, Debug, Default)]
struct Recent(Vec<SpanId>);

/// The open spans of an activity, and the one that began last.
#[derive(Clone, Debug)]
struct Activity {
    open: Recent,
    last: SpanId,
}

/// Where spans may begin.
#[derive(Clone, Debug, Default)]
pub(crate) struct Links {
    threads: HashMap<(ProcessKey, u32), Recent>,
    activities: HashMap<ActivityKey, Activity>,
    /// The span within which a task was scheduled.
    scheduled: HashMap<(ProcessKey, u64), SpanId>,
}

impl Recent {
    /// Open spans that are looked at: the oldest are forgotten.
    const MOST: usize = 256;

    fn push(&mut self, id: SpanId) {
        if self.0.len() >= Self::MOST {
            self.0.remove(0);
        }
        self.0.push(id);
    }

    fn remove(&mut self, id: SpanId) {
        if let Some(place) = self.0.iter().rposition(|open| *open == id) {
            self.0.remove(place);
        }
    }

    fn newest(&self) -> Option<SpanId> {
        self.0.last().copied()
    }
}

impl Links {
    /// Sets the parent of a span that begins.
    pub(crate) fn place(&mut self, span: &mut Span, fact: &SpanFact, spans: &Spans) {
        let cause = self.cause(fact, spans);
        let parent = cause.and_then(|id| Some((id, spans.get(id)?)));
        // Deeper ones are shown as children of the innermost that is shown.
        let shown = parent.and_then(|(id, parent)| if parent.depth < DEPTH { Some(id) } else { parent.parent });
        span.parent = shown;
        let shown = shown.and_then(|id| spans.get(id));
        span.depth = shown.map_or(0, |parent| parent.depth + 1);
        span.is_within |= shown.is_some_and(|parent| parent.is_within);
    }

    /// What caused a span: the span in which its task was scheduled; that of the related activity, which `EventSource`
    /// and `EventWriteTransfer` write; that of the path which its activity id continues; else the one in which it is.
    fn cause(&mut self, fact: &SpanFact, spans: &Spans) -> Option<SpanId> {
        let scheduled = match fact.what {
            What::Side { key: Match::Task(task), .. } => self.scheduled.remove(&(fact.process, task)),
            _ => None,
        };
        let of = |id: Guid| {
            let found = self.activities.get(&(id, scope(id, fact.process)))?;
            Some(found.open.newest().unwrap_or(found.last))
        };
        let related = || fact.related.filter(|id| Some(*id) != fact.activity).and_then(of);
        let path = || fact.activity.and_then(|id| ancestors(id).find_map(of));
        scheduled.or_else(related).or_else(path).or_else(|| self.around(fact, spans))
    }

    /// The span in which an event is: an open one of its activity; else of its thread, unless that one is of another
    /// activity. A thread that runs a task is in its span, whatever the activity.
    fn around(&self, fact: &SpanFact, spans: &Spans) -> Option<SpanId> {
        let key = fact.activity.map(|id| (id, scope(id, fact.process)));
        let own = key.and_then(|key| self.activities.get(&key)).and_then(|activity| activity.open.newest());
        let fits = |id: &SpanId| {
            let other = spans.get(*id).and_then(|span| span.activity);
            fact.activity.is_none() || other.is_none_or(is_task)
        };
        let on_thread = || {
            let recent = self.threads.get(&(fact.process, fact.tid?))?;
            recent.0.iter().rev().find(|id| fits(id)).copied()
        };
        own.or_else(on_thread)
    }

    /// A span began.
    pub(crate) fn begin(&mut self, id: SpanId, spans: &Spans) {
        let Some(span) = spans.get(id) else { return };
        if !spans.families.get(span.family).is_some_and(|family| family.can_end) {
            return;
        }
        if let Some(tid) = span.tid {
            self.threads.entry((span.process, tid)).or_default().push(id);
        }
        if let Some(activity) = span.activity {
            let key = (activity, scope(activity, span.process));
            let known = self.activities.entry(key).or_insert_with(|| Activity { open: Recent::default(), last: id });
            known.last = id;
            known.open.push(id);
        }
    }

    /// A span ended.
    pub(crate) fn end(&mut self, id: SpanId, spans: &Spans) {
        let Some(span) = spans.get(id) else { return };
        if let Some(recent) = span.tid.and_then(|tid| self.threads.get_mut(&(span.process, tid))) {
            recent.remove(id);
        }
        let key = span.activity.map(|activity| (activity, scope(activity, span.process)));
        if let Some(activity) = key.and_then(|key| self.activities.get_mut(&key)) {
            activity.open.remove(id);
        }
    }

    /// A task was scheduled; returns whether there was no room.
    pub(crate) fn schedule(&mut self, fact: &SpanFact, task: u64, spans: &Spans) -> bool {
        let Some(id) = self.around(fact, spans) else { return false };
        let has_room = self.scheduled.len() < SCHEDULED;
        if has_room {
            self.scheduled.insert((fact.process, task), id);
        }
        !has_room
    }

    /// Keeps an event that is not a span if it is within the activity; returns whether there was no room.
    pub(crate) fn instant(
        &self,
        fact: &SpanFact,
        (time, kind, is_asked): (FileTime, EventTypeId, bool),
        spans: &mut Spans,
    ) -> bool {
        let parent = self.around(fact, spans).filter(|id| spans.get(*id).is_some_and(|span| span.is_within));
        if !is_asked && parent.is_none() {
            return false;
        }
        if spans.instants.len() >= INSTANTS {
            return true;
        }
        let SpanFact { process, tid, activity, .. } = *fact;
        spans.instants.push(Instant { time, kind, parent, process, tid, activity });
        false
    }
}
