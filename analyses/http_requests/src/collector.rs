//! Puts requests together from their events.

use std::collections::HashMap;
use std::ops::ControlFlow;

use etwkit::FileTime;
use etwkit::bytes::Guid;
use etwkit::decode::Event;
use etwkit::sink::{Sink, Worker};

use crate::limits::{MAX_REQUESTS, MAX_STAGES, MAX_STAGES_EACH, MAX_TEXT, MAX_WAITING};
use crate::providers;
use crate::request::{Request, Requests, Stage};
use crate::request_key::RequestKey;
use crate::selection::RequestSelection;
use crate::server_event::ServerEvent;
use crate::stage_names::StageNames;
use crate::verbs::is_placeholder;

/// Puts requests together from the events that a run hands over, which must be all events of the trace in order of time.
#[derive(Debug, Default)]
pub struct RequestCollector {
    open: HashMap<(u16, RequestKey), OpenRequest>,
    /// Only these; all, if there is no filter.
    selection: Option<RequestSelection>,
    stage_names: StageNames,
    /// Stages of all requests, and bytes of their texts.
    stages: usize,
    text: usize,
    found: Requests,
}

/// A request, and whether an event of a request came, not only such of its connection.
#[derive(Debug)]
struct OpenRequest {
    request: Request,
    has_own_event: bool,
    /// Whether its first event counts.
    is_chosen: bool,
    /// How many requests had come before.
    place: usize,
}

/// What an event states about a request.
#[derive(Debug)]
pub struct RequestFact {
    event: ServerEvent,
    time: Option<FileTime>,
}

impl RequestFact {
    /// Reads an event; `None` if it is of no server whose requests are known here.
    pub fn of(event: &Event<'_>) -> Option<Self> {
        Some(Self { event: providers::read(event)?, time: event.time() })
    }
}

impl RequestCollector {
    /// Collects only requests that an earlier run selected.
    pub fn of_selection(selection: RequestSelection) -> Self {
        Self { selection: Some(selection), ..Self::default() }
    }

    /// Takes what an event states, in order of time. A request is returned if its first event is chosen.
    pub fn take(&mut self, RequestFact { event, time }: &RequestFact, is_chosen: bool) {
        self.event(event, *time, is_chosen);
    }

    /// Returns how many events had no room: those of requests beyond [`MAX_REQUESTS`], and those whose texts are beyond
    /// [`MAX_TEXT`].
    pub const fn beyond_limit(&self) -> u64 {
        self.found.beyond_limit
    }

    /// Returns the requests.
    pub fn finish(mut self) -> Requests {
        let chosen = self.open.into_values().filter(|open| open.is_chosen);
        let (mut open, others): (Vec<_>, Vec<_>) = chosen.partition(|open| open.has_own_event);
        open.sort_by_key(|open| (open.request.first, open.request.activity.to_u128(), open.place));
        let rows: Vec<Request> = open.into_iter().map(|open| open.request).collect();
        self.found.other_activities = others.len() as u64;
        if let Some(selection) = self.selection {
            self.found.without_activity = selection.without_activity;
            self.found.beyond_limit += selection.beyond_limit;
        }
        Requests { rows, ..self.found }
    }

    fn event(&mut self, event: &ServerEvent, time: Option<FileTime>, is_chosen: bool) {
        let Some(key) = event.request() else { return self.found.without_activity += 1 };
        if self.selection.as_ref().is_some_and(|selection| !selection.has(key)) {
            return;
        }
        let Some(time) = time else { return self.found.without_time += 1 };
        let has_room = self.open.len() < MAX_REQUESTS && self.text < MAX_TEXT;
        if !has_room && !self.open.contains_key(&key) {
            self.found.beyond_limit += 1;
            return;
        }
        let start = event.took.map_or(time, |took| before(time, took));
        let place = self.open.len();
        let open = self.open.entry(key).or_insert_with(|| OpenRequest::new(key.1, start, is_chosen, place));
        let has_room = self.text < MAX_TEXT;
        self.text += open.take(event, has_room);
        self.found.beyond_limit += u64::from(!has_room);
        let request = &mut open.request;
        if let Some(activity) = event.activity.filter(|activity| RequestKey::of(*activity) == key.1) {
            request.activity = Guid::from_u128(request.activity.to_u128().max(activity.to_u128()));
        }
        request.last = request.last.max(time);
        if !request.files.contains(&event.file) {
            request.files.push(event.file);
        }
        let has_room = self.stages < MAX_STAGES && request.stages.len() < MAX_STAGES_EACH;
        match self.stage_names.get(&event.stage).filter(|_| has_room) {
            Some(name) => {
                request.stages.push(Stage { name, time });
                self.stages += 1;
            }
            None => request.more_stages += 1,
        }
    }
}

impl OpenRequest {
    fn new(key: RequestKey, first: FileTime, is_chosen: bool, place: usize) -> Self {
        Self { request: Request::new(key.activity(), first), has_own_event: false, is_chosen, place }
    }

    /// Keeps what is new; returns the bytes of text that it took. The last status and the last error count, of all else
    /// the first. What names no verb gives way to a verb, and a status does not replace the same with a substatus, which
    /// only IIS has.
    fn take(&mut self, event: &ServerEvent, has_room: bool) -> usize {
        self.has_own_event |= event.is_request;
        if !has_room {
            return 0;
        }
        let mut taken = 0;
        let mut keep = |slot: &mut Option<String>, text: &Option<String>, replace: bool| {
            if let Some(text) = text.as_ref().filter(|_| replace || slot.is_none()) {
                taken += text.len();
                *slot = Some(text.clone());
            }
        };
        let request = &mut self.request;
        keep(&mut request.client, &event.client, false);
        let is_first_verb = request.verb.as_deref().is_some_and(is_placeholder)
            && event.verb.as_deref().is_some_and(|verb| !is_placeholder(verb));
        keep(&mut request.verb, &event.verb, is_first_verb);
        keep(&mut request.url, &event.url, false);
        let is_less = is_same_without_substatus(request.status.as_deref(), event.status.as_deref());
        keep(&mut request.status, &event.status, !is_less);
        keep(&mut request.error, &event.error, true);
        taken
    }
}

/// Returns whether a status is the one that is known, but for its substatus.
fn is_same_without_substatus(known: Option<&str>, status: Option<&str>) -> bool {
    known.and_then(|known| known.split_once('.')).is_some_and(|(code, _)| Some(code) == status)
}

/// Returns the time that many milliseconds earlier; the same time if that is before all times.
fn before(time: FileTime, milliseconds: u64) -> FileTime {
    let ticks = i64::try_from(milliseconds)
        .ok()
        .and_then(|milliseconds| milliseconds.checked_mul(FileTime::UNITS_PER_MILLISECOND));
    let start = ticks.and_then(|ticks| time.0.checked_sub(ticks)).filter(|start| *start >= 0);
    start.map_or(time, FileTime)
}

impl Sink for RequestCollector {
    type Worker = CollectorWorker;

    fn worker(&self) -> CollectorWorker {
        CollectorWorker::default()
    }

    fn accept(&mut self, batch: CollectorBatch) -> etwkit::Result<ControlFlow<()>> {
        batch.facts.iter().for_each(|fact| self.take(fact, true));
        Ok(ControlFlow::Continue(()))
    }
}

/// The worker of a [`RequestCollector`].
#[derive(Debug, Default)]
pub struct CollectorWorker {
    facts: Vec<RequestFact>,
    /// Bytes of the facts.
    bytes: usize,
}

/// The findings of a [`CollectorWorker`].
#[derive(Debug, Default)]
pub struct CollectorBatch {
    facts: Vec<RequestFact>,
}

impl Worker for CollectorWorker {
    type Batch = CollectorBatch;

    fn event(&mut self, event: &Event<'_>) -> etwkit::Result<()> {
        if let Some(fact) = RequestFact::of(event) {
            self.bytes += fact.event.weight();
            self.facts.push(fact);
        }
        Ok(())
    }

    fn is_full(&self) -> bool {
        self.is_overfull()
    }

    fn is_overfull(&self) -> bool {
        self.bytes >= MAX_WAITING
    }

    fn take(&mut self) -> CollectorBatch {
        self.bytes = 0;
        CollectorBatch { facts: std::mem::take(&mut self.facts) }
    }
}
