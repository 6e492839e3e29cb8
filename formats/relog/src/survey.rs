//! What is known of the wanted events before the copy is made, because what belongs to them may come before them.

use std::collections::BTreeSet;

use etwkit::Trace;
use etwkit::decode::Event;
use etwkit::event::{ExtendedItem, RawEvent};
use etwkit::trace::{Filter, Order};

use crate::error::Result;
use crate::hashes::Hashes;

/// Facts about the wanted events of a trace.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    /// Their times, which stack walks name.
    pub(crate) times: Hashes,
    /// The numbers by which they carry a part of their stack; another event carries the other part.
    pub(crate) numbers: Hashes,
    /// The processes in which their frames lie; `None` if these are too many, or if the filter takes all processes.
    pub(crate) processes: Option<BTreeSet<u32>>,
}

/// Processes of stacks that are told apart.
const MOST_PROCESSES: usize = 256;

impl Survey {
    /// Reads the events that pass a filter, unless the trace has no stacks but those that are whole in their event.
    pub(crate) fn of(trace: &Trace, filter: &Filter) -> Result<Self> {
        let mut found = Self { processes: has_processes(filter).then(BTreeSet::new), ..Self::default() };
        if trace.systems().iter().all(|system| system.stacks.is_empty()) {
            return Ok(found);
        }
        let (mut events, mut frames) = (trace.events_in(Order::File, filter), Vec::new());
        while let Some(event) = events.next()? {
            found.add(&event, &mut frames);
        }
        Ok(found)
    }

    fn add(&mut self, event: &Event<'_>, frames: &mut Vec<u64>) {
        self.times.insert(event.raw().time().0.cast_unsigned());
        numbers(event.raw()).for_each(|number| self.numbers.insert(number));
        let Some(processes) = &mut self.processes else { return };
        processes.extend(event.stack(frames).and_then(|stack| stack.pid));
        if processes.len() > MOST_PROCESSES {
            self.processes = None;
        }
    }
}

/// Returns whether a filter chooses processes.
pub(crate) const fn has_processes(filter: &Filter) -> bool {
    !filter.pids.is_empty() || !filter.processes.is_empty()
}

/// Returns the numbers by which an event carries parts of stacks.
pub(crate) fn numbers(event: &RawEvent<'_>) -> impl Iterator<Item = u64> {
    event.extended().filter_map(ExtendedItem::stack).map(|stack| stack.match_id).filter(|number| *number != 0)
}
