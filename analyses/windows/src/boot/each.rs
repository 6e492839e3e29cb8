//! Each step of a boot: drivers, devices, services, programs.

use std::collections::HashMap;

use etwkit::FileTime;
use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::trace::Trace;
use etwkit_analysis::{Analysis, Excess, Interest, Time};

use super::fact::{BootFact, INTEREST, What, is_boot};
use super::pairs::Role;
use super::state::{BootTimes, Ids, Span, State};
use super::stated::{Slow, Stated, duration};
use crate::limits::{MOST_EACH, MOST_OPEN};

etwkit_analysis::row! {
    /// A step of a boot.
    pub struct BootEachRow {
        /// Time of the begin, UTC; absent if it began before the trace.
        start: Option<Time> as Time,
        /// Milliseconds from the time of the boot, by the header, to the begin.
        since_boot_ms: Option<f64> as Milliseconds,
        /// Task of the events, or `Process`.
        step: &'static str as Text,
        /// Name of the driver, device, service or program.
        name: Option<String> as Text,
        /// Process id: of the process that starts, else of who wrote the events.
        pid: Option<u32> as Id,
        /// Status that the event of the end states, 0 for success; of a process its exit code.
        status: Option<u32> as Id,
        /// Time of the end, UTC; absent if it is not in the trace.
        end: Option<Time> as Time,
        /// Milliseconds; of a process those for which it ran.
        duration_ms: Option<f64> as Milliseconds,
        /// Events that decide: provider and ids.
        source: String as Text,
    }
}

/// Lists the steps of boots in order of time.
#[derive(Debug, Default)]
pub struct BootEach {
    state: State,
    /// Processes that run, by machine and process id, each with its place among the steps.
    running: HashMap<(u16, u32), Option<usize>>,
    list: Vec<(u16, Step)>,
    excess: Excess,
}

#[derive(Clone, Debug)]
enum Step {
    Span(Span),
    Process {
        image: Box<str>,
        source: &'static str,
        pid: u32,
        start: FileTime,
        end: Option<FileTime>,
        status: Option<u32>,
    },
    Slow(Slow),
}

impl Analysis for BootEach {
    type Fact = BootFact;
    type Row = BootEachRow;

    const JOINS_EVENTS: bool = true;

    fn interest() -> Interest {
        INTEREST
    }

    fn begin(_: &Trace) -> Result<Self> {
        Ok(Self::default())
    }

    fn is_answerable(trace: &Trace) -> bool {
        is_boot(trace)
    }

    fn fact(event: &Event<'_>) -> Option<BootFact> {
        BootFact::of(event)
    }

    fn step(&mut self, fact: BootFact, _: &Trace) {
        self.take(fact, true);
    }

    fn follow(&mut self, fact: BootFact, _: &Trace) {
        self.take(fact, false);
    }

    fn excess(&self) -> u64 {
        self.state.excess() + self.excess.count()
    }

    fn finish(mut self, trace: &Trace) -> Vec<BootEachRow> {
        let (open, booting) = std::mem::take(&mut self.state).into_open();
        for span in open {
            self.push_span(span);
        }
        let boots = BootTimes::of(trace);
        let is_kept = |(machine, step): &(u16, Step)| booting.contains(machine) || matches!(step, Step::Slow(_));
        let kept = self.list.into_iter().filter(is_kept);
        let mut rows: Vec<(u16, BootEachRow)> =
            kept.map(|(machine, step)| (machine, row(machine, step, &boots))).collect();
        rows.sort_by_key(|(machine, row)| (*machine, row.start.or(row.end)));
        rows.into_iter().map(|(_, row)| row).collect()
    }
}

impl BootEach {
    fn take(&mut self, fact: BootFact, is_chosen: bool) {
        self.state.note(&fact);
        let BootFact { time, machine, pid, tid, what } = fact;
        match what {
            What::Edge(edge) if edge.place.pair().role == Role::Step => {
                let ended = self.state.take((machine, time), Ids { pid, tid }, *edge, is_chosen);
                if let Some(span) = ended {
                    self.push_span(span);
                }
            }
            What::Started { image, source, .. } => self.start((machine, pid), (image, source), time, is_chosen),
            What::Ended { status } => self.end((machine, pid), time, status),
            What::Stated(stated) => {
                if let (Stated::Slow(slow), true) = (*stated, is_chosen) {
                    self.push((machine, Step::Slow(slow)));
                }
            }
            What::Edge(_) | What::Phase(_) => {}
        }
    }

    /// Takes the start of a process; the event of a second provider for the same start does not count.
    fn start(
        &mut self,
        (machine, pid): (u16, Option<u32>),
        (image, source): (Box<str>, &'static str),
        start: FileTime,
        is_chosen: bool,
    ) {
        let Some(pid) = pid else { return };
        if self.running.contains_key(&(machine, pid)) || !self.excess.admits(self.running.len(), MOST_OPEN) {
            return;
        }
        let place = self.list.len();
        if is_chosen {
            self.push((machine, Step::Process { image, source, pid, start, end: None, status: None }));
        }
        self.running.insert((machine, pid), (self.list.len() > place).then_some(place));
    }

    fn end(&mut self, (machine, pid): (u16, Option<u32>), time: FileTime, code: Option<u32>) {
        let place = pid.and_then(|pid| self.running.remove(&(machine, pid))).flatten();
        let step = place.and_then(|place| self.list.get_mut(place));
        if let Some((_, Step::Process { end, status, .. })) = step {
            (*end, *status) = (Some(time), code);
        }
    }

    fn push_span(&mut self, span: Span) {
        if span.is_chosen {
            self.push((span.machine, Step::Span(span)));
        }
    }

    fn push(&mut self, step: (u16, Step)) {
        if self.excess.admits(self.list.len(), MOST_EACH) {
            self.list.push(step);
        }
    }
}

fn row(machine: u16, step: Step, boots: &BootTimes) -> BootEachRow {
    let (step, name, pid, status, (start, end), source) = match step {
        Step::Span(Span { place, label, pid, start, end, status, .. }) => {
            (place.pair().task, label, pid, status, (start, end), place.source())
        }
        Step::Process { image, source, pid, start, end, status } => {
            ("Process", image, Some(pid), status, (Some(start), end), source.to_owned())
        }
        Step::Slow(slow) => {
            let (end, source) = (slow.end(), slow.source());
            ("Boot", slow.name, None, None, (slow.start, end), source)
        }
    };
    let name = Some(String::from(name)).filter(|name| !name.is_empty());
    BootEachRow {
        since_boot_ms: boots.since(machine, start),
        duration_ms: duration(start, end),
        start: start.map(Time),
        end: end.map(Time),
        step,
        name,
        pid,
        status,
        source,
    }
}
