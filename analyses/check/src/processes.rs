//! Processes that no event names.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use etwkit::decode::{Attribution, Event, Fit, PendingEvent};
use etwkit::event::RawEvent;
use etwkit::sink::{Sink, Worker};
use etwkit::system::System;
use etwkit::trace::{Order, RunOptions, Trace};
use etwkit::{Result, Severity};

use crate::finding::Finding;

/// Processes that are counted.
const MOST_PIDS: usize = 1 << 16;

/// Reads all events: which processes no event names.
pub(crate) fn unnamed(trace: &Trace, findings: &mut Vec<Finding>) -> Result<()> {
    let mut all = Nameless::default();
    trace.run(&RunOptions::default().order(Order::File), &mut all)?;
    let Nameless { events, pids } = all;
    if events > 0 {
        let more = if pids.len() < MOST_PIDS { "" } else { "at least " };
        let detail = format!("{events} events are of {more}{} processes that no event names", pids.len());
        let meaning = "the trace has no rundown of processes, or not of these: their names are not known";
        findings.push(Finding::new(Severity::Note, "unknown-processes", 0, detail, meaning));
    }
    Ok(())
}

/// Events of processes without a name.
#[derive(Debug, Default)]
struct Nameless {
    events: u64,
    pids: BTreeSet<u32>,
}

impl Nameless {
    fn see(&mut self, raw: &RawEvent<'_>, system: &System, whose: Attribution) {
        // Process 0 is the idle process.
        if let Some(pid) = whose.pid.filter(|pid| *pid != 0 && system.process_name_at(*pid, raw).is_none()) {
            self.add(1, [pid]);
        }
    }

    fn add(&mut self, events: u64, pids: impl IntoIterator<Item = u32>) {
        self.events += events;
        for pid in pids {
            if self.pids.len() < MOST_PIDS {
                self.pids.insert(pid);
            }
        }
    }
}

impl Sink for Nameless {
    type Worker = Self;

    fn worker(&self) -> Self {
        Self::default()
    }

    fn accept(&mut self, Self { events, pids }: Self) -> Result<ControlFlow<()>> {
        self.add(events, pids);
        Ok(ControlFlow::Continue(()))
    }
}

impl Worker for Nameless {
    type Batch = Self;

    fn event(&mut self, event: &Event<'_>) -> Result<()> {
        self.see(event.raw(), event.system(), event.attribution());
        Ok(())
    }

    fn pending(&mut self, pending: &mut PendingEvent<'_>) -> Result<Option<Fit>> {
        let whose = pending.attributed();
        self.see(pending.raw(), pending.system(), whose);
        Ok(None)
    }

    fn take(&mut self) -> Self {
        std::mem::take(self)
    }
}
