//! A filter in words, for the note in a copy.

use std::fmt::Display;

use etwkit::FileTime;
use etwkit::render::time::push_event_time;
use etwkit::trace::Filter;

/// Describes a filter; empty if it has no condition.
pub(super) fn filter(filter: &Filter) -> String {
    let mut parts = Vec::new();
    list(&mut parts, "provider", &filter.providers);
    list(&mut parts, "id", &filter.ids);
    list(&mut parts, "event", &filter.names);
    list(&mut parts, "level", filter.level.as_slice());
    list(&mut parts, "keyword", &filter.keywords.map(|mask| format!("{mask:#x}")).into_iter().collect::<Vec<_>>());
    list(&mut parts, "pid", &filter.pids);
    list(&mut parts, "process", &filter.processes);
    list(&mut parts, "tid", &filter.tids);
    list(&mut parts, "cpu", &filter.processors);
    list(&mut parts, "since", &filter.time.since.map(time).into_iter().collect::<Vec<_>>());
    list(&mut parts, "until", &filter.time.until.map(time).into_iter().collect::<Vec<_>>());
    let seconds = |span: std::time::Duration| format!("+{}s", span.as_secs_f64());
    list(&mut parts, "since", &filter.time.from_start.map(seconds).into_iter().collect::<Vec<_>>());
    list(&mut parts, "until", &filter.time.to_start.map(seconds).into_iter().collect::<Vec<_>>());
    list(&mut parts, "where", filter.expression.as_slice());
    parts.join("; ")
}

fn list<T: Display>(parts: &mut Vec<String>, name: &str, values: &[T]) {
    if !values.is_empty() {
        let values: Vec<String> = values.iter().map(ToString::to_string).collect();
        parts.push(format!("{name} {}", values.join(", ")));
    }
}

fn time(time: FileTime) -> String {
    let mut text = Vec::new();
    push_event_time(&mut text, time, false);
    String::from_utf8_lossy(&text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_listed() {
        assert_eq!(filter(&Filter::default()), "");
        let some = Filter::default().pids([4, 8]).level(2);
        assert_eq!(filter(&some), "level 2; pid 4, 8");
    }
}
