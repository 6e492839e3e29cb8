//! One run over the inputs as one trace: open, census, checks, run, finish.
//!
//! | file | does |
//! |---|---|
//! | `inputs` | opens the inputs; one that cannot be opened is reported, and the rest goes on |
//! | `census` | the first pass |
//! | `census_details` | what `--verbose` states about it |
//! | `no_events` | why no event passes |
//! | `compared_kinds`, `double_names` | warnings about numbers compared with text, names with one meaning or two |
//! | `unknown_fields`, `unmatched_values` | warnings about names that were typed and that the trace does not have |
//! | `progress_sink` | the second pass with a progress bar |
//! | `findings` | what was found on the way, and the exit code that follows from it |

mod census;
mod census_details;
mod compared_kinds;
mod double_names;
mod findings;
mod inputs;
mod no_events;
mod partial_copies;
mod progress_sink;
mod unknown_fields;
mod unmatched_values;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::mem::ManuallyDrop;

use etwkit::FileId;
use etwkit::FileTime;
use etwkit::Problem;
use etwkit::parser::Parsers;
use etwkit::render::time::push_event_time;
use etwkit::sink::Sink;
use etwkit::trace::{Filter, RunOptions, Summary, TimeRange, Trace, TraceFile};

use crate::args::{FailOn, FailOnArgs, ZoneArgs};
use crate::code_names::CodeNames;
use crate::exit_status::Status;
use crate::failure::Failure;
use crate::input::InputArgs;
use crate::printer::Printer;
use crate::rows::Column;
use crate::selectors;
use crate::text::{counted, grouped};

pub(crate) use census::read;
pub(crate) use findings::Findings;
pub(crate) use inputs::{all_inputs, for_each_input};
pub(crate) use unknown_fields::TypedNames;

/// The inputs of a command, opened as one trace after its first pass.
#[derive(Debug)]
pub(crate) struct Session {
    trace: Trace,
    /// What is wrong with the archives that the inputs came from.
    archive_problems: Vec<Problem>,
    /// What names native code, if stacks are kept.
    code_names: Option<CodeNames>,
    findings: Findings,
    printer: Printer,
    is_reported: bool,
}

impl Session {
    /// Opens the inputs and runs the first pass. Fails with [`Failure::Reported`] if no input can be opened.
    pub(crate) fn open(
        input: &InputArgs,
        parsers: Parsers,
        fail_on: FailOnArgs,
        printer: Printer,
    ) -> Result<Self, Failure> {
        Self::open_by(RunOptions::default().threads, input, parsers, fail_on, printer)
    }

    /// As [`Session::open`], with so many threads.
    pub(crate) fn open_by(
        threads: usize,
        input: &InputArgs,
        parsers: Parsers,
        fail_on: FailOnArgs,
        printer: Printer,
    ) -> Result<Self, Failure> {
        let mut findings = Findings::new(fail_on, printer);
        let opened = all_inputs(input, &mut findings)?;
        if opened.is_empty() {
            return Err(Failure::Reported);
        }
        let (trace, archive_problems) = read(opened, parsers, threads, printer)?;
        Ok(Self { trace, archive_problems, code_names: None, findings, printer, is_reported: false })
    }

    /// States at the end what symbol files were found.
    pub(crate) fn with_code_names(self, code_names: Option<CodeNames>) -> Self {
        Self { code_names, ..self }
    }

    /// The trace.
    pub(crate) const fn trace(&self) -> &Trace {
        &self.trace
    }

    /// Writes messages to stderr.
    pub(crate) const fn printer(&self) -> Printer {
        self.printer
    }

    /// Refuses conditions on times where events have none: they would neither be met nor not.
    pub(crate) fn check_times(&self, filter: &Filter) -> Result<(), Failure> {
        let clockless = |file: &&TraceFile| !file.head.clock.is_known();
        match self.trace.files().iter().find(clockless) {
            Some(file) if filter.time != TimeRange::default() => {
                let why = if file.head.is_missing() {
                    "its header cannot be read"
                } else {
                    "its header states no clock that is known"
                };
                let message = format!("--since, --until and --time need times, and its clock is not known: {why}");
                Err(Failure::new(message)
                    .of(file.source.name())
                    .hint("leave them out, or leave out this file; `--where` takes all other conditions"))
            }
            _ => Ok(()),
        }
    }

    /// Warns of names in options and in the filter that no event of the trace has, and of what else looks unintended in
    /// them. Refuses names in options that mean the same.
    pub(crate) fn check_names(&self, options: &[TypedNames<'_>], filter: &Filter) -> Result<(), Failure> {
        self.check_names_beside(&[], options, filter)
    }

    /// As [`Session::check_names`], where conditions may be about columns: one of these may be meant.
    pub(crate) fn check_names_beside(
        &self,
        columns: &[Column],
        options: &[TypedNames<'_>],
        filter: &Filter,
    ) -> Result<(), Failure> {
        options.iter().try_for_each(|typed| double_names::refuse(&self.trace, *typed))?;
        let condition = selectors::of_condition(filter.expression.as_ref());
        let typed: Vec<_> = options.iter().copied().chain([(unknown_fields::WHERE, &*condition)]).collect();
        for names in &typed {
            double_names::note(&self.trace, *names, self.printer);
        }
        unknown_fields::check(&self.trace, &typed, columns, self.printer);
        unmatched_values::check(&self.trace, filter, self.printer);
        compared_kinds::check(&self.trace, filter.expression.as_ref(), self.printer);
        Ok(())
    }

    /// Says that the times of a performance log are local, where times or a zone were typed.
    pub(crate) fn check_local_times(&self, range: &TimeRange, zone: &ZoneArgs) {
        if !self.trace.has_local_times() {
            return;
        }
        let digits = |time: FileTime| {
            let mut text = Vec::new();
            push_event_time(&mut text, time, true);
            String::from_utf8_lossy(&text).into_owned()
        };
        for (side, time) in [("not before", range.since), ("not after", range.until)] {
            if let Some(time) = time {
                let time = digits(time);
                self.printer
                    .note(format_args!("times of a performance log are local to its machine: {side} {time} there"));
            }
        }
        if zone.is_other_zone() {
            self.printer.note("times of a performance log are local to its machine: --time-zone does not change them");
        }
    }

    /// Hands all events that pass the filter to a sink, with a progress bar.
    pub(crate) fn run<S: Sink>(&self, options: &RunOptions, sink: &mut S) -> Result<Summary, Failure> {
        progress_sink::run(&self.trace, options, sink, self.printer)
    }

    /// Whether `--fail-on` names a finding.
    pub(crate) fn fails_on(&self, what: FailOn) -> bool {
        self.findings.fails_on(what)
    }

    /// Notes a finding that changes the exit code only if `--fail-on` names it.
    pub(crate) fn found(&mut self, what: FailOn) {
        self.findings.found(what);
    }

    /// Notes that part of the data could not be read.
    pub(crate) const fn found_damage(&mut self) {
        self.findings.found_damage();
    }

    /// Says what had no room, and notes that the output is not complete: no command keeps more than it has a cap for,
    /// whatever the trace contains.
    pub(crate) fn left_out(&mut self, count: u64, what: &str, how: &str) {
        if count > 0 {
            self.printer.warning(format_args!("{} {how}", counted(count, what)));
            self.found_damage();
        }
    }

    /// As [`Session::left_out`], of a table's rows.
    pub(crate) fn left_out_of_table(&mut self, table: &str, count: u64) {
        let how = format!("had no room in the table {table}: left out or added up as (all others); filter for fewer");
        self.left_out(count, "thing", &how);
    }

    /// Notes the events of a run that could not be decoded in full, and returns how many there are.
    pub(crate) fn found_undecoded(&mut self, summary: &Summary) -> u64 {
        let undecoded = summary.undecoded + summary.misfits + summary.cut;
        if undecoded > 0 {
            self.found(FailOn::Undecoded);
        }
        undecoded
    }

    /// Notes the events of the whole trace that have no schema, for a command that does not decode each event that passes.
    pub(crate) fn found_undecoded_in_trace(&mut self) {
        let (_, undecoded) = self.trace.decoded();
        if undecoded > 0 {
            if self.fails_on(FailOn::Undecoded) {
                self.printer().note(format_args!("{} of the trace have no schema", counted(undecoded, "event")));
            }
            self.found(FailOn::Undecoded);
        }
    }

    /// Writes to stderr what is wrong with the files, unless that is done.
    pub(crate) fn report_problems(&mut self) {
        if std::mem::replace(&mut self.is_reported, true) {
            return;
        }
        let name = |id: FileId| self.trace.file(id).map(|file| file.source.name().to_owned()).unwrap_or_default();
        let changes = self.trace.changes();
        let known = self.archive_problems.iter().chain(self.trace.problems()).chain(&changes);
        let problems: Vec<Problem> = known.cloned().collect();
        self.findings.list(&problems, self.trace.unlisted_damage(), name);
    }

    /// As [`Session::report_problems`], and a note if the trace has events but none passed the filter.
    pub(crate) fn report_run(&mut self, summary: &Summary, options: &RunOptions) {
        self.report_problems();
        if summary.events == 0 && self.trace.events_total() > 0 {
            self.printer.note(no_events::why_none(&self.trace, options));
        }
    }

    /// Says which files have only some events of a trace, where results need all of them.
    pub(crate) fn say_partial_copies(&self) -> Result<(), Failure> {
        for (file, filter) in partial_copies::list(&self.trace)? {
            self.printer.note(format_args!(
                "{file}: a copy by `etwkit relog` of the events that pass `{filter}`: results that need all events, \
                 such as times of threads, waits and garbage collections, are of these alone"
            ));
        }
        Ok(())
    }

    /// Why a window of time has no event of the trace, if it lies before or after all of them.
    pub(crate) fn outside(&self, range: &TimeRange) -> Option<String> {
        no_events::outside(&self.trace, range).map(|reason| format!("of all events, {reason}"))
    }

    /// The same, to be added to a note; empty if that is not the reason.
    pub(crate) fn why_outside(&self, range: &TimeRange) -> String {
        self.outside(range).map(|reason| format!(": {reason}")).unwrap_or_default()
    }

    /// Reports problems, and returns the failure of a command that found nothing to work on, with the providers of the
    /// trace as hint.
    pub(crate) fn nothing_to_do(mut self, what: &str) -> Failure {
        self.report_problems();
        Failure::new(what).hint(format!("the providers there are: {}", providers(&self.trace)))
    }

    /// What is wrong with the archives that the inputs came from.
    pub(crate) fn archive_problems(&self) -> &[Problem] {
        &self.archive_problems
    }

    /// Returns the exit code, for a command that prints the problems itself.
    pub(crate) const fn finish_reported(&self) -> Status {
        self.findings.status()
    }

    /// Reports problems, and returns the exit code. What is known of the trace is not freed: the program is about to
    /// end, and the system takes back all memory at once.
    pub(crate) fn finish(mut self) -> Status {
        self.report_problems();
        if let Some(names) = &self.code_names {
            names.say_found(self.printer);
        }
        let Self { trace, findings, .. } = self;
        let _ = ManuallyDrop::new(trace);
        findings.status()
    }
}

/// Providers that are listed.
const LISTED: usize = 20;

/// The providers with most events.
fn providers(trace: &Trace) -> String {
    // Classes of classic events have a GUID each, and the name of their provider.
    let mut by_name: BTreeMap<String, u64> = BTreeMap::new();
    for (guid, count) in trace.by_provider() {
        *by_name.entry(count.name.unwrap_or_else(|| guid.to_string())).or_default() += count.events;
    }
    let mut providers: Vec<(u64, String)> = by_name.into_iter().map(|(name, events)| (events, name)).collect();
    providers.sort_by_key(|(events, _)| Reverse(*events));
    let known: Vec<String> =
        providers.iter().take(LISTED).map(|(events, name)| format!("{name} ({})", counted(*events, "event"))).collect();
    let more = providers.len().saturating_sub(LISTED);
    let more = if more > 0 { format!(", and {} more", grouped(more as u64)) } else { String::new() };
    if known.is_empty() { "none but the kernel's".to_owned() } else { known.join(", ") + &more }
}
