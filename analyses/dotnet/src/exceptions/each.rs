//! Each exception.

use etwkit_analysis::{Excess, Time};

use crate::declare::analysis;
use crate::processes::{Bounded, MOST, Processes};

use super::fact::{ExceptionFact, INTEREST};

etwkit_analysis::row! {
    /// An exception that was thrown.
    pub struct ExceptionEachRow {
        /// When, UTC.
        time: Time as Time,
        /// Process id.
        pid: Option<u32> as Id,
        /// File name of the image of the process.
        process: Option<String> as Text,
        /// Thread.
        tid: u32 as Id,
        /// Type.
        exception: String as Text,
        /// Message.
        message: String as Text,
        /// HRESULT, hexadecimal.
        hresult: Option<String> as Text,
        /// Whether it was thrown again.
        rethrown: bool as Text,
    }
}

/// The exceptions of a process.
#[derive(Clone, Debug, Default)]
pub(crate) struct List {
    facts: Vec<ExceptionFact>,
    excess: Excess,
}

impl Bounded for List {
    fn excess(&self) -> u64 {
        self.excess.count()
    }
}

impl List {
    fn take(&mut self, fact: ExceptionFact, _: bool) {
        if self.excess.admits(self.facts.len(), MOST) {
            self.facts.push(fact);
        }
    }
}

analysis! {
    /// Lists the exceptions in order of time.
    pub struct ExceptionsEach: ExceptionFact => List => ExceptionEachRow;
    interest INTEREST;
    joins false;
    rows rows;
}

fn rows(processes: Processes<List>) -> Vec<ExceptionEachRow> {
    let mut rows = Vec::new();
    for (owner, list) in processes.into_iter() {
        rows.extend(list.facts.into_iter().map(|fact| ExceptionEachRow {
            time: Time(fact.origin.time),
            pid: owner.pid,
            process: owner.name.clone(),
            tid: fact.origin.tid,
            rethrown: fact.is_thrown_again(),
            hresult: fact.hresult.map(|code| format!("0x{code:08x}")),
            exception: fact.kind.into(),
            message: fact.message.into(),
        }));
    }
    rows.sort_by_key(|row| row.time);
    rows
}
