//! All lines of a trace.

use std::collections::{BTreeMap, HashSet};
use std::io::Write;

use etwkit::FileId;
use etwkit::bytes::Guid;
use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::event::{Kind, NO_ID};
use etwkit::trace::{Filter, Glob, Trace};

use crate::cell::Cell;
use crate::disk::Disks;
use crate::drops::Drops;
use crate::evaluate::{ShownEvent, TypeNames, cell_of};
use crate::names::{self, Providers};
use crate::release::Release;
use crate::view::{EventView, Views};

/// How a baseline is written.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// Lines of each kind of event; all are counted.
    pub per_type: u64,
    /// As TraceEvent does it, with what it leaves out and with its defects.
    pub compat: bool,
    /// The release of TraceEvent that `compat` means.
    pub release: Release,
}

impl Default for Options {
    fn default() -> Self {
        Self { per_type: 5, compat: false, release: Release::NEWEST }
    }
}

impl Options {
    /// Sets [`Options::per_type`](field@Options::per_type).
    #[must_use]
    pub const fn per_type(mut self, per_type: u64) -> Self {
        self.per_type = per_type;
        self
    }

    /// Sets [`Options::compat`](field@Options::compat).
    #[must_use]
    pub const fn compat(mut self, compat: bool) -> Self {
        self.compat = compat;
        self
    }

    /// Sets [`Options::release`](field@Options::release).
    #[must_use]
    pub const fn release(mut self, release: Release) -> Self {
        self.release = release;
        self
    }
}

/// Counts of what was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Totals {
    /// Events counted.
    pub events: u64,
    /// Events left out because TraceEvent does.
    pub left_out: u64,
    /// Those of them that TraceEvent reads and only its baseline test skips.
    pub skipped: u64,
    /// Kinds of events.
    pub kinds: usize,
}

/// Provider that TraceEvent's baseline test leaves out: counters of the runtime that ran the test's capture.
const DOT_NET: Guid = Guid::from_u128(0x319dc449_ada5_50f7_428e_957db6791668);
/// The CLR's private provider, left out where TraceEvent has no typed event.
const DOT_NET_RUNTIME_PRIVATE: Guid = Guid::from_u128(0x763fd754_7086_4dfe_95eb_c01a46faf4ca);
/// Starts, ends and rundown of threads.
const THREAD: Guid = Guid::from_u128(0x3d6fa8d1_fe05_11d0_9dda_00c04fd7ba7c);
/// What merging adds: no class that Windows knows.
const SYS_CONFIG: Guid = Guid::from_u128(0x9b79ee91_b5fd_41c0_a243_4248e266e9d0);

/// Writes the baseline of a trace: lines of the first events of each kind in time order, then counts by name.
pub fn write_baseline(trace: &Trace, options: &Options, out: &mut impl Write) -> Result<Totals> {
    let mut baseline = Baseline {
        trace,
        options: options.clone(),
        views: if options.compat { Views::built_in().at_release(options.release) } else { Views::built_in() },
        drops: Drops::built_in(),
        providers: Providers::new(trace),
        types: type_names(trace)?,
        disks: Disks::default(),
        counts: BTreeMap::new(),
        told: HashSet::new(),
        totals: Totals::default(),
    };
    let mut events = trace.events();
    let start = trace.clock(FileId::FIRST).map_or(0, |clock| clock.zero().0);
    while let Some(event) = events.next()? {
        baseline.event(&event, start, out)?;
    }
    for (name, count) in &baseline.counts {
        writeln!(out, "COUNT {name}:{count}")?;
    }
    baseline.totals.kinds = baseline.counts.len();
    Ok(baseline.totals)
}

struct Baseline<'c> {
    trace: &'c Trace,
    options: Options,
    views: Views,
    drops: Drops,
    providers: Providers,
    types: TypeNames,
    disks: Disks,
    counts: BTreeMap<String, u64>,
    /// Threads that events have named so far.
    told: HashSet<u32>,
    totals: Totals,
}

impl Baseline<'_> {
    fn event(&mut self, event: &Event<'_>, start: i64, out: &mut impl Write) -> Result<()> {
        self.note_thread(event);
        let view = self.views.view(event);
        if self.options.compat {
            let is_dropped = self.drops.holds(event);
            let is_skipped = !is_dropped && self.is_skipped(event, view);
            self.totals.skipped += u64::from(is_skipped);
            if is_dropped || is_skipped {
                self.totals.left_out += 1;
                return Ok(());
            }
        }
        let name = if let Some(view) = view {
            format!("{}/{}", view.provider, view.title)
        } else {
            let (provider, name) = names::name(event, &self.views, &self.providers);
            format!("{provider}/{name}")
        };
        self.totals.events += 1;
        let count = self.counts.entry(name.clone()).or_default();
        *count += 1;
        let is_shown = *count <= self.options.per_type;
        let mut shown = ShownEvent {
            trace: self.trace,
            views: &self.views,
            types: &self.types,
            service: None,
            event,
            whose: event.attribution(),
            compat: self.options.compat,
            padded: !self.options.compat || self.options.release >= Release::PADDED_ADDRESSES,
        };
        if self.options.compat {
            shown.mistake_thread();
            shown.miss_process(&self.told);
        }
        if let Some(view) = view {
            shown.note_disk(self.views.columns(view), &mut self.disks);
        }
        if is_shown {
            writeln!(out, "{}", shown.line(&name, view, start))?;
        }
        Ok(())
    }

    fn note_thread(&mut self, event: &Event<'_>) {
        let key = event.raw().key();
        if key.kind == Kind::Classic
            && key.provider == THREAD
            && (1..=4).contains(&key.opcode)
            && self.told.len() < MAX_THREADS
        {
            self.told.extend(event.field("TThreadId").and_then(|view| view.value()?.as_u64()).map(|tid| tid as u32));
        }
    }

    /// Returns whether the baseline test skips an event: one that only Windows' own repository could name.
    fn is_skipped(&self, event: &Event<'_>, view: Option<&EventView>) -> bool {
        let key = event.raw().key();
        match key.kind {
            _ if key.provider == DOT_NET => true,
            Kind::Manifest => key.provider == DOT_NET_RUNTIME_PRIVATE && view.is_none(),
            Kind::Classic if view.is_none() => {
                let task = self.views.task(key.provider);
                // What no table here names Windows does not name either.
                let is_named = event.schema().is_some() && !self.views.is_unnamed(&key);
                key.provider != SYS_CONFIG && is_named && task.is_some_and(|(provider, _)| provider == "Windows Kernel")
            }
            _ => false,
        }
    }
}

/// Names of types from the runtime's bulk events, which come after the first uses of their ids.
fn type_names(trace: &Trace) -> Result<TypeNames> {
    let mut types = TypeNames::new();
    let filter = Filter::default().names([Glob::new("Type/BulkType")]);
    let mut events = trace.select(&filter);
    while let Some(event) = events.next()? {
        let pid = event.attribution().pid.unwrap_or(NO_ID);
        let Some(Cell::List(list)) = event.field("Values").and_then(|view| cell_of(&view)) else { continue };
        for cell in list {
            let Cell::Struct(members) = cell else { continue };
            let member = |name: &str| members.iter().find(|(member, _)| member == name).map(|(_, cell)| cell);
            if let (Some(id), Some(Cell::Text(name))) = (member("TypeID").and_then(Cell::bits), member("TypeName"))
                && types.len() < MAX_TYPES
            {
                types.insert((pid, id), name.clone());
            }
        }
    }
    Ok(types)
}

/// Threads kept: as in the tables of the trace's state, ids are used again.
const MAX_THREADS: usize = 1 << 20;
/// Types kept: a large process has some ten thousand.
const MAX_TYPES: usize = 1 << 20;
