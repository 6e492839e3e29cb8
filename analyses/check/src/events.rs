//! Whether the events fit together: times, descriptions, processes, stacks.

use std::collections::BTreeSet;

use etwkit::render::grouped;
use etwkit::system::StackJoins;
use etwkit::trace::Trace;

use crate::finding::Finding;

/// Looks at the counts of the first pass.
pub(crate) fn counts(trace: &Trace, findings: &mut Vec<Finding>) {
    for (id, _) in trace.files_with_ids() {
        let Some(inversions) = trace.counts(id).map(|counts| counts.time_inversions).filter(|count| *count > 0) else {
            continue;
        };
        let one = "event is earlier than the event before it in its buffer";
        let detail = counted(inversions, one, "events are earlier than the event before them in their buffer");
        let meaning = "the clock was set back, or the events were written by something else than Windows";
        findings.push(Finding::new("time-inversions", id, detail, meaning));
    }
    let (_, undecoded) = trace.decoded();
    if undecoded > 0 {
        let detail = counted(undecoded, "event has no description", "events have no description");
        let meaning = "their payloads are printed as bytes; `etwkit info` lists what would describe them";
        findings.push(Finding::of_trace("undecoded", detail, meaning));
    }
}

/// What the processes of events and their stacks lack.
pub(crate) fn found(unknown: &UnknownProcesses, joins: &StackJoins, findings: &mut Vec<Finding>) {
    findings.extend(processes(unknown));
    findings.extend(stacks(joins));
}

/// Events of processes that no event names.
#[derive(Debug, Default)]
pub struct UnknownProcesses {
    events: u64,
    pids: BTreeSet<u32>,
}

impl UnknownProcesses {
    /// Counts an event of a process that no event names.
    pub(crate) fn add(&mut self, pid: u32) {
        self.events += 1;
        self.keep(pid);
    }

    /// Adds what another one found.
    pub(crate) fn join(&mut self, other: Self) {
        self.events += other.events;
        other.pids.into_iter().for_each(|pid| self.keep(pid));
    }

    fn keep(&mut self, pid: u32) {
        if self.pids.len() < MOST_PIDS {
            self.pids.insert(pid);
        }
    }
}

fn processes(UnknownProcesses { events, pids }: &UnknownProcesses) -> Option<Finding> {
    let more = if pids.len() < MOST_PIDS { "" } else { "at least " };
    let (about, pids) =
        (counted(*events, "event is", "events are"), counted(pids.len() as u64, "process", "processes"));
    let detail = format!("{about} of {more}{pids} that no event names");
    let meaning = "the trace has no rundown of processes, or not of these: their names are not known";
    (*events > 0).then(|| Finding::of_trace("unknown-processes", detail, meaning))
}

/// Returns a number and what it counts.
fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

/// Processes that are counted.
const MOST_PIDS: usize = 1 << 16;

/// The stacks that belong to no event.
fn stacks(joins: &StackJoins) -> Option<Finding> {
    let orphans: u64 = joins.orphans.values().sum();
    let reasons: Vec<String> =
        joins.orphans.iter().map(|(why, count)| format!("{}: {}", grouped(*count), why.reason())).collect();
    let (some, all) = (grouped(orphans), grouped(joins.parts));
    let detail = format!("{some} of {all} stacks belong to no event ({})", reasons.join("; "));
    let meaning = "their events were lost, written before the trace began, or left out of a copy";
    (orphans > 0).then(|| Finding::of_trace("stacks-without-event", detail, meaning))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_numbers_are_grouped() {
        let unknown = UnknownProcesses { events: 22_035, pids: BTreeSet::from([4]) };
        let detail = processes(&unknown).unwrap().detail;
        assert_eq!(detail, "22,035 events are of 1 process that no event names");
    }
}
