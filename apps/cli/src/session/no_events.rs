//! Why no event passes the conditions.

use etwkit::FileTime;
use etwkit::render::time::push_event_time;
use etwkit::trace::{RunOptions, TimeRange, Trace};

use crate::text::counted;

/// The reason, as far as it is known.
pub(super) fn why_none(trace: &Trace, options: &RunOptions) -> String {
    let wanted = [("--first", options.first), ("--last", options.last)];
    if let Some((option, _)) = wanted.into_iter().find(|(_, wanted)| *wanted == Some(0)) {
        return format!("{option} 0 leaves no event");
    }
    let events = counted(trace.events_total(), "event");
    match outside(trace, &options.filter.time) {
        Some(reason) => format!("none of {events}: {reason}"),
        None => format!("none of {events} meets the conditions: `etwkit count` lists the events"),
    }
}

/// The reason, if a window of time begins after the last event or ends before the first one.
pub(super) fn outside(trace: &Trace, range: &TimeRange) -> Option<String> {
    let (first, last) = trace.first_and_last()?;
    let start = trace.start()?;
    let (from, until) = range.bounds(Some(start));
    let shown = |time: FileTime| {
        let mut text = Vec::new();
        push_event_time(&mut text, time, trace.has_local_times());
        let seconds = crate::time_text::seconds(time.0.saturating_sub(start.0));
        format!("{} ({seconds:+.7}s)", String::from_utf8_lossy(&text))
    };
    if from.is_some_and(|from| from > last) {
        return Some(format!("the last one is at {}, before the time that is wanted", shown(last)));
    }
    let is_before = until.is_some_and(|until| until < first);
    is_before.then(|| format!("the first one is at {}, after the time that is wanted", shown(first)))
}
