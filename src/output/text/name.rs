//! Names of events in little room.

use crate::decode::Event;
use crate::render::terminal;

/// What the names of most providers of Windows begin with.
const COMMON: [&str; 3] = ["Microsoft-Windows-", "Microsoft.Windows.", "Microsoft-"];

/// The least of a provider's name that says anything.
const LEAST: usize = 6;

/// Returns provider and event in at most `most` characters: without what the names of most providers begin with, without
/// a provider that the event's own name begins with (and without the kernel, whose classes are known), else with the end
/// of the provider's name, else without it. Safe to print to a terminal.
pub(super) fn short_name(event: &Event<'_>, most: usize) -> String {
    let is_of_kernel = event.schema().is_some() && event.raw().hook().is_some();
    let provider = if is_of_kernel { "" } else { event.provider() };
    joined(&terminal::escaped(provider), &terminal::escaped(event.name()), most)
}

fn joined(provider: &str, name: &str, most: usize) -> String {
    let short = COMMON.iter().find_map(|prefix| provider.strip_prefix(prefix)).filter(|rest| !rest.is_empty());
    let provider = short.unwrap_or(provider);
    let room = most.saturating_sub(name.chars().count() + 1);
    if name.starts_with(provider) || room < LEAST.min(provider.chars().count()) {
        return middle(name, most);
    }
    format!("{}/{name}", end(provider, room))
}

/// Returns the end of a text.
pub(super) fn end(text: &str, most: usize) -> String {
    let len = text.chars().count();
    if len <= most {
        return text.to_owned();
    }
    std::iter::once('…').chain(text.chars().skip(len + 1 - most)).collect()
}

/// Returns the beginning of a text.
pub(super) fn beginning(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}

/// Returns a text without its middle.
fn middle(text: &str, most: usize) -> String {
    let len = text.chars().count();
    if len <= most {
        return text.to_owned();
    }
    let (head, tail) = (most / 2, most - most / 2 - 1);
    text.chars().take(head).chain(['…']).chain(text.chars().skip(len - tail)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_what_says_least() {
        for (provider, name, short) in [
            ("Synth.Cafe", "CoffeeOrder/Start", "Synth.Cafe/CoffeeOrder/Start"),
            ("Microsoft-Windows-Kernel-Process", "ProcessStart/Start", "…el-Process/ProcessStart/Start"),
            ("Microsoft-Windows-Kernel-Power", "Wake", "Kernel-Power/Wake"),
            ("PerformanceLog", "PerformanceLog/Counters", "PerformanceLog/Counters"),
            ("", "DiskIO/Read", "DiskIO/Read"),
            ("Some-Provider", "ALongTaskNameOf/ALongOpcode", "ALongTaskNameOf/ALongOpcode"),
            ("Some-Provider", "AVeryLongTaskName/AVeryLongOpcode", "AVeryLongTaskNa…VeryLongOpcode"),
        ] {
            let found = joined(provider, name, 30);
            assert!(found.chars().count() <= 30, "{found}");
            assert_eq!(found, short);
        }
    }

    #[test]
    fn texts_are_cut_where_they_say_least() {
        assert_eq!((end("abcdef", 4), end("abc", 4)), ("…def".to_owned(), "abc".to_owned()));
        assert_eq!((beginning("abcdef", 4), middle("abcdefgh", 5)), ("abc…".to_owned(), "ab…gh".to_owned()));
    }
}
