//! Events counted in groups: `count`, and `dump --count` and `--group-by`.

use std::io::Write;

use etwkit::output::{Group, Groups, Tally};
use etwkit::select::Selector;
use etwkit::trace::RunOptions;

use crate::exit_status::Status;
use crate::failure::Failure;
use crate::group_table::{self, GroupFormat};
use crate::output::Output;
use crate::selectors;
use crate::session::Session;
use crate::text::{counted, grouped};

/// What is counted, and how it is shown.
#[derive(Debug)]
pub(crate) struct GroupCounts {
    keys: Vec<Selector>,
    format: GroupFormat,
    /// Only the largest groups.
    top: Option<usize>,
}

impl GroupCounts {
    /// In groups of equal values of these; one group of all events if there are none.
    pub(crate) fn by(keys: &[String], format: GroupFormat, top: Option<usize>) -> Result<Self, Failure> {
        Ok(Self { keys: selectors::distinct(OPTION, keys)?, format, top })
    }

    /// Counts, prints, says what is missing, and ends the session.
    pub(crate) fn run(self, mut session: Session, options: &RunOptions, output: &Output) -> Result<Status, Failure> {
        session.check_names(&[(OPTION, &self.keys)], &options.filter);
        let titles: Vec<String> = self.keys.iter().map(ToString::to_string).collect();
        let mut out = output.open(session.trace())?;
        let mut tally = Tally::new(self.keys)?;
        let summary = session.run(options, &mut tally)?;
        let groups = tally.into_groups();
        if groups.other > 0 {
            let events = counted(groups.other, "event");
            let printer = session.printer();
            printer.note(format_args!("{events} are of more groups than are counted one by one: see `other`"));
        }
        match (titles.is_empty(), self.format) {
            (true, GroupFormat::Text) => writeln!(out, "{}", summary.events)?,
            (true, format) => group_table::print(&titles, &all(summary.events), format, &mut out)?,
            (false, format) => group_table::print(&titles, &largest(groups, self.top), format, &mut out)?,
        }
        out.flush()?;
        session.report_run(&summary);
        let undecoded = session.found_undecoded(&summary);
        if undecoded > 0 {
            let events = counted(summary.events, "event");
            session.printer().note(format_args!("{} of {events} could not be decoded in full", grouped(undecoded)));
        }
        Ok(session.finish())
    }
}

/// The option that takes keys.
const OPTION: &str = "--group-by";

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
