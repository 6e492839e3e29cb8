//! What the exit code will be, and what is said about what is missing.

use std::collections::BTreeSet;
use std::process::ExitCode;

use clap::ValueEnum;
use etwkit::{Problem, Severity};

use crate::printer::Printer;
use crate::text::{counted, grouped};

/// The exit code; the worst one counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    /// Everything was delivered.
    #[default]
    Complete,
    /// Part could not be read, or a condition of `--fail-on` was met.
    Partial,
    /// Something could not be done at all.
    Failed,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(match status {
            Status::Complete => 0,
            Status::Partial => 1,
            Status::Failed => 2,
        })
    }
}

/// Conditions that make the exit code 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    /// The session lost events or buffers while it recorded
    Lost,
    /// Events without a schema, or with a field that does not fit it
    Undecoded,
    /// Bytes that could not be read (always on)
    Damaged,
}

/// The argument, shared by commands.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct FailOnArgs {
    /// Exit with 1 when this is found; several are joined by commas
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    pub(crate) fail_on: Vec<FailOn>,
}

/// Gaps that are listed one by one.
const LISTED: usize = 20;

/// Gathers what was found.
#[derive(Debug)]
pub(crate) struct Verdict {
    fail_on: Vec<FailOn>,
    status: Status,
}

impl Verdict {
    /// Nothing found yet.
    pub(crate) const fn new(fail_on: Vec<FailOn>) -> Self {
        Self { fail_on, status: Status::Complete }
    }

    /// An input that could not be opened.
    pub(crate) fn input_failed(&mut self) {
        self.status = Status::Failed;
    }

    /// Bytes that could not be read.
    pub(crate) fn damaged(&mut self) {
        self.status = self.status.max(Status::Partial);
    }

    /// Something that counts only if it was asked for.
    pub(crate) fn found(&mut self, what: FailOn) {
        if self.fail_on.contains(&what) {
            self.status = self.status.max(Status::Partial);
        }
    }

    /// The exit code.
    pub(crate) const fn status(&self) -> Status {
        self.status
    }

    /// Judges the problems of a trace and lists the damage; `name` tells the name of a problem's file.
    pub(crate) fn list(
        &mut self,
        problems: &[Problem],
        unlisted: u64,
        name: impl Fn(usize) -> String,
        printer: Printer,
    ) {
        let damage: Vec<&Problem> = problems.iter().filter(|p| p.severity == Severity::Damage).collect();
        if !damage.is_empty() || unlisted > 0 {
            self.damaged();
        }
        for problem in damage.iter().take(LISTED) {
            printer.warning(format_args!("{}: {}", name(problem.file), sentence(problem)));
        }
        let rest = damage.len().saturating_sub(LISTED) as u64 + unlisted;
        if rest > 0 {
            printer.warning(format_args!("and {} more like these", grouped(rest)));
        }
        self.list_losses(problems, name, printer);
    }

    /// What the capture lost, in one or two lines.
    fn list_losses(&mut self, problems: &[Problem], name: impl Fn(usize) -> String, printer: Printer) {
        let losses: Vec<&Problem> = problems.iter().filter(|p| p.severity == Severity::Loss).collect();
        let Some(first) = losses.first() else { return };
        self.found(FailOn::Lost);
        if losses.iter().all(|loss| loss.file == first.file) {
            for loss in losses {
                printer.note(format_args!("{}: {}", name(loss.file), loss.detail));
            }
        } else {
            let files: BTreeSet<usize> = losses.iter().map(|loss| loss.file).collect();
            printer.note(format_args!(
                "the sessions of {} files lost events while they recorded: see `etwkit info`",
                files.len()
            ));
        }
    }
}

/// A problem in words, with its place.
pub(crate) fn sentence(problem: &Problem) -> String {
    if problem.len == 0 && problem.offset == 0 {
        return format!("{}: {}", problem.kind, problem.detail);
    }
    let bytes = counted(problem.len, "byte");
    format!("{} at {:#x} ({}), {bytes}: {}", problem.kind, problem.offset, problem.offset, problem.detail)
}
