//! A check as a sink.

use std::cmp::Reverse;
use std::ops::ControlFlow;

use etwkit::FileId;
use etwkit::Result;
use etwkit::decode::{Attribution, Event, Fit, PendingEvent};
use etwkit::event::RawEvent;
use etwkit::output::PerProcess;
use etwkit::sink::{Sink, Worker};
use etwkit::system::System;
use etwkit::trace::{FoundStacks, StackJoinWorker, StackJoiner, Trace};

use crate::events::UnknownProcesses;
use crate::headers::{self, HeaderEvents};
use crate::{Finding, Report, buffers, events, session};

/// Checks a trace in a run over all of its events: a sink, for programs that read them anyway.
/// [`check`](crate::check()) drives a run of its own.
#[derive(Debug)]
pub struct Checker<'t> {
    trace: &'t Trace,
    unknown: UnknownProcesses,
    headers: HeaderEvents,
    joiner: StackJoiner<'t>,
}

impl<'t> Checker<'t> {
    /// Begins. The run must have no filter.
    pub fn new(trace: &'t Trace) -> Self {
        let (unknown, headers) = <_>::default();
        Self { trace, unknown, headers, joiner: StackJoiner::new(trace) }
    }

    /// Returns what was found, after the run.
    pub fn finish(self) -> Report {
        let Self { trace, unknown, headers, joiner } = self;
        let mut findings: Vec<Finding> = trace.problems().iter().map(Finding::from).collect();
        session::check(trace, &mut findings);
        buffers::check(trace, &mut findings);
        let unlisted = trace.unlisted_problems() + headers::check(trace, headers, &mut findings);
        events::counts(trace, &mut findings);
        events::found(&unknown, &joiner.finish(), &mut findings);
        findings.extend(trace.changes().iter().map(Finding::from));
        if trace.files().len() == 1 {
            for finding in &mut findings {
                finding.file = Some(FileId::FIRST);
            }
        }
        findings.sort_by_key(|finding| (Reverse(finding.severity), finding.file, finding.place));
        Report { findings, unlisted, events: trace.events_total() }
    }
}

impl Sink for Checker<'_> {
    type Worker = CheckWorker;

    fn worker(&self) -> CheckWorker {
        let (unknown, headers, is_named) = <_>::default();
        CheckWorker { unknown, headers, is_named, stacks: self.joiner.worker() }
    }

    fn accept(
        &mut self,
        (unknown, headers, stacks): (UnknownProcesses, HeaderEvents, FoundStacks),
    ) -> Result<ControlFlow<()>> {
        self.unknown.join(unknown);
        self.headers.join(headers);
        self.joiner.accept(stacks)
    }
}

/// Looks at the events of one thread.
#[derive(Debug)]
pub struct CheckWorker {
    unknown: UnknownProcesses,
    headers: HeaderEvents,
    /// Whether the processes of the last events have names.
    is_named: PerProcess<bool>,
    stacks: StackJoinWorker,
}

impl Worker for CheckWorker {
    type Batch = (UnknownProcesses, HeaderEvents, FoundStacks);

    fn event(&mut self, event: &Event<'_>) -> Result<()> {
        self.attributed((event.raw(), event.system()), event.attribution());
        self.stacks.event(event)
    }

    fn pending(&mut self, pending: &mut PendingEvent<'_>) -> Result<Option<Fit>> {
        let whose = pending.attributed();
        self.attributed((pending.raw(), pending.system()), whose);
        self.stacks.attributed(pending, whose);
        Ok(None)
    }

    fn take(&mut self) -> Self::Batch {
        (std::mem::take(&mut self.unknown), std::mem::take(&mut self.headers), self.stacks.take())
    }
}

impl CheckWorker {
    /// Takes an event of a system that is attributed to a process.
    fn attributed(&mut self, event: (&RawEvent<'_>, &System), whose: Attribution) {
        self.headers.take(event.0);
        // Process 0 is the idle process.
        let Some(pid) = whose.pid.filter(|pid| *pid != 0) else { return };
        if self.is_named.of(pid, event, |name| name.is_some()) == Some(&false) {
            self.unknown.add(pid);
        }
    }
}
