//! A filter in words, for the note in a copy.

use std::fmt::Display;

use etwkit::FileTime;
use etwkit::render::time::push_event_time;
use etwkit::trace::Filter;

/// Describes a filter; empty if it has no condition.
pub(super) fn filter(filter: &Filter) -> String {
    let mut parts = Vec::new();
    list(&mut parts, "provider", &filter.providers);
    list(&mut parts, "provider", &filter.provider_guids);
    list(&mut parts, "id", &filter.ids);
    list(&mut parts, "event", &filter.names);
    list(&mut parts, "level", &levels(filter));
    list(&mut parts, "keyword", &filter.keywords.map(|mask| format!("{mask:#x}")).into_iter().collect::<Vec<_>>());
    list(&mut parts, "pid", &filter.pids);
    list(&mut parts, "process", &filter.processes);
    list(&mut parts, "tid", &filter.tids);
    list(&mut parts, "cpu", &filter.processors);
    list(&mut parts, "since", &filter.time.since.map(time).into_iter().collect::<Vec<_>>());
    list(&mut parts, "until", &filter.time.until.map(time).into_iter().collect::<Vec<_>>());
    let seconds = |span: std::time::Duration| format!("+{}s", span.as_secs_f64());
    list(&mut parts, "since", &filter.time.since_offset.map(seconds).into_iter().collect::<Vec<_>>());
    list(&mut parts, "until", &filter.time.until_offset.map(seconds).into_iter().collect::<Vec<_>>());
    list(&mut parts, "where", filter.expression.as_slice());
    parts.join("; ")
}

/// The most verbose level, and what passes beside it: level 0 and events without a level.
fn levels(filter: &Filter) -> Vec<String> {
    let Some(most) = filter.level else { return Vec::new() };
    let zero = Some("0").filter(|_| filter.level_zero && most > 0);
    let none = Some("none").filter(|_| filter.level_zero);
    std::iter::once(most.to_string()).chain(zero.into_iter().chain(none).map(str::to_owned)).collect()
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

    #[test]
    fn a_level_says_what_passes_beside_it() {
        let some = Filter::default().level(3).level_zero(true).keywords(0x10);
        assert_eq!(filter(&some), "level 3, 0, none; keyword 0x10");
        assert_eq!(filter(&Filter::default().level(0).level_zero(true)), "level 0, none");
        // Without a level, all pass.
        assert_eq!(filter(&Filter::default().level_zero(true)), "");
    }
}
