//! What the header of a file states of its session and cannot be right.

use etwkit::format::ClockType;
use etwkit::trace::{Trace, TraceFile};

use crate::finding::Finding;

/// Looks at the clock, the start and the end in each header.
pub(crate) fn check(trace: &Trace, findings: &mut Vec<Finding>) {
    for (number, file) in trace.files_with_ids().filter(|(_, file)| !file.head.is_missing()) {
        let mut note = |kind, detail, meaning| findings.push(Finding::new(kind, number, detail, meaning));
        if let Some(detail) = unknown_clock(file) {
            note("unknown-clock", detail, "times count ticks: no event has a date, and no duration is known");
        } else if let Some(detail) = start(file) {
            note("session-times", detail, "times of events may be wrong, and so may the duration of the session");
        }
        if let Some(detail) = end(file) {
            note("session-times", detail, "the duration of the session is not known");
        }
    }
}

fn unknown_clock(file: &TraceFile) -> Option<String> {
    let clock = &file.head.clock;
    if clock.is_known() {
        return None;
    }
    Some(match clock.kind() {
        ClockType::QPC | ClockType::SYSTEM | ClockType::CYCLES => {
            format!("the header states a clock of {} ticks per second", clock.frequency())
        }
        ClockType(kind) => format!("the header states clock {kind}, which is not known"),
    })
}

/// Copies of traces whose header cannot be read have one without a start, too.
fn start(file: &TraceFile) -> Option<String> {
    (file.head.log.start_time.0 <= 0).then(|| "the header states no start of the session".to_owned())
}

/// The end is 0 where the session was not stopped.
fn end(file: &TraceFile) -> Option<String> {
    let log = &file.head.log;
    let is_before = log.end_time.0 != 0 && log.end_time < log.start_time;
    is_before.then(|| "the header states an end before the start".to_owned())
}
