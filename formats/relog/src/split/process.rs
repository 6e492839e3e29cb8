//! Files for processes, whose ids Windows gives to others after their end.

use std::collections::BTreeMap;

use etwkit::trace::Filter;
use etwkit::{FileTime, Trace};

use super::parts::{MOST_PARTS, Part, Parts, TOO_MANY, refused};
use super::time::within;
use crate::clocks::FilterClocks;
use crate::error::Result;

/// A process that an event is about.
#[derive(Debug)]
struct Found {
    label: String,
    /// The time of its start, the earliest of all if it ran before the trace; `None` if no event states what it is.
    start: Option<FileTime>,
    /// The time of its first event, as a filter sees it.
    first: Option<FileTime>,
}

/// Plans a file for each process.
pub(super) fn by_process(trace: &Trace, filter: &Filter) -> Result<Parts> {
    let clocks = FilterClocks::new(trace);
    let mut found: BTreeMap<u32, Vec<Found>> = BTreeMap::new();
    let (mut count, mut left_out) = (0, 0);
    let mut events = trace.select(filter);
    while let Some(event) = events.next()? {
        let Some(pid) = event.pid() else {
            left_out += 1;
            continue;
        };
        let of_pid = found.entry(pid).or_default();
        let start =
            event.system().process_at(pid, event.raw()).map(|process| process.start.unwrap_or(FileTime(i64::MIN)));
        let time = clocks.time(event.raw());
        if of_pid.last_mut().is_none_or(|last| !last.takes(start, time)) {
            let label = event.process_name().unwrap_or_default().to_owned();
            of_pid.push(Found { label, start, first: time });
            count += 1;
        }
        if count > MOST_PARTS {
            return Err(refused(trace, TOO_MANY));
        }
    }
    let list = found.into_iter().flat_map(|(pid, list)| parts(filter, pid, list)).collect();
    Ok(Parts { list, left_out })
}

impl Found {
    /// Takes the next event of the same id, by the start of its process and its own time; returns `false` if it is about
    /// another process that a filter can tell apart from this one, by the time.
    fn takes(&mut self, start: Option<FileTime>, time: Option<FileTime>) -> bool {
        if self.start.is_some() && start > self.start && time > self.first {
            return false;
        }
        self.start = self.start.or(start);
        true
    }
}

/// Makes the parts of the processes of an id: each from its first event until the one of the next. The first one has all
/// that is before, the last one all that is after it.
fn parts(filter: &Filter, pid: u32, list: Vec<Found>) -> Vec<Part> {
    let filter = filter.clone().pids([pid]);
    let starts: Vec<Option<FileTime>> = list.iter().map(|found| found.first).collect();
    let part = |(place, found): (usize, Found)| {
        let since = found.first.filter(|_| place > 0);
        let until = starts.get(place + 1).copied().flatten().map(|next| FileTime(next.0.saturating_sub(1)));
        Part { label: found.label, pid: Some(pid), filter: filter.clone().time(within(&filter, since, until)) }
    };
    list.into_iter().enumerate().map(part).collect()
}
