//! Filters made ready for one trace.

use crate::decode::{EventType, Scratch};
use crate::event::{EventTypeId, Kind, RawEvent};
#[cfg(feature = "query")]
use crate::query::{Expression, Plan};
use crate::select::{HeaderField, level_of};
use crate::time::RawTime;

use super::{Filter, Trace};

/// A filter for the events of one trace: what a key settles is settled, so that an event costs a few comparisons.
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
