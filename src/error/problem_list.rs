//! What is wrong with a trace: listed up to a limit, then counted.

use crate::limits;

use super::{Problem, Severity};

/// Problems, listed up to [`limits::MAX_PROBLEMS`] and then counted: a crafted file has millions.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ProblemList {
    /// The first ones.
    pub listed: Vec<Problem>,
    /// How many more there are.
    pub unlisted: u64,
    /// How many of those are damage.
    pub unlisted_damage: u64,
}

impl ProblemList {
    /// Lists a problem, or counts it: then it is not made.
    pub fn push(&mut self, severity: Severity, problem: impl FnOnce() -> Problem) {
        if self.listed.len() < limits::MAX_PROBLEMS {
            self.listed.push(problem());
        } else {
            self.unlisted += 1;
            self.unlisted_damage += u64::from(severity == Severity::Damage);
        }
    }

    /// Takes those of the next part of the same work.
    pub fn absorb(&mut self, part: Self) {
        for problem in part.listed {
            self.push(problem.severity, || problem);
        }
        self.unlisted += part.unlisted;
        self.unlisted_damage += part.unlisted_damage;
    }

    /// Takes those of other work, which had a limit of its own.
    pub(crate) fn append(&mut self, mut other: Self) {
        self.listed.append(&mut other.listed);
        self.unlisted += other.unlisted;
        self.unlisted_damage += other.unlisted_damage;
    }
}

impl FromIterator<Problem> for ProblemList {
    fn from_iter<I: IntoIterator<Item = Problem>>(problems: I) -> Self {
        let mut list = Self::default();
        problems.into_iter().for_each(|problem| list.push(problem.severity, || problem));
        list
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ProblemKind;

    #[test]
    fn what_is_not_listed_is_counted() {
        let problem = || Problem::new(ProblemKind::BadEvent, "bytes");
        let mut list = ProblemList::default();
        (0..limits::MAX_PROBLEMS + 2).for_each(|_| list.push(Severity::Damage, problem));
        list.push(Severity::Note, || panic!("it is not made"));
        assert_eq!((list.listed.len(), list.unlisted, list.unlisted_damage), (limits::MAX_PROBLEMS, 3, 2));
        let mut all = ProblemList::default();
        all.push(Severity::Damage, problem);
        all.absorb(list);
        assert_eq!((all.listed.len(), all.unlisted, all.unlisted_damage), (limits::MAX_PROBLEMS, 4, 3));
    }
}
