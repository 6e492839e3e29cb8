//! Counting events by some of their values.

mod rank;
mod types;

use std::cmp::Reverse;
use std::hash::BuildHasher;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::Arc;

use hashbrown::{DefaultHashBuilder, HashMap, HashTable};

use crate::decode::Event;
use crate::error::{Error, Result};
use crate::event::EventTypeId;
use crate::limits;
use crate::select::{Selected, Selector};
use crate::sink::{Sink, Worker};
use crate::time::FileTime;

use crate::output::names::push_event_name;

use rank::Rank;

/// Counts events in groups of equal values.
///
/// An event without a name is counted under the numbers that it has, such as `EventID(7)`. Groups are kept in the order
/// of their first events until [`limits::MAX_GROUPS`] or [`limits::MAX_GROUP_TEXT`] is met; which ones are kept does
/// not depend on the number of threads, given that events come in order.
#[derive(Debug)]
pub struct Tally {
    selectors: Arc<[Selector]>,
    counts: Counts,
    most: usize,
    other: u64,
    spans: Option<Spans>,
}

/// Spans of equal length, one after the other.
#[derive(Clone, Copy, Debug)]
struct Spans {
    origin: FileTime,
    step: NonZero<u64>,
}

/// Events with equal values.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Group {
    /// A value for each selector, `None` where the events have none.
    pub values: Box<[Option<Box<str>>]>,
    /// How many events.
    pub events: u64,
}

/// The result of a tally.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Groups {
    /// Those with most events first; equal ones by their values, numbers before text.
    pub list: Vec<Group>,
    /// Events of groups for which there was no room.
    pub other: u64,
}

impl Group {
    /// Returns a group of events with these values.
    pub fn new(values: impl Into<Box<[Option<Box<str>>]>>, events: u64) -> Self {
        Self { values: values.into(), events }
    }
}

impl Groups {
    /// Returns groups in which all events are, in this order.
    pub const fn new(list: Vec<Group>) -> Self {
        Self { list, other: 0 }
    }
}

impl Tally {
    /// Counts by these values; [`crate::ErrorKind::Limit`] if there are more than [`limits::MAX_SELECTORS`].
    pub fn new(selectors: Vec<Selector>) -> Result<Self> {
        if selectors.len() > limits::MAX_SELECTORS {
            return Err(Error::limit("values that make a group", limits::MAX_SELECTORS));
        }
        let (counts, other, spans) = <_>::default();
        Ok(Self { selectors: selectors.into(), counts, most: limits::MAX_GROUPS, other, spans })
    }

    /// Counts each span of `step` 100 ns units apart. The first value of a group is then the start of its span, a
    /// decimal FILETIME: a multiple of `step` from `origin`.
    #[must_use]
    pub const fn by_time(mut self, origin: FileTime, step: NonZero<u64>) -> Self {
        self.spans = Some(Spans { origin, step });
        self
    }

    /// Returns whether events are counted by any value, and not all together.
    pub fn has_keys(&self) -> bool {
        self.spans.is_some() || !self.selectors.is_empty()
    }

    /// Adds events to the group of a key.
    fn add(&mut self, key: &[u8], events: u64) {
        if !self.counts.add(key, events, self.most, limits::MAX_GROUP_TEXT) {
            self.other += events;
        }
    }

    /// Keeps fewer groups.
    #[must_use]
    pub fn at_most(mut self, groups: usize) -> Self {
        self.most = groups.min(limits::MAX_GROUPS);
        self
    }

    /// Returns the groups.
    pub fn into_groups(self) -> Groups {
        let group = |(key, events): (Box<[u8]>, u64)| Group { values: split(&key), events };
        let mut list: Vec<Group> = self.counts.list.into_iter().map(group).collect();
        list.sort_by_cached_key(|group| {
            let rank = |value: &Option<Box<str>>| (value.as_deref().map(Rank::of), value.clone());
            (Reverse(group.events), group.values.iter().map(rank).collect::<Vec<_>>())
        });
        Groups { list, other: self.other }
    }
}

/// Counts by key, in the order in which keys came.
#[derive(Debug, Default)]
struct Counts {
    list: Vec<(Box<[u8]>, u64)>,
    places: HashTable<usize>,
    hasher: DefaultHashBuilder,
    bytes: usize,
}

impl Counts {
    /// Adds to a key's count; `false` if it is a new one and there is no room.
    fn add(&mut self, key: &[u8], events: u64, most: usize, most_bytes: usize) -> bool {
        let Self { list, places, hasher, bytes } = self;
        let hash = hasher.hash_one(key);
        let same = |place: &usize| list.get(*place).is_some_and(|(known, _)| **known == *key);
        if let Some((_, count)) = places.find(hash, same).and_then(|place| list.get_mut(*place)) {
            *count += events;
            return true;
        }
        if list.len() >= most || *bytes + key.len() > most_bytes {
            return false;
        }
        *bytes += key.len();
        let place = list.len();
        list.push((key.into(), events));
        places.insert_unique(hash, place, |place| list.get(*place).map_or(0, |(key, _)| hasher.hash_one(&**key)));
        true
    }
}

impl Sink for Tally {
    type Worker = TallyWorker;

    fn worker(&self) -> TallyWorker {
        let (plans, counts, key) = <_>::default();
        TallyWorker { selectors: Arc::clone(&self.selectors), plans, counts, key, spans: self.spans }
    }

    fn accept(&mut self, batch: Vec<(Box<[u8]>, u64)>) -> Result<ControlFlow<()>> {
        for (key, events) in batch {
            self.add(&key, events);
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// Counts the events of one thread, a slice at a time.
#[derive(Debug)]
pub struct TallyWorker {
    selectors: Arc<[Selector]>,
    plans: HashMap<EventTypeId, Vec<Selected>>,
    counts: Counts,
    key: Vec<u8>,
    spans: Option<Spans>,
}

impl Worker for TallyWorker {
    type Batch = Vec<(Box<[u8]>, u64)>;

    fn event(&mut self, event: &Event<'_>) -> Result<()> {
        let selectors = &self.selectors;
        self.key.clear();
        if let Some(spans) = self.spans {
            spans.push_key(&mut self.key, event);
        }
        match event.type_id() {
            Some(id) => {
                let plan = self.plans.entry(id).or_insert_with(|| plan(selectors, event));
                push_key(&mut self.key, plan, event);
            }
            None => push_key(&mut self.key, &plan(selectors, event), event),
        }
        // A slice is small: it is the sink that has a limit.
        self.counts.add(&self.key, 1, usize::MAX, usize::MAX);
        Ok(())
    }

    fn take(&mut self) -> Vec<(Box<[u8]>, u64)> {
        std::mem::take(&mut self.counts).list
    }
}

impl Spans {
    /// Appends the start of the event's span as [`push_key`] appends a value.
    fn push_key(self, key: &mut Vec<u8>, event: &Event<'_>) {
        let start = |time: FileTime| {
            let (origin, step) = (i128::from(self.origin.0), i128::from(self.step.get()));
            let start = origin + (i128::from(time.0) - origin).div_euclid(step) * step;
            start.to_string()
        };
        let text = event.time().map(start);
        let len = text.as_ref().map_or(0, |text| text.len() as u32 + 1);
        key.extend_from_slice(&len.to_le_bytes());
        key.extend_from_slice(text.unwrap_or_default().as_bytes());
    }
}

/// Returns the selectors resolved for the events of this one's type.
fn plan(selectors: &[Selector], event: &Event<'_>) -> Vec<Selected> {
    selectors.iter().map(|selector| Selected::new(selector, event)).collect()
}

/// Appends all values, each after its length plus one; zero where there is none.
fn push_key(key: &mut Vec<u8>, plan: &[Selected], event: &Event<'_>) {
    for selected in plan {
        push_value(key, |key| {
            let is_there = selected.push(key, event);
            if !is_there && selected.is_event_name() {
                push_event_name(key, event);
                return true;
            }
            is_there
        });
    }
}

/// Appends what `push` appends after its length plus one; zero if it returns that there is no value.
fn push_value(key: &mut Vec<u8>, push: impl FnOnce(&mut Vec<u8>) -> bool) {
    let start = key.len();
    key.extend_from_slice(&[0; 4]);
    let is_there = push(key);
    let len = (key.len() - start - 4) as u32 + u32::from(is_there);
    if let Some(place) = key.get_mut(start..start + 4) {
        place.copy_from_slice(&len.to_le_bytes());
    }
}

/// Returns the values of a key.
fn split(key: &[u8]) -> Box<[Option<Box<str>>]> {
    let mut values = Vec::new();
    let mut rest = key;
    while let Some((len, after)) = rest.split_first_chunk() {
        let len = u32::from_le_bytes(*len) as usize;
        let (text, next) = after.split_at_checked(len.saturating_sub(1)).unwrap_or((after, &[]));
        values.push((len > 0).then(|| String::from_utf8_lossy(text).into()));
        rest = next;
    }
    values.into()
}
