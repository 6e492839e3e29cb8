//! Parts of parsers see the events that they want, in time order.

use std::ops::ControlFlow;
use std::sync::Mutex;

use crate::error::{ProblemList, Result, Severity};
use crate::event::RawEvent;
use crate::parser::FirstPass;
use crate::system::Systems;

use super::Trace;
use super::accept::Accept;
use super::census::schema_problem;
use super::filter::Filter;
use super::ordered::ordered;
use super::segment::Wanted as Segments;
use super::slices::{Slice, SliceReader, Slices};

/// Copies of events, for another thread.
#[derive(Debug, Default)]
struct Copies {
    bytes: Vec<u8>,
    events: Vec<Copied>,
}

/// An event, and the parts that want it.
#[derive(Debug)]
struct Copied {
    /// Without its bytes.
    event: RawEvent<'static>,
    start: usize,
    len: usize,
    wanted: u64,
}

impl Trace {
    /// Hands events to the providers that learn from them and to observers, in time order. They see one event after the
    /// other; several threads find the events.
    pub(super) fn observe(&mut self, pass: &mut FirstPass, systems: &mut Systems, threads: usize) -> Result<()> {
        let slices = Slices::by_time(self, Segments::Observed, (i64::MIN, i64::MAX), SLICE);
        // Looking up the types of all events of these segments costs no more than choosing events first.
        let accept = Accept::new(&Filter::default(), self);
        let wanted = Wanted::new(self);
        let mut problems = ProblemList::default();
        let mut show = |event: &RawEvent<'_>, parts: u64| {
            pass.observe(event, parts, systems.feed(event), |error| {
                problems.push(Severity::Note, || schema_problem(event, &error));
            });
        };
        let finder = Finder { trace: self, accept: &accept, wanted: &wanted };
        if threads <= 1 || slices.bytes() < FEW {
            finder.observe_alone(slices, &mut show)?;
        } else {
            finder.observe_in_parallel(slices, threads, &mut show)?;
        }
        self.problems.append(problems);
        Ok(())
    }
}

/// What a thread that finds events keeps.
type State = (SliceReader, LastHook);

/// Finds the events that parts want.
struct Finder<'t> {
    trace: &'t Trace,
    accept: &'t Accept,
    wanted: &'t Wanted<'t>,
}

impl Finder<'_> {
    /// Shows events as they are found.
    fn observe_alone(&self, slices: Slices, show: &mut impl FnMut(&RawEvent<'_>, u64)) -> Result<()> {
        let mut state = State::default();
        for slice in slices.over(self.trace) {
            self.find(&mut state, slice, &mut *show)?;
        }
        Ok(())
    }

    /// Finds events on several threads, and shows copies of them on this one.
    fn observe_in_parallel(
        &self,
        slices: Slices,
        threads: usize,
        show: &mut impl FnMut(&RawEvent<'_>, u64),
    ) -> Result<()> {
        // Memory of copies that were shown, for the next ones.
        let spare = Mutex::new(Vec::<Copies>::new());
        ordered(
            (State::default(), (1..threads).map(|_| State::default()).collect()),
            slices.over(self.trace),
            |state, slice, _| {
                let mut copies = spare.lock().ok().and_then(|mut all| all.pop()).unwrap_or_default();
                self.find(state, slice, |event, parts| copies.push(event, parts))?;
                Ok(copies)
            },
            |mut copies: Copies| {
                copies.each(show);
                copies.clear();
                if let Ok(mut all) = spare.lock() {
                    all.push(copies);
                }
                Ok(ControlFlow::Continue(()))
            },
        )
    }

    /// Hands over the events of a slice that parts want, with these parts.
    #[inline]
    fn find(&self, (reader, last): &mut State, slice: Slice, mut take: impl FnMut(&RawEvent<'_>, u64)) -> Result<()> {
        reader.push([slice].into_iter());
        while reader.load(self.trace, self.accept)? {
            reader.memory.each(|event| {
                match self.wanted.parts(&event, last) {
                    0 => {}
                    parts => take(&event, parts),
                }
                Ok(ControlFlow::Continue(()))
            })?;
        }
        Ok(())
    }
}

/// Finds the parts that want an event.
struct Wanted<'t> {
    trace: &'t Trace,
    /// By the number of the type, one bit each.
    parts: Vec<u64>,
}

/// The kernel event that was looked up last, and the parts that want it: most events are of the type of the one before.
#[derive(Debug, Default)]
struct LastHook {
    hook: Option<u16>,
    version: u8,
    parts: u64,
}

impl<'t> Wanted<'t> {
    fn new(trace: &'t Trace) -> Self {
        Self { trace, parts: trace.types().iter().map(|row| row.observed).collect() }
    }

    #[inline]
    fn parts(&self, event: &RawEvent<'_>, last: &mut LastHook) -> u64 {
        // Hook and version are the whole key of an event with a hook.
        let (hook, version) = (event.hook(), event.version());
        if hook.is_some() && (hook, version) == (last.hook, last.version) {
            return last.parts;
        }
        let key = self.trace.key_of(event);
        let parts = key.and_then(|key| self.parts.get(key.0 as usize)).copied().unwrap_or_default();
        *last = LastHook { hook, version, parts };
        parts
    }
}

/// Bytes of events that are read at a time.
const SLICE: usize = 1 << 20;
/// Segments of fewer bytes are read by one thread.
const FEW: u64 = 2 << 20;

impl Copies {
    fn push(&mut self, event: &RawEvent<'_>, wanted: u64) {
        let (start, len) = (self.bytes.len(), event.bytes().len());
        self.bytes.extend_from_slice(event.bytes());
        self.events.push(Copied { event: event.with_bytes(&[]), start, len, wanted });
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.events.clear();
    }

    fn each(&self, show: &mut impl FnMut(&RawEvent<'_>, u64)) {
        for Copied { event, start, len, wanted } in &self.events {
            let bytes = self.bytes.get(*start..).and_then(|rest| rest.get(..*len));
            show(&event.with_bytes(bytes.unwrap_or_default()), *wanted);
        }
    }
}
