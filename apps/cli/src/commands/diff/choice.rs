//! Which tables of two traces are compared, and why others are not.

use etwkit::trace::{Filter, RunOptions};
use etwkit_diff::Limit;

use crate::analyses::Entry;
use crate::session::Session;

/// What was asked for.
pub(super) struct Choice<'c> {
    pub(super) sessions: &'c [Session; 2],
    pub(super) options: &'c RunOptions,
    /// Names of tables; all if there are none.
    pub(super) only: &'c [String],
    pub(super) limits: &'c [Limit],
}

/// Why a table that is wanted is not compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Omission {
    /// Which traces have its events.
    Events([bool; 2]),
    /// Filters do not choose its rows.
    Filters,
}

impl Choice<'_> {
    /// Whether limits name a table. They take a trace without its events for one without rows.
    pub(super) fn is_limited(&self, table: &str) -> bool {
        self.limits.iter().any(|limit| limit.table() == table)
    }

    /// Whether a table is compared if both traces have its events.
    pub(super) fn is_wanted(&self, table: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|wanted| wanted == table) || self.is_limited(table)
    }

    /// Which traces have something.
    pub(super) fn answers(&self, has: impl Fn(&Session) -> bool) -> [bool; 2] {
        self.sessions.each_ref().map(has)
    }

    /// Why a table whose events these traces have is not compared.
    pub(super) fn omission(&self, table: &str, answers: [bool; 2]) -> Option<Omission> {
        (answers.contains(&false) && !self.is_limited(table)).then_some(Omission::Events(answers))
    }

    /// Why an analysis is not compared.
    pub(super) fn omission_of(&self, entry: &Entry) -> Option<Omission> {
        let filter = &self.options.filter;
        if *filter != Filter::default() && !entry.reads_events {
            return Some(Omission::Filters);
        }
        let takes = self.answers(|session| (entry.takes)(session.trace(), filter));
        self.omission(entry.name, self.answers(|session| (entry.is_answerable)(session.trace())))
            .or((takes.contains(&false) && !self.is_limited(entry.name)).then_some(Omission::Filters))
    }
}

impl Omission {
    /// What is said of tables. Of those that nobody named only what one of the traces has is said.
    fn reason(self, is_named: bool) -> Option<&'static str> {
        match self {
            Self::Events([false, false]) if is_named => Some("neither trace has the events for"),
            Self::Events([false, true]) => Some("the first trace does not have the events for"),
            Self::Events([true, false]) => Some("the second trace does not have the events for"),
            Self::Filters if is_named => Some("filters do not choose the rows of"),
            _ => None,
        }
    }
}

/// The reasons why tables are not compared, each with the names of its tables.
pub(super) fn reasons(omitted: &[(&'static str, Omission)], is_named: bool) -> Vec<String> {
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for (table, omission) in omitted {
        let Some(reason) = omission.reason(is_named) else { continue };
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, tables)) => tables.push(table),
            None => reasons.push((reason, vec![table])),
        }
    }
    reasons.into_iter().map(|(reason, tables)| format!("{reason} {}", tables.join(", "))).collect()
}
