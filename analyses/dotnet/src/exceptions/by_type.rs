//! Exceptions by type and message.

use std::collections::HashMap;

use etwkit_analysis::Excess;
use etwkit_kernel_analyses::OTHERS;

use crate::declare::analysis;
use crate::processes::{Bounded, MOST, Processes};

use super::fact::{ExceptionFact, INTEREST};

etwkit_analysis::row! {
    /// Exceptions of a process with the same type and message.
    pub struct ExceptionRow {
        /// Process id.
        pid: Option<u32> as Id,
        /// File name of its image.
        process: Option<String> as Text,
        /// Type.
        exception: String as Text,
        /// Message.
        message: String as Text,
        /// How often it was thrown, with those that were thrown again.
        count: u64 as Count,
        /// Those that were thrown again.
        rethrown: u64 as Count,
    }
}

/// The exceptions of a process, by type and message.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counts {
    by_type: HashMap<(Box<str>, Box<str>), (u64, u64)>,
    excess: Excess,
}

impl Bounded for Counts {
    fn excess(&self) -> u64 {
        self.excess.count()
    }
}

impl Counts {
    fn take(&mut self, fact: ExceptionFact, _: bool) {
        let is_again = u64::from(fact.is_thrown_again());
        let key = (fact.kind, fact.message);
        let has_room = self.by_type.contains_key(&key) || self.excess.admits(self.by_type.len(), MOST);
        // The types and messages of hostile traces may all differ.
        let key = if has_room { key } else { (OTHERS.into(), "".into()) };
        let (count, again) = self.by_type.entry(key).or_default();
        (*count, *again) = (*count + 1, *again + is_again);
    }
}

analysis! {
    /// Counts the exceptions of each process by type and message.
    pub struct ExceptionsByType: ExceptionFact => Counts => ExceptionRow;
    interest INTEREST;
    joins false;
    rows rows;
}

fn rows(processes: Processes<Counts>) -> Vec<ExceptionRow> {
    let mut rows = Vec::new();
    for (owner, counts) in processes.into_iter() {
        rows.extend(counts.by_type.into_iter().map(|((kind, message), (count, rethrown))| ExceptionRow {
            pid: owner.pid,
            process: owner.name.clone(),
            exception: kind.into(),
            message: message.into(),
            count,
            rethrown,
        }));
    }
    rows.sort_by(|a, b| {
        let by_name = || (a.pid, &a.exception, &a.message).cmp(&(b.pid, &b.exception, &b.message));
        b.count.cmp(&a.count).then_with(by_name)
    });
    rows
}
