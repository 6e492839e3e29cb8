//! Requests of web servers, put together from their events by activity id.
//!
//! HTTP.sys writes the first events of a request with the activity of its connection, and the last ones may have an
//! activity whose second half is zero. What they have in common is the id of the request, which is the first half of its
//! activity and is in nearly all payloads: `Key`.
//!
//! | file | does |
//! |---|---|
//! | `chosen` | which requests have an event that passes the filters |
//! | `facts` | what an event of HTTP.sys, IIS or iisnode tells of a request |
//! | `table` | prints the rows |

mod chosen;
mod facts;
mod table;

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::rc::Rc;

use etwkit::bytes::Guid;
use etwkit::decode::Event;
use etwkit::limits;
use etwkit::sink::{Sink, Worker};
use etwkit::trace::{Filter, RunOptions, Trace};

use crate::counted::drive;
use crate::failure::Failure;
use crate::printer::Printer;

pub(crate) use table::{Form, print};

use chosen::Chosen;
use facts::{Facts, Key, PROVIDERS, Stages};

/// A request, as far as the trace tells.
#[derive(Debug)]
pub(crate) struct Request {
    /// Its activity id, as whole as it was seen.
    pub(crate) activity: Guid,
    /// FILETIME of its first and last event.
    pub(crate) first: i64,
    pub(crate) last: i64,
    pub(crate) client: Option<String>,
    pub(crate) verb: Option<String>,
    pub(crate) url: Option<String>,
    pub(crate) status: Option<String>,
    /// What the last of its events of level Error says.
    pub(crate) error: Option<String>,
    /// Its events: what happened, and when (FILETIME).
    pub(crate) stages: Vec<(Rc<str>, i64)>,
    /// Events that found no room in `stages`.
    pub(crate) more_stages: u64,
    /// Whether an event of a request came, not only such of its connection.
    own_event: bool,
}

/// What was found in a trace.
#[derive(Debug, Default)]
pub(crate) struct Requests {
    /// By the time of their first event.
    pub(crate) rows: Vec<Request>,
    /// Events of HTTP.sys, IIS or iisnode that pass the filters and name no activity.
    pub(crate) without_activity: u64,
    /// Events whose time is not known.
    pub(crate) without_time: u64,
    /// Events of requests beyond [`limits::MAX_REQUESTS`].
    pub(crate) beyond_limit: u64,
    /// Activities that are no requests: connections, configuration.
    pub(crate) other_activities: u64,
}

impl Requests {
    /// Leaves only the first rows, and of these the last.
    pub(crate) fn pick(&mut self, first: Option<u64>, last: Option<u64>) {
        let most = |rows: Option<u64>| rows.and_then(|rows| usize::try_from(rows).ok()).unwrap_or(usize::MAX);
        self.rows.truncate(most(first));
        self.rows.drain(..self.rows.len().saturating_sub(most(last)));
    }
}

/// Whether a trace has events of any server that requests are known of.
pub(crate) fn may_be_in(trace: &Trace) -> bool {
    let providers = trace.by_provider();
    PROVIDERS.iter().any(|guid| providers.contains_key(guid))
}

/// Reads all events, in order of time.
///
/// Filters choose requests, not events: a request of which an event passes is put together from all its events, whatever
/// their time. A filter costs one more pass.
pub(crate) fn collect(trace: &Trace, options: &RunOptions, printer: Printer) -> Result<Requests, Failure> {
    let mut collector = Collector::default();
    if options.filter != Filter::default() {
        let mut chosen = Chosen::default();
        drive(trace, options, &mut chosen, printer)?;
        collector.chosen = Some(chosen);
    }
    let whole = options.clone().filter(Filter::default());
    drive(trace, &whole, &mut collector, printer)?;
    Ok(collector.finish())
}

/// Picks facts from events; what they tell together is for the collector.
#[derive(Debug, Default)]
struct Picker {
    facts: Vec<(Facts, Option<i64>)>,
}

impl Worker for Picker {
    type Batch = Vec<(Facts, Option<i64>)>;

    fn event(&mut self, event: &Event<'_>) -> etwkit::Result<()> {
        self.facts.extend(Facts::of(event).map(|facts| (facts, event.time().map(|time| time.0))));
        Ok(())
    }

    fn take(&mut self) -> Self::Batch {
        std::mem::take(&mut self.facts)
    }
}

impl Sink for Collector {
    type Worker = Picker;

    fn worker(&self) -> Picker {
        Picker::default()
    }

    fn accept(&mut self, batch: Vec<(Facts, Option<i64>)>) -> etwkit::Result<ControlFlow<()>> {
        for (facts, time) in &batch {
            self.event(facts, *time);
        }
        Ok(ControlFlow::Continue(()))
    }
}

#[derive(Debug, Default)]
struct Collector {
    open: HashMap<Key, Request>,
    /// Only these; all, if there is no filter.
    chosen: Option<Chosen>,
    stages: Stages,
    /// Stages of all requests, and bytes of their texts.
    stage_count: usize,
    text: usize,
    found: Requests,
}

impl Collector {
    fn event(&mut self, facts: &Facts, time: Option<i64>) {
        let Some(key) = facts.key else { return self.found.without_activity += 1 };
        if self.chosen.as_ref().is_some_and(|chosen| !chosen.has(key)) {
            return;
        }
        let Some(time) = time else { return self.found.without_time += 1 };
        let has_room = self.open.len() < limits::MAX_REQUESTS && self.text < limits::MAX_REQUEST_TEXT;
        if !has_room && !self.open.contains_key(&key) {
            self.found.beyond_limit += 1;
            return;
        }
        let request = self.open.entry(key).or_insert_with(|| Request::new(key.activity(), time));
        if let Some(activity) = facts.activity.filter(|activity| Key::of(*activity) == key) {
            request.activity = Guid::from_u128(request.activity.to_u128().max(activity.to_u128()));
        }
        self.text += request.take(facts, self.text < limits::MAX_REQUEST_TEXT);
        request.last = request.last.max(time);
        let room = self.stage_count < limits::MAX_REQUEST_STAGES && request.stages.len() < limits::MAX_STAGES_EACH;
        match self.stages.get(&facts.stage).filter(|_| room) {
            Some(stage) => {
                request.stages.push((stage, time));
                self.stage_count += 1;
            }
            None => request.more_stages += 1,
        }
    }

    fn finish(mut self) -> Requests {
        let (mut rows, others): (Vec<_>, Vec<_>) = self.open.into_values().partition(|request| request.own_event);
        rows.sort_by_key(|request| (request.first, request.activity.to_u128()));
        self.found.other_activities = others.len() as u64;
        if let Some(chosen) = self.chosen {
            self.found.without_activity = chosen.without_activity;
            self.found.beyond_limit += chosen.beyond_limit;
        }
        Requests { rows, ..self.found }
    }
}

impl Request {
    const fn new(activity: Guid, first: i64) -> Self {
        Self {
            activity,
            first,
            last: first,
            client: None,
            verb: None,
            url: None,
            status: None,
            error: None,
            stages: Vec::new(),
            more_stages: 0,
            own_event: false,
        }
    }

    /// Keeps what is new; returns the bytes of text that it took. The last status and the last error count, of all else
    /// the first.
    fn take(&mut self, facts: &Facts, has_room: bool) -> usize {
        self.own_event |= facts.is_request;
        if !has_room {
            return 0;
        }
        let mut taken = 0;
        let mut keep = |slot: &mut Option<String>, fact: &Option<String>, replace: bool| {
            if let Some(fact) = fact.as_ref().filter(|_| replace || slot.is_none()) {
                taken += fact.len();
                *slot = Some(fact.clone());
            }
        };
        keep(&mut self.client, &facts.client, false);
        keep(&mut self.verb, &facts.verb, false);
        keep(&mut self.url, &facts.url, false);
        keep(&mut self.status, &facts.status, true);
        keep(&mut self.error, &facts.error, true);
        taken
    }
}
