//! Which events are wanted.

use std::time::Duration;

use crate::bytes::Guid;
use crate::decode::{EventType, Scratch};
use crate::event::{EventTypeId, Kind, RawEvent};
#[cfg(feature = "query")]
use crate::query::{Expression, Plan};
use crate::select::{HeaderField, level_of};
use crate::time::{FileTime, RawTime};

use super::Trace;
use super::glob::Glob;

/// Conditions on events; an event must meet all that are set. Lists are alternatives.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Filter {
    /// Providers by name or GUID text, with `*` and `?`; without regard to case.
    pub providers: Vec<Glob>,
    /// GUIDs of providers: as [`EventType::provider_guid`] has them, so that the class of a classic event is none. An event
    /// must also meet [`Filter::providers`](field@Filter::providers).
    pub provider_guids: Vec<Guid>,
    /// Event ids (message numbers for WPP). An event without an id, such as a classic one, does not pass.
    pub ids: Vec<u16>,
    /// Event names (`Task/Opcode`), with `*` and `?`.
    pub names: Vec<Glob>,
    /// Most verbose level: this one and more severe ones. Level 0 (log always) passes only if this is 0, or with
    /// [`Filter::level_zero`](field@Filter::level_zero); events without a level pass only with the latter. A WPP message
    /// has the level of its definition.
    pub level: Option<u8>,
    /// Level 0 and events without a level pass [`Filter::level`](field@Filter::level), as in a session.
    pub level_zero: bool,
    /// Any of these keyword bits; events without keywords pass, as in a session.
    pub keywords: Option<u64>,
    /// Processes that events are about ([`crate::decode::Attribution`]).
    pub pids: Vec<u32>,
    /// File names of the images of processes that events are about, with `*` and `?`.
    pub processes: Vec<Glob>,
    /// Threads that events are about.
    pub tids: Vec<u32>,
    /// Processors.
    pub processors: Vec<u16>,
    /// Time window.
    pub time: TimeRange,
    /// Any other condition, also on fields of the payload. Needs the feature `query`.
    #[cfg(feature = "query")]
    pub expression: Option<Expression>,
}

impl Filter {
    /// Sets [`Filter::providers`](field@Filter::providers).
    #[must_use]
    pub fn providers(mut self, providers: impl IntoIterator<Item = Glob>) -> Self {
        self.providers = providers.into_iter().collect();
        self
    }

    /// Sets [`Filter::provider_guids`](field@Filter::provider_guids).
    #[must_use]
    pub fn provider_guids(mut self, guids: impl IntoIterator<Item = Guid>) -> Self {
        self.provider_guids = guids.into_iter().collect();
        self
    }

    /// Sets [`Filter::ids`](field@Filter::ids).
    #[must_use]
    pub fn ids(mut self, ids: impl IntoIterator<Item = u16>) -> Self {
        self.ids = ids.into_iter().collect();
        self
    }

    /// Sets [`Filter::names`](field@Filter::names).
    #[must_use]
    pub fn names(mut self, names: impl IntoIterator<Item = Glob>) -> Self {
        self.names = names.into_iter().collect();
        self
    }

    /// Sets [`Filter::level`](field@Filter::level).
    #[must_use]
    pub fn level(mut self, level: impl Into<Option<u8>>) -> Self {
        self.level = level.into();
        self
    }

    /// Sets [`Filter::level_zero`](field@Filter::level_zero).
    #[must_use]
    pub const fn level_zero(mut self, passes: bool) -> Self {
        self.level_zero = passes;
        self
    }

    /// Sets [`Filter::keywords`](field@Filter::keywords).
    #[must_use]
    pub fn keywords(mut self, keywords: impl Into<Option<u64>>) -> Self {
        self.keywords = keywords.into();
        self
    }

    /// Returns whether its conditions on processes and threads choose a thread by its ids; `name` returns the file name of
    /// the image of its process. A thread of which a condition asks for something that is not known is not chosen.
    pub fn has_thread<'n>(
        &self,
        pid: Option<u32>,
        tid: Option<u32>,
        name: impl FnOnce(u32) -> Option<&'n str>,
    ) -> bool {
        let among = |list: &[u32], id: Option<u32>| list.is_empty() || id.is_some_and(|id| list.contains(&id));
        let is_named = |name: &str| self.processes.iter().any(|glob| glob.matches(name));
        among(&self.pids, pid)
            && among(&self.tids, tid)
            && (self.processes.is_empty() || pid.and_then(name).is_some_and(is_named))
    }

    /// Sets [`Filter::pids`](field@Filter::pids).
    #[must_use]
    pub fn pids(mut self, pids: impl IntoIterator<Item = u32>) -> Self {
        self.pids = pids.into_iter().collect();
        self
    }

    /// Sets [`Filter::processes`](field@Filter::processes).
    #[must_use]
    pub fn processes(mut self, names: impl IntoIterator<Item = Glob>) -> Self {
        self.processes = names.into_iter().collect();
        self
    }

    /// Sets [`Filter::tids`](field@Filter::tids).
    #[must_use]
    pub fn tids(mut self, tids: impl IntoIterator<Item = u32>) -> Self {
        self.tids = tids.into_iter().collect();
        self
    }

    /// Sets [`Filter::processors`](field@Filter::processors).
    #[must_use]
    pub fn processors(mut self, processors: impl IntoIterator<Item = u16>) -> Self {
        self.processors = processors.into_iter().collect();
        self
    }

    /// Sets [`Filter::time`](field@Filter::time).
    #[must_use]
    pub fn time(mut self, time: TimeRange) -> Self {
        self.time = time;
        self
    }

    /// Sets [`Filter::expression`](field@Filter::expression).
    #[cfg(feature = "query")]
    #[must_use]
    pub fn expression(mut self, expression: Expression) -> Self {
        self.expression = Some(expression);
        self
    }
}

/// A window of time, absolute or from the trace's start; both ends belong to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TimeRange {
    /// Not before this time.
    pub since: Option<FileTime>,
    /// Not after this time.
    pub until: Option<FileTime>,
    /// Not before this long after the start.
    pub since_offset: Option<Duration>,
    /// Not after this long after the start.
    pub until_offset: Option<Duration>,
}

impl TimeRange {
    /// Sets [`TimeRange::since`](field@TimeRange::since).
    #[must_use]
    pub fn since(mut self, since: impl Into<Option<FileTime>>) -> Self {
        self.since = since.into();
        self
    }

    /// Sets [`TimeRange::until`](field@TimeRange::until).
    #[must_use]
    pub fn until(mut self, until: impl Into<Option<FileTime>>) -> Self {
        self.until = until.into();
        self
    }

    /// Sets [`TimeRange::since_offset`](field@TimeRange::since_offset).
    #[must_use]
    pub fn since_offset(mut self, since_offset: impl Into<Option<Duration>>) -> Self {
        self.since_offset = since_offset.into();
        self
    }

    /// Sets [`TimeRange::until_offset`](field@TimeRange::until_offset).
    #[must_use]
    pub fn until_offset(mut self, until_offset: impl Into<Option<Duration>>) -> Self {
        self.until_offset = until_offset.into();
        self
    }

    /// Returns the first and the last time of the window in a trace with this [`Trace::start`](super::Trace::start), both
    /// in the window; `None` for an end that is open.
    pub fn bounds(&self, start: Option<FileTime>) -> (Option<FileTime>, Option<FileTime>) {
        let after_start = |span: Duration, round: u128| {
            let units = i64::try_from((span.as_nanos() + round) / 100).unwrap_or(i64::MAX);
            start.map(|start| FileTime(start.0.saturating_add(units)))
        };
        // What begins within 100 ns is not before them.
        let since_offset = self.since_offset.and_then(|span| after_start(span, 99));
        let until_offset = self.until_offset.and_then(|span| after_start(span, 0));
        let first = [self.since, since_offset].into_iter().flatten().max();
        (first, [self.until, until_offset].into_iter().flatten().min())
    }
}

/// A filter made ready for one trace: what a key settles is settled, so that an event costs a few comparisons.
#[derive(Debug)]
pub(super) struct Accept {
    /// By key; `None` if all keys are taken whole.
    keys: Option<Box<[KeyRule]>>,
    filter: Filter,
    /// First and last time by file, if the window of all files does not settle it.
    windows: Option<Box<[(RawTime, RawTime)]>>,
    headers: bool,
    whose: bool,
}

/// What a filter states about the events of a key.
#[derive(Clone, Debug)]
enum KeyRule {
    Take,
    Leave,
    #[cfg(feature = "query")]
    Ask(Box<Plan>),
}

impl Accept {
    pub(super) fn new(filter: &Filter, trace: &Trace) -> Self {
        let listed = !(filter.providers.is_empty() && filter.provider_guids.is_empty() && filter.names.is_empty());
        #[cfg(feature = "query")]
        let listed = listed || filter.expression.is_some();
        let keys = listed.then(|| trace.types().iter().map(|row| rule(filter, row)).collect());
        let listed = !(filter.ids.is_empty() && filter.processors.is_empty());
        let headers = filter.level.is_some() || filter.keywords.is_some() || listed;
        let whose = !(filter.pids.is_empty() && filter.tids.is_empty() && filter.processes.is_empty());
        Self { keys, filter: filter.clone(), windows: trace.file_windows(&filter.time), headers, whose }
    }

    /// Returns the marks of the types whose events may be taken. No event of a segment without them is.
    pub(super) fn marks(&self, trace: &Trace) -> u64 {
        let Some(keys) = &self.keys else { return u64::MAX };
        let is_taken = |rule: &KeyRule| !matches!(rule, KeyRule::Leave);
        trace.types().iter().zip(keys).filter(|(_, rule)| is_taken(rule)).fold(0, |marks, (row, _)| marks | row.mark)
    }

    /// Returns whether every event is taken.
    #[inline]
    pub(super) const fn takes_all(&self) -> bool {
        self.keys.is_none() && !self.headers && !self.whose && self.windows.is_none()
    }

    /// Returns whether an event is taken. Its payload is read only if its key and header do not decide.
    #[inline]
    pub(super) fn takes(&self, event: &RawEvent<'_>, trace: &Trace, scratch: &mut Scratch) -> bool {
        let is_in_time = self.windows.as_ref().is_none_or(|windows| is_within(windows, event));
        if !is_in_time || self.headers && !self.takes_header(event, trace) {
            return false;
        }
        if self.keys.is_none() && !self.whose {
            return true;
        }
        let key = trace.key_of(event);
        let rule = match (&self.keys, key) {
            (None, _) => Some(&KeyRule::Take),
            (Some(keys), Some(key)) => keys.get(key.0 as usize),
            (Some(_), None) => None,
        };
        let wanted = match rule {
            Some(KeyRule::Take) => true,
            #[cfg(feature = "query")]
            Some(KeyRule::Ask(plan)) => asks(plan, *event, key, trace, scratch),
            Some(KeyRule::Leave) | None => false,
        };
        wanted && (!self.whose || self.takes_whose(*event, key, trace, scratch))
    }

    fn takes_whose(&self, event: RawEvent<'_>, key: Option<EventTypeId>, trace: &Trace, scratch: &mut Scratch) -> bool {
        let event = trace.decoder().decode_as(event, key.and_then(|key| trace.event_type(key)), scratch);
        let whose = event.attribution();
        self.filter.has_thread(whose.pid, whose.tid, |pid| event.system().process_name_at(pid, event.raw()))
    }

    fn takes_header(&self, event: &RawEvent<'_>, trace: &Trace) -> bool {
        let f = &self.filter;
        f.level.is_none_or(|most| self.takes_level(event, most, trace))
            && f.keywords.is_none_or(|mask| event.keywords() == 0 || event.keywords() & mask != 0)
            && (f.processors.is_empty() || f.processors.contains(&event.processor()))
            && (f.ids.is_empty() || has_id(event, &f.ids))
    }

    fn takes_level(&self, event: &RawEvent<'_>, most: u8, trace: &Trace) -> bool {
        // Only messages have their level in their schema.
        let is_message = event.kind() == Kind::Wpp;
        let key = if is_message { trace.key_of(event) } else { None };
        let schema = key.and_then(|key| trace.event_type(key)?.schema());
        match level_of(event, schema) {
            Some(level) if level > 0 || most == 0 => level <= most,
            _ => self.filter.level_zero,
        }
    }
}

/// Returns whether an event is in the window of its file.
fn is_within(windows: &[(RawTime, RawTime)], event: &RawEvent<'_>) -> bool {
    let window = windows.get(event.place().file.index());
    window.is_none_or(|(from, to)| (*from..=*to).contains(&event.time()))
}

/// Returns whether an event has an id, and one of these. (That of a TraceLogging event is not part of its type.)
fn has_id(event: &RawEvent<'_>, ids: &[u16]) -> bool {
    let id = HeaderField::Id.in_header(event, None).and_then(|id| id.number());
    id.is_some_and(|id| ids.iter().any(|known| u64::from(*known) == id))
}

/// Settles by the header if that is enough, else by the payload.
#[cfg(feature = "query")]
fn asks(plan: &Plan, event: RawEvent<'_>, key: Option<EventTypeId>, trace: &Trace, scratch: &mut Scratch) -> bool {
    plan.header(&event, key.and_then(|key| trace.event_type(key)?.schema())).unwrap_or_else(|| {
        plan.event(&trace.decoder().decode_as(event, key.and_then(|key| trace.event_type(key)), scratch))
    })
}

fn rule(filter: &Filter, row: &EventType) -> KeyRule {
    if !filter.may_take(row) {
        return KeyRule::Leave;
    }
    #[cfg(feature = "query")]
    if let Some(expression) = &filter.expression {
        return rule_of(expression, row);
    }
    KeyRule::Take
}

#[cfg(feature = "query")]
fn rule_of(expression: &Expression, row: &EventType) -> KeyRule {
    let plan = expression.plan(row);
    match plan.known() {
        Some(true) => KeyRule::Take,
        Some(false) => KeyRule::Leave,
        None => KeyRule::Ask(Box::new(plan)),
    }
}
