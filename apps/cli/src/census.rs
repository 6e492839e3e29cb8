//! The first pass over what was typed.

use std::ops::ControlFlow;

use etwkit::Problem;
use etwkit::input::Input;
use etwkit::parser::Parsers;
use etwkit::trace::{Filter, RawTrace, Summary, TimeRange, Trace, TraceFile};

use crate::failure::Failure;
use crate::input::{InputArgs, Opened};
use crate::printer::Printer;
use crate::progress::Progress;
use crate::text::{counted, grouped};
use crate::verbose;
use crate::verdict::Verdict;

/// Reads all inputs as one trace; nothing if none could be opened. Besides: what was wrong with how they were packed.
pub(crate) fn read(
    input: &InputArgs,
    parsers: Parsers,
    printer: Printer,
    verdict: &mut Verdict,
) -> Result<(Option<Trace>, Vec<Problem>), Failure> {
    let mut damage = Vec::new();
    let mut sources = Vec::new();
    for (file, Opened { source, damage: wrong }) in input.all(verdict)?.into_iter().enumerate() {
        damage.extend(wrong.map(|problem| problem.of_file(file)));
        sources.push(source);
    }
    if sources.is_empty() {
        return Ok((None, damage));
    }
    let bytes = sources.iter().map(Input::len).sum();
    let mut progress = Progress::reading(printer);
    let trace = RawTrace::open_all(sources)?;
    let trace = trace.decode_with(parsers, &mut |done| {
        progress.at(done, bytes);
        ControlFlow::Continue(())
    })?;
    progress.at(bytes, bytes);
    progress.finish();
    verbose::census(&trace, printer);
    Ok((Some(trace), damage))
}

/// Refuses conditions on times where events have none: they would neither be met nor not.
pub(crate) fn check_times(trace: &Trace, filter: &Filter) -> Result<(), Failure> {
    let clockless = |file: &&TraceFile| file.head.clock.filetime(file.head.clock.zero()).is_none();
    match trace.files().iter().find(clockless) {
        Some(file) if filter.time != TimeRange::default() => {
            Err(Failure::new("--since and --until need times, and its clock is not known: its header cannot be read")
                .of(file.source.name())
                .hint("leave them out, or leave out this file; `--where` takes conditions on all else"))
        }
        _ => Ok(()),
    }
}

/// Says so if the trace has events and no one of them met the conditions.
pub(crate) fn nothing_passed(trace: &Trace, summary: &Summary, printer: Printer) {
    let total = trace.events_total();
    if summary.events == 0 && total > 0 {
        let events = counted(total, "event");
        printer.note(format_args!("none of {events} meets the conditions: `etwkit count` tells what there is"));
    }
}

/// Providers that are listed.
const LISTED: usize = 20;

/// Why a command has nothing to do, and what is there instead.
pub(crate) fn none_of(trace: &Trace, what: &str) -> Failure {
    let mut providers: Vec<(u64, String)> = trace
        .by_provider()
        .into_iter()
        .map(|(guid, count)| (count.events, count.name.unwrap_or_else(|| guid.to_string())))
        .collect();
    providers.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    providers.dedup_by(|a, b| a.1 == b.1);
    let known: Vec<String> =
        providers.iter().take(LISTED).map(|(events, name)| format!("{name} ({})", counted(*events, "event"))).collect();
    let more = providers.len().saturating_sub(LISTED);
    let more = if more > 0 { format!(", and {} more", grouped(more as u64)) } else { String::new() };
    let there = if known.is_empty() { "none but the kernel's".to_owned() } else { known.join(", ") + &more };
    Failure::new(what).hint(format!("the providers there are: {there}"))
}

/// Says on stderr what is wrong with the files.
pub(crate) fn report(trace: &Trace, damage: &[Problem], verdict: &mut Verdict, printer: Printer) {
    let name = |file: usize| trace.files().get(file).map(|file| file.source.name().to_owned()).unwrap_or_default();
    let problems: Vec<Problem> = damage.iter().chain(trace.problems()).cloned().collect();
    verdict.list(&problems, trace.unlisted_damage(), name, printer);
}
