//! What the events of a list are, as counts: providers, events, levels, processes, and when they were.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};

use etwkit::FileTime;
use etwkit::decode::Event;
use etwkit::output::names_of_type;
use etwkit::trace::Trace;
use serde::Serialize;

use crate::conditions;
use crate::density::Density;
use crate::extent::{Extent, folds};
use crate::limits::{MAX_CELLS, MAX_CELLS_SHOWN, MAX_FACETS};

/// Bins of the histogram over time.
const BINS: usize = 512;

/// Counts of the events that were read.
#[derive(Debug)]
pub struct Facets {
    /// By the number of the event's type.
    by_type: Vec<u64>,
    /// Events without a type.
    others: u64,
    by_level: [u64; 256],
    processes: HashMap<(Option<u32>, String), u64>,
    /// Events of processes beyond the limit.
    other_processes: u64,
    bins: Vec<u32>,
    first: i64,
    span: u64,
    extent: Extent,
    density: Density,
    /// The time of the event that was counted last.
    latest: Option<FileTime>,
}

/// One value and its events.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Facet {
    /// The value; empty if it is not known.
    pub value: String,
    /// A second part of the value: the provider of an event, the number of a process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// Events that have it.
    pub events: u64,
    /// The condition of a filter that picks them; of a process all events of its number, whatever its name is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
}

/// All facets of a list, by falling count.
#[derive(Clone, Debug, Serialize)]
pub struct FacetLists {
    /// Providers by name.
    pub providers: Vec<Facet>,
    /// Kinds of events.
    pub events: Vec<Facet>,
    /// Levels by number.
    pub levels: Vec<Facet>,
    /// Processes by name and number.
    pub processes: Vec<Facet>,
    /// Events of processes that are not listed.
    pub other_processes: u64,
    /// Events without a type.
    pub others: u64,
    /// When they were.
    pub over_time: OverTime,
}

/// Events over time, on the axis of the lanes of reports.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct OverTime {
    /// The time of 0, in units of 100 ns since 1601, as digits: it is too large for a number of JavaScript.
    pub base: String,
    /// Units from 0 to the last event of the trace.
    pub end: i64,
    /// Whether times are local to the machine that recorded them instead of UTC.
    pub is_local: bool,
    /// Whether the axis begins with the session, before its first event.
    pub is_from_session: bool,
    /// Stretches without events that are counted: begin and end of those that are long beside the rest, in order.
    pub folds: Vec<(i64, i64)>,
    /// Units of an interval.
    pub step: i64,
    /// Pairs: intervals since the one before, and events.
    pub cells: Vec<f64>,
}

impl Facets {
    /// Counts of no events yet.
    pub fn new(trace: &Trace) -> Self {
        let (first, last) = trace.first_and_last().unwrap_or_default();
        Self {
            by_type: vec![0; trace.types().len()],
            others: 0,
            by_level: [0; 256],
            processes: HashMap::new(),
            other_processes: 0,
            bins: vec![0; BINS],
            first: first.as_units(),
            span: last.as_units().abs_diff(first.as_units()),
            extent: Extent::of(trace),
            density: Density::new(1, MAX_CELLS),
            latest: None,
        }
    }

    /// Counts an event.
    pub fn add(&mut self, event: &Event<'_>) {
        match event.type_id().and_then(|key| self.by_type.get_mut(key.0 as usize)) {
            Some(count) => *count += 1,
            None => self.others += 1,
        }
        if let Some(count) = self.by_level.get_mut(usize::from(event.level())) {
            *count += 1;
        }
        self.add_process(event);
        self.add_time(event);
    }

    fn add_process(&mut self, event: &Event<'_>) {
        let key = (event.pid(), event.process_name().unwrap_or_default().to_owned());
        let is_full = self.processes.len() >= MAX_FACETS;
        match self.processes.entry(key) {
            Entry::Vacant(_) if is_full => self.other_processes += 1,
            entry => *entry.or_default() += 1,
        }
    }

    fn add_time(&mut self, event: &Event<'_>) {
        let Some(time) = event.time() else { return };
        self.latest = Some(time);
        self.density.add(0, self.extent.units(time), 1.0);
        let past = u64::try_from(time.as_units().saturating_sub(self.first)).unwrap_or_default().min(self.span);
        let at = u128::from(past) * BINS as u128 / (u128::from(self.span) + 1);
        if let Some(bin) = usize::try_from(at).ok().and_then(|at| self.bins.get_mut(at)) {
            *bin = bin.saturating_add(1);
        }
    }

    /// Returns the time of the event that was counted last.
    pub fn latest(&self) -> Option<FileTime> {
        self.latest
    }

    /// Returns the events by time, in bins of equal width from the first to the last event of the trace.
    pub fn histogram(&self) -> &[u32] {
        &self.bins
    }

    /// Returns the events so far, by time.
    fn over_time(&self, trace: &Trace) -> OverTime {
        let (extent, mut density) = (self.extent, self.density.clone());
        let folds = folds(&density.busy(0), extent.span());
        density.fit(MAX_CELLS_SHOWN);
        OverTime {
            base: extent.base.0.to_string(),
            end: extent.span(),
            is_local: trace.has_local_times(),
            is_from_session: extent.is_from_session,
            folds,
            step: density.step(),
            cells: density.cells(0),
        }
    }

    /// Returns the counts so far.
    pub fn lists(&self, trace: &Trace) -> FacetLists {
        let (mut providers, mut events) = (Named::new(), Named::new());
        for (row, count) in trace.types().iter().zip(&self.by_type).filter(|(_, count)| **count > 0) {
            let (provider, event) = names_of_type(row);
            let of_provider = || (Some(conditions::of_provider(&provider)), 0);
            providers.entry((provider.clone(), None)).or_insert_with(of_provider).1 += count;
            let of_event = || (Some(conditions::of_event(row)), 0);
            events.entry((event, Some(provider))).or_insert_with(of_event).1 += count;
        }
        let levels = (0_u16..).zip(self.by_level).filter(|(_, count)| *count > 0);
        let levels = levels.map(|(level, count)| {
            let level = level.to_string();
            let condition = conditions::of_level(&level);
            ((level, None), (Some(condition), count))
        });
        let processes = self.processes.iter().map(|((pid, name), count)| {
            let pid = pid.map(|pid| pid.to_string());
            let condition = pid.as_deref().map(conditions::of_process);
            ((name.clone(), pid), (condition, *count))
        });
        FacetLists {
            providers: by_count(providers),
            events: by_count(events),
            levels: by_count(levels),
            processes: by_count(processes),
            other_processes: self.other_processes,
            others: self.others,
            over_time: self.over_time(trace),
        }
    }
}

/// Values with their second parts, and the conditions and counts of their events.
type Named = BTreeMap<(String, Option<String>), (Option<String>, u64)>;

fn by_count(counts: impl IntoIterator<Item = <Named as IntoIterator>::Item>) -> Vec<Facet> {
    let facet = |((value, of), (condition, events))| Facet { value, of, events, condition };
    let mut list: Vec<Facet> = counts.into_iter().map(facet).collect();
    list.sort_by(|a, b| b.events.cmp(&a.events).then_with(|| (&a.value, &a.of).cmp(&(&b.value, &b.of))));
    list
}
