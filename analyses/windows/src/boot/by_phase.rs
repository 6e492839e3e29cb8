//! Phases of a boot.

use std::collections::BTreeMap;

use etwkit::FileTime;
use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::trace::Trace;
use etwkit_analysis::{Analysis, Excess, Interest, Time};

use super::fact::{BootFact, INTEREST, What, is_boot};
use super::pairs::{Place, Role};
use super::starts::Starts;
use super::state::{BootTimes, Ids, Span, State};
use super::stated::{Stated, duration};

etwkit_analysis::row! {
    /// A phase of a boot.
    pub struct BootRow {
        /// Task of the events, phase by processes, or field of a report.
        phase: String as Text,
        /// Time of the begin, UTC; absent if it began before the trace, or no event states when.
        start: Option<Time> as Time,
        /// Time of the end, UTC; absent if it is not in the trace, or no event states when.
        end: Option<Time> as Time,
        /// Milliseconds from the time of the boot, by the header, to the begin.
        since_boot_ms: Option<f64> as Milliseconds,
        /// Milliseconds.
        duration_ms: Option<f64> as Milliseconds,
        /// Events that decide: provider and ids.
        source: String as Text,
    }
}

/// Phases of the kernel, and reports, that are kept.
const MOST: usize = 1 << 10;

/// Lists the phases of boots in order of time. Of each phase the first one counts.
#[derive(Debug, Default)]
pub struct BootPhases {
    state: State,
    /// The first one of each phase.
    first: BTreeMap<(u16, Place), Span>,
    starts: Starts,
    /// Phases of the kernel: machine, time, number, whether the filter chooses the event.
    kernel: Vec<(u16, FileTime, i32, bool)>,
    stated: Vec<(u16, Stated)>,
    excess: Excess,
}

impl Analysis for BootPhases {
    type Fact = BootFact;
    type Row = BootRow;

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

    fn finish(mut self, trace: &Trace) -> Vec<BootRow> {
        let (open, booting) = std::mem::take(&mut self.state).into_open();
        for span in open {
            self.keep(span);
        }
        let boots = BootTimes::of(trace);
        let mut rows = self.timed(&boots);
        rows.retain(|(machine, _)| booting.contains(machine));
        rows.sort_by_key(|(machine, row)| (*machine, row.start.or(row.end)));
        let stated = self.stated.iter().flat_map(|(_, stated)| stated_rows(stated));
        rows.into_iter().map(|(_, row)| row).chain(stated).collect()
    }
}

impl BootPhases {
    fn take(&mut self, fact: BootFact, is_chosen: bool) {
        self.state.note(&fact);
        let BootFact { time, machine, pid, tid, what } = fact;
        match what {
            What::Edge(edge) if edge.place.pair().role != Role::Step => {
                let ended = self.state.take((machine, time), Ids { pid, tid }, *edge, is_chosen);
                if let Some(span) = ended {
                    self.keep(span);
                }
            }
            What::Started { landmark: Some(landmark), .. } => self.starts.take(machine, landmark, time, is_chosen),
            What::Phase(number) if self.excess.admits(self.kernel.len(), MOST) => {
                self.kernel.push((machine, time, number, is_chosen));
            }
            What::Stated(stated) if is_chosen && self.excess.admits(self.stated.len(), MOST) => {
                self.stated.push((machine, *stated));
            }
            _ => {}
        }
    }

    /// Keeps the first one of a phase.
    fn keep(&mut self, span: Span) {
        let began = |span: &Span| span.start.or(span.end);
        let first = self.first.entry((span.machine, span.place)).or_insert_with(|| span.clone());
        if began(&span) < began(first) {
            *first = span;
        }
    }

    /// Returns the rows of what has a time, each with the number of its machine.
    fn timed(&self, boots: &BootTimes) -> Vec<(u16, BootRow)> {
        let pairs = self.first.values().filter(|span| span.is_chosen).map(|span| {
            let (name, source) = (span.place.pair().task.to_owned(), span.place.source());
            (span.machine, (name, source), (span.start, span.end))
        });
        let starts =
            self.starts.phases(|machine| boots.get(machine)).into_iter().map(|phase| {
                (phase.machine, (phase.name.to_owned(), phase.source.to_owned()), (phase.start, phase.end))
            });
        let kernel =
            self.kernel.iter().enumerate().filter(|(_, phase)| phase.3).map(|(place, (machine, time, number, _))| {
                let next = self.kernel.iter().skip(place + 1).find(|next| next.0 == *machine).map(|next| next.1);
                (
                    *machine,
                    (format!("BootPhaseStart {number}"), "Process/BootPhaseStart".to_owned()),
                    (Some(*time), next),
                )
            });
        let row = |(machine, (phase, source), (start, end)): (u16, (String, String), Ends)| {
            let since_boot_ms = boots.since(machine, start);
            let duration_ms = duration(start, end);
            let (start, end) = (start.map(Time), end.map(Time));
            (machine, BootRow { phase, start, end, since_boot_ms, duration_ms, source })
        };
        pairs.chain(starts).chain(kernel).map(row).collect()
    }
}

/// Begin and end.
type Ends = (Option<FileTime>, Option<FileTime>);

/// Returns the rows of what an event states. Only the times of the whole boot are known.
fn stated_rows(stated: &Stated) -> Vec<BootRow> {
    let row = |phase: &str, duration_ms: Option<f64>| BootRow {
        phase: phase.to_owned(),
        start: None,
        end: None,
        since_boot_ms: None,
        duration_ms,
        source: stated.source(),
    };
    match stated {
        Stated::Loader(duration) => vec![row("OsLoader", *duration)],
        Stated::Slow(_) => Vec::new(),
        Stated::Report { span, durations } => {
            let mut rows: Vec<BootRow> = durations.iter().map(|(name, duration)| row(name, Some(*duration))).collect();
            if let (Some(first), Some((start, end))) = (rows.first_mut(), *span) {
                (first.start, first.end) = (Some(Time(start)), Some(Time(end)));
            }
            rows
        }
    }
}
