//! What was found in the inputs, and the exit code that follows from it.

use std::collections::BTreeSet;

use etwkit::FileId;
use etwkit::{Problem, Severity};

use crate::args::{FailOn, FailOnArgs};
use crate::exit_status::Status;
use crate::printer::Printer;
use crate::problem_text::sentence;
use crate::text::grouped;

/// Ranges that are listed one by one.
const LISTED: usize = 20;

/// Collects what was found.
#[derive(Debug)]
pub(crate) struct Findings {
    fail_on: Vec<FailOn>,
    status: Status,
    printer: Printer,
}

impl Findings {
    /// Nothing found yet.
    pub(crate) fn new(fail_on: FailOnArgs, printer: Printer) -> Self {
        Self { fail_on: fail_on.fail_on, status: Status::Complete, printer }
    }

    /// Says something to know.
    pub(super) fn note(&self, text: &str) {
        self.printer.note(text);
    }

    /// Notes an input that could not be opened.
    pub(crate) const fn input_failed(&mut self) {
        self.status = Status::Failed;
    }

    /// Notes bytes that could not be read.
    pub(crate) const fn found_damage(&mut self) {
        if matches!(self.status, Status::Complete) {
            self.status = Status::Partial;
        }
    }

    /// Whether `--fail-on` names it.
    pub(crate) fn fails_on(&self, what: FailOn) -> bool {
        self.fail_on.contains(&what)
    }

    /// Notes something that counts only if `--fail-on` names it.
    pub(crate) fn found(&mut self, what: FailOn) {
        if self.fails_on(what) {
            self.found_damage();
        }
    }

    /// The exit code.
    pub(crate) const fn status(&self) -> Status {
        self.status
    }

    /// Judges the problems of a trace and lists the damage; `name` returns the name of a problem's file.
    pub(crate) fn list(&mut self, problems: &[Problem], unlisted: u64, name: impl Fn(FileId) -> String) {
        let damage: Vec<&Problem> = problems.iter().filter(|p| p.severity == Severity::Damage).collect();
        if !damage.is_empty() || unlisted > 0 {
            self.found_damage();
        }
        for problem in damage.iter().take(LISTED) {
            self.printer.warning(format_args!("{}: {}", name(problem.file), sentence(problem)));
        }
        let rest = damage.len().saturating_sub(LISTED) as u64 + unlisted;
        if rest > 0 {
            self.printer.warning(format_args!("and {} more like these", grouped(rest)));
        }
        self.list_losses(problems, name);
    }

    /// What the capture lost, in one or two lines.
    fn list_losses(&mut self, problems: &[Problem], name: impl Fn(FileId) -> String) {
        let losses: Vec<&Problem> = problems.iter().filter(|p| p.severity == Severity::Loss).collect();
        let Some(first) = losses.first() else { return };
        self.found(FailOn::Lost);
        if losses.iter().all(|loss| loss.file == first.file) {
            for loss in losses {
                self.printer.note(format_args!("{}: {}", name(loss.file), loss.detail));
            }
        } else {
            let files: BTreeSet<FileId> = losses.iter().map(|loss| loss.file).collect();
            self.printer.note(format_args!(
                "the sessions of {} files lost events while they recorded: see `etwkit info`",
                files.len()
            ));
        }
    }
}
