//! What is wrong with a trace: listed up to a limit, then counted.

use crate::error::{Problem, Severity};
use crate::limits;

/// Problems of one step of the first pass.
#[derive(Debug, Default)]
pub(super) struct Problems {
    pub(super) listed: Vec<Problem>,
    /// How many more there are.
    pub(super) unlisted: u64,
    /// How many of those are damage.
    pub(super) unlisted_damage: u64,
}

impl Problems {
    /// Lists a problem, or counts it: then it is not made.
    pub(super) fn push(&mut self, severity: Severity, problem: impl FnOnce() -> Problem) {
        if self.listed.len() < limits::MAX_PROBLEMS {
            self.listed.push(problem());
        } else {
            self.unlisted += 1;
            self.unlisted_damage += u64::from(severity == Severity::Damage);
        }
    }

    /// Takes those of the next part of the same step.
    pub(super) fn absorb(&mut self, part: Self) {
        for problem in part.listed {
            self.push(problem.severity, || problem);
        }
        self.unlisted += part.unlisted;
        self.unlisted_damage += part.unlisted_damage;
    }

    /// Takes those of another step, which has a limit of its own.
    pub(super) fn append(&mut self, mut other: Self) {
        self.listed.append(&mut other.listed);
        self.unlisted += other.unlisted;
        self.unlisted_damage += other.unlisted_damage;
    }
}
