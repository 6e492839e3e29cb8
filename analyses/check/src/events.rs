//! Whether the events fit together: times, descriptions, stacks.

use etwkit::trace::Trace;
use etwkit::{Result, Severity};

use crate::finding::Finding;

/// Looks at the counts of the first pass.
pub(crate) fn counts(trace: &Trace, findings: &mut Vec<Finding>) {
    for number in 0..trace.files().len() {
        let Some(inversions) = trace.counts(number).map(|counts| counts.time_inversions).filter(|count| *count > 0)
        else {
            continue;
        };
        let detail = format!("{inversions} events are earlier than the event before them in their buffer");
        let meaning = "the clock was set back, or the events were written by something else than Windows";
        findings.push(Finding::new(Severity::Note, "time-inversions", number, detail, meaning));
    }
    let (_, undecoded) = trace.decoded();
    if undecoded > 0 {
        let detail = format!("{undecoded} events have no description");
        let meaning = "their payloads are printed as bytes; `etwkit info` says what would describe them";
        findings.push(Finding::new(Severity::Note, "undecoded", 0, detail, meaning));
    }
}

/// Counts the stacks that belong to no event.
pub(crate) fn stacks(trace: &Trace, findings: &mut Vec<Finding>) -> Result<()> {
    let joins = trace.stack_joins()?;
    let orphans: u64 = joins.orphans.values().sum();
    if orphans > 0 {
        let reasons: Vec<String> =
            joins.orphans.iter().map(|(why, count)| format!("{count}: {}", why.reason())).collect();
        let detail = format!("{orphans} of {} stacks belong to no event ({})", joins.parts, reasons.join("; "));
        let meaning = "their events were lost, or written before the trace began";
        findings.push(Finding::new(Severity::Note, "stacks-without-event", 0, detail, meaning));
    }
    Ok(())
}
