//! Conditions on processes, for tables that are not made of events.

use etwkit::trace::{Filter, Glob};
use etwkit_analysis::Value;

use crate::analyses::Entry;

/// Chooses rows by their process.
#[derive(Debug)]
pub(super) struct OfProcesses {
    pids: Vec<u32>,
    names: Vec<Glob>,
    /// Places of the columns with id and name.
    columns: [usize; 2],
}

impl OfProcesses {
    /// Whether an analysis has rows that are of a process, and not of events.
    pub(super) fn applies_to(entry: &Entry) -> bool {
        !entry.reads_events && Self::columns(entry).is_some()
    }

    /// Takes the conditions on processes out of the filter of an analysis that they apply to; `None` if there are none.
    pub(super) fn take(entry: &Entry, filter: &mut Filter) -> Option<Self> {
        let columns = Self::columns(entry).filter(|_| !entry.reads_events)?;
        let (pids, names) = (std::mem::take(&mut filter.pids), std::mem::take(&mut filter.processes));
        (!pids.is_empty() || !names.is_empty()).then_some(Self { pids, names, columns })
    }

    /// Whether a row is of a process that is chosen.
    pub(super) fn has(&self, row: &[Value]) -> bool {
        let [pid, name] = self.columns.map(|column| row.get(column));
        let is_of = |known: &u32| matches!(pid, Some(Value::Integer(pid)) if *pid == i128::from(*known));
        let is_called = |glob: &Glob| matches!(name, Some(Value::Text(name)) if glob.matches(name));
        (self.pids.is_empty() || self.pids.iter().any(is_of))
            && (self.names.is_empty() || self.names.iter().any(is_called))
    }

    fn columns(entry: &Entry) -> Option<[usize; 2]> {
        let place = |name: &str| entry.columns.iter().position(|column| column.name == name);
        Some([place("pid")?, place("process")?])
    }
}
