//! Events counted in groups: `count`, and `dump --count` and `--group-by`.

use std::io::Write;

use etwkit::output::{Group, Groups, Tally};
use etwkit::select::Selector;
use etwkit::trace::{RunOptions, Summary, Trace};

use crate::census;
use crate::counted::drive;
use crate::failure::Failure;
use crate::meant;
use crate::names;
use crate::output::Output;
use crate::printer::Printer;
use crate::table;
use crate::text::{counted, grouped};
use crate::verdict::{FailOn, Verdict};

/// What is counted, and how it is shown.
#[derive(Debug)]
pub(crate) struct Counting {
    keys: Vec<Selector>,
    format: table::Format,
    /// Only the largest groups.
    top: Option<usize>,
}

impl Counting {
    /// In groups of equal values of these; one group of all events if there are none.
    pub(crate) fn by(keys: &[String], format: table::Format, top: Option<usize>) -> Result<Self, Failure> {
        Ok(Self { keys: names::distinct(OPTION, keys)?, format, top })
    }

    /// Counts, prints, and says what is missing.
    pub(crate) fn run(
        self,
        trace: &Trace,
        options: &RunOptions,
        output: &Output,
        printer: Printer,
    ) -> Result<Summary, Failure> {
        let condition = names::of_condition(options.filter.expression.as_ref());
        names::check(trace, &[(OPTION, &self.keys), ("--where", &condition)], printer);
        meant::check(trace, &options.filter, printer);
        let titles: Vec<String> = self.keys.iter().map(ToString::to_string).collect();
        let mut out = output.open(trace)?;
        let mut tally = Tally::new(self.keys)?;
        let summary = drive(trace, options, &mut tally, printer)?;
        let groups = tally.into_groups();
        if groups.other > 0 {
            let events = counted(groups.other, "event");
            printer.note(format_args!("{events} are of more groups than are counted one by one: see `other`"));
        }
        match (titles.is_empty(), self.format) {
            (true, table::Format::Text) => writeln!(out, "{}", summary.events)?,
            (true, format) => table::print(&titles, &all(summary.events), format, &mut out)?,
            (false, format) => table::print(&titles, &largest(groups, self.top), format, &mut out)?,
        }
        out.flush()?;
        Ok(summary)
    }
}

/// The option that takes keys.
const OPTION: &str = "--group-by";

/// Says on stderr which of the events that were counted could not be decoded.
pub(crate) fn report(trace: &Trace, summary: &Summary, verdict: &mut Verdict, printer: Printer) {
    census::nothing_passed(trace, summary, printer);
    let undecoded = summary.undecoded + summary.misfits + summary.cut;
    if undecoded > 0 {
        verdict.found(FailOn::Undecoded);
        let events = counted(summary.events, "event");
        printer.note(format_args!("{} of {events} could not be decoded in full", grouped(undecoded)));
    }
}

/// One group, also of no events.
fn all(events: u64) -> Groups {
    Groups::new(vec![Group::new([], events)])
}

/// The first of a list that is sorted; what is left out goes with the others.
fn largest(mut groups: Groups, top: Option<usize>) -> Groups {
    let left_out = groups.list.split_off(top.unwrap_or(usize::MAX).min(groups.list.len()));
    groups.other += left_out.iter().map(|group| group.events).sum::<u64>();
    groups
}
