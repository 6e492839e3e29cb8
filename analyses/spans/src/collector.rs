//! From events to spans.

use std::ops::ControlFlow;
use std::sync::Arc;

use etwkit::FileTime;
use etwkit::decode::{Event, EventType, Fit, PendingEvent};
use etwkit::error::Result;
use etwkit::sink::{Sink, Worker};
use etwkit::trace::{RunOptions, Trace};

use crate::fact::{Match, SpanFact, Version, What};
use crate::family::FamilyId;
use crate::limits::SPANS;
use crate::longest::Longest;
use crate::open::{Begun, Ended, Key, OpenSpans};
use crate::options::{Keep, SpanOptions};
use crate::roles::{Roles, TypeRoles};
use crate::span::{Span, SpanId, between};
use crate::spans::Spans;
use crate::stem::Side;
use crate::total::Total;
use crate::tree::Links;

/// Returns the spans of the events that pass the filter.
///
/// # Errors
///
/// Returns an error if the trace cannot be read.
pub fn spans(trace: &Trace, what: SpanOptions, options: &RunOptions) -> Result<Spans> {
    let mut collector = SpanCollector::new(trace, what);
    trace.run(options, &mut collector)?;
    Ok(collector.finish())
}

/// Collects spans; for programs that drive runs themselves, for instance to show progress.
#[derive(Debug)]
pub struct SpanCollector {
    by_type: Arc<[TypeRoles]>,
    options: SpanOptions,
    open: OpenSpans,
    links: Links,
    /// The spans, if only the longest ones are kept.
    longest: Longest,
    /// Durations that are kept.
    durations: usize,
    spans: Spans,
}

impl SpanCollector {
    /// Begins to collect.
    pub fn new(trace: &Trace, options: SpanOptions) -> Self {
        let mut collector = Self::of(Roles::of(trace, &options.pairs), options);
        if collector.reads_all() {
            let name = |row: &EventType| {
                let name = row.name().map_or_else(|| format!("id {}", row.key().id), str::to_owned);
                (row.provider().into(), name.into())
            };
            collector.spans.kinds = trace.types().iter().map(name).collect();
        }
        collector
    }

    pub(crate) fn of(Roles { families, by_type }: Roles, options: SpanOptions) -> Self {
        let totals = vec![Total::default(); families.len()];
        let spans = Spans { families, totals, has_query: options.activity.is_some(), ..Spans::default() };
        let (open, links, durations) = <_>::default();
        let longest = Longest::new(if let Keep::Longest(most) = options.keep { most } else { 0 });
        Self { by_type, options, open, links, longest, durations, spans }
    }

    /// Returns the spans.
    pub fn finish(self) -> Spans {
        let Self { open, options, longest, mut spans, .. } = self;
        for begun in open.iter() {
            if let Some(total) = spans.totals.get_mut(begun.family.0 as usize) {
                total.open += 1;
            }
        }
        if matches!(options.keep, Keep::Longest(_)) {
            (spans.list, spans.shorter) = longest.finish();
        }
        spans
    }

    /// Whether all events of an activity are read, not only those of spans.
    fn reads_all(&self) -> bool {
        self.options.keep == Keep::Tree && self.options.activity.is_some()
    }

    fn take(&mut self, fact: SpanFact) {
        let asked = self.options.activity.as_ref();
        let is_asked = asked.is_none_or(|query| fact.activity.is_some_and(|id| query.is(id)));
        if self.options.keep != Keep::Tree && !is_asked {
            return;
        }
        let is_asked = is_asked && asked.is_some();
        let Some(time) = fact.time else {
            self.spans.excess.without_time += 1;
            return;
        };
        match fact.what {
            What::Side { side: Side::Start, family, key, version } => {
                self.start(fact, (time, version), (family, key), is_asked);
            }
            What::Side { side: Side::Stop, family, key, .. } => self.stop(fact, time, (family, key), is_asked),
            What::Scheduled { task } if self.options.keep == Keep::Tree => {
                self.spans.excess.without_parent += u64::from(self.links.schedule(&fact, task, &self.spans));
            }
            What::Scheduled { .. } => {}
            What::Other { kind } => {
                let is_full = self.links.instant(&fact, (time, kind, is_asked), &mut self.spans);
                self.spans.excess.instants += u64::from(is_full);
            }
        }
    }

    fn start(
        &mut self,
        fact: SpanFact,
        (time, version): (FileTime, Option<Version>),
        (family, found_by): (FamilyId, Match),
        is_asked: bool,
    ) {
        let key = Key::of(&fact, family, found_by);
        if self.open.is_repetition(key, version) {
            return;
        }
        if !self.open.has_room(key) {
            self.spans.excess.unmatched += 1;
            return;
        }
        let mut span = new_span(&fact, family, is_asked);
        span.start = Some(time);
        if self.options.keep == Keep::Tree {
            self.links.place(&mut span, &fact, &self.spans);
        }
        let id = self.keep(span, fact);
        if let Some(id) = id.filter(|_| self.options.keep == Keep::Tree) {
            self.links.begin(id, &self.spans);
        }
        self.open.push(key, Begun { family, time, span: id, version, is_repeated: false });
    }

    fn stop(&mut self, fact: SpanFact, time: FileTime, (family, found_by): (FamilyId, Match), is_asked: bool) {
        let total = self.spans.totals.get_mut(family.0 as usize);
        match self.open.pop(Key::of(&fact, family, found_by)) {
            Ended::Span(begun) => {
                let is_kept = total.is_none_or(|total| total.add(between(begun.time, time), &mut self.durations));
                self.spans.excess.without_percentile += u64::from(!is_kept);
                let Some(id) = begun.span else { return };
                if let Keep::Longest(_) = self.options.keep {
                    return self.longest.end(id, time, fact.tid);
                }
                if let Some(span) = self.spans.list.get_mut(id.0 as usize) {
                    (span.stop, span.stop_tid) = (Some(time), fact.tid);
                }
                if self.options.keep == Keep::Tree {
                    self.links.end(id, &self.spans);
                }
            }
            Ended::Beyond => self.spans.excess.unmatched += 1,
            Ended::None => {
                if let Some(total) = total {
                    total.orphaned += 1;
                }
                let mut span = new_span(&fact, family, is_asked);
                (span.stop, span.stop_tid) = (Some(time), fact.tid);
                self.keep(span, fact);
            }
        }
    }

    /// Keeps a span, if spans are kept and there is room.
    fn keep(&mut self, span: Span, fact: SpanFact) -> Option<SpanId> {
        if self.options.keep == Keep::Durations {
            return None;
        }
        let is_of_longest = matches!(self.options.keep, Keep::Longest(_));
        let id = if is_of_longest { self.longest.open() } else { self.spans.list.len() };
        if id >= SPANS {
            self.spans.excess.unlisted += 1;
            return None;
        }
        self.spans.names.add(fact.process, fact.name);
        if is_of_longest {
            return self.longest.begin(span);
        }
        self.spans.list.push(span);
        u32::try_from(id).ok().map(SpanId)
    }
}

fn new_span(fact: &SpanFact, family: FamilyId, is_within: bool) -> Span {
    Span {
        family,
        start: None,
        stop: None,
        process: fact.process,
        tid: fact.tid,
        stop_tid: None,
        activity: fact.activity,
        related: fact.related,
        parent: None,
        depth: 0,
        is_within,
    }
}

impl Sink for SpanCollector {
    type Worker = SpanWorker;

    fn worker(&self) -> SpanWorker {
        SpanWorker { by_type: Arc::clone(&self.by_type), reads_all: self.reads_all(), facts: Vec::new() }
    }

    fn accept(&mut self, facts: Vec<SpanFact>) -> Result<ControlFlow<()>> {
        for fact in facts {
            self.take(fact);
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// Reads the events of one thread.
#[derive(Debug)]
pub struct SpanWorker {
    by_type: Arc<[TypeRoles]>,
    reads_all: bool,
    facts: Vec<SpanFact>,
}

/// Facts that are handed over at once on one thread.
const FULL: usize = 4096;
/// Facts that wait for those before them.
const OVERFULL: usize = 1 << 17;

impl Worker for SpanWorker {
    type Batch = Vec<SpanFact>;

    /// Reads an event of a known type; all others are not spans.
    fn event(&mut self, event: &Event<'_>) -> Result<()> {
        let Some(id) = event.event_type().map(EventType::id) else { return Ok(()) };
        if let Some(own) = self.by_type.get(id.0 as usize) {
            SpanFact::read(event, own, self.reads_all.then_some(id), &mut self.facts);
        }
        Ok(())
    }

    fn pending(&mut self, pending: &mut PendingEvent<'_>) -> Result<Option<Fit>> {
        let own = pending.event_type().and_then(|row| self.by_type.get(row.id().0 as usize));
        let opcode = pending.raw().opcode();
        let is_wanted =
            own.is_some_and(|own| own.schedules || own.roles.iter().any(|role| role.side(opcode).is_some()));
        if !is_wanted && !self.reads_all {
            return Ok(None);
        }
        let event = pending.locate();
        self.event(&event)?;
        Ok(event.layout_fit())
    }

    fn is_full(&self) -> bool {
        self.facts.len() >= FULL
    }

    fn is_overfull(&self) -> bool {
        self.facts.len() >= OVERFULL
    }

    fn take(&mut self) -> Vec<SpanFact> {
        std::mem::take(&mut self.facts)
    }
}
