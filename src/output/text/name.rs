//! Names of events in little room.

use std::collections::BTreeSet;

use crate::bytes::Guid;
use crate::decode::Event;
use crate::render::terminal;

/// What the names of most providers of Windows begin with.
const COMMON: [&str; 3] = ["Microsoft-Windows-", "Microsoft.Windows.", "Microsoft-"];

/// The least of a provider's name that states anything.
const LEAST: usize = 6;
/// The digits at the beginning and the end of a GUID that stand for it.
const HEAD: usize = 8;
const TAIL: usize = 4;

/// Returns provider and event in at most `most` characters: without what the names of most providers begin with,
/// without a provider that the event's own name begins with (and without the kernel, whose classes are known), else
/// with the end of the provider's name, else without it. A GUID in place of a name keeps its first digits, and its last
/// ones if `tails`, as others have the same first ones. Safe to print to a terminal.
pub(super) fn short_name(event: &Event<'_>, most: usize, tails: bool) -> String {
    let is_of_kernel = event.schema().is_some() && event.raw().hook().is_some();
    let provider = if is_of_kernel { "" } else { event.provider() };
    joined(&terminal::escaped(provider), &terminal::escaped(event.name()), most, tails)
}

fn joined(provider: &str, name: &str, most: usize, tails: bool) -> String {
    let short = COMMON.iter().find_map(|prefix| provider.strip_prefix(prefix)).filter(|rest| !rest.is_empty());
    let provider = short.unwrap_or(provider);
    let room = most.saturating_sub(name.chars().count() + 1);
    if let Some(guid) = short_guid(provider, tails, room).filter(|_| room < provider.len()) {
        return format!("{guid}/{}", middle(name, most.saturating_sub(guid.chars().count() + 1)));
    }
    if name.starts_with(provider) || room < LEAST.min(provider.chars().count()) {
        return middle(name, most);
    }
    format!("{}/{name}", end(provider, room))
}

/// Returns the digits of a GUID that stand for it: `5e7a1000…`; with its tail `5e7a1000…0006`, in little room
/// `5e7a…0006`.
fn short_guid(provider: &str, tails: bool, room: usize) -> Option<String> {
    let digits = provider.trim_matches(['{', '}']);
    digits.parse::<Guid>().ok()?;
    let tail = digits.get(digits.len().checked_sub(TAIL)?..).filter(|_| tails).unwrap_or_default();
    let head = if tails && room <= HEAD + TAIL { HEAD / 2 } else { HEAD };
    Some(format!("{}…{tail}", digits.get(..head)?))
}

/// Returns whether two GUIDs in place of names begin with the same digits.
pub(super) fn share_heads(providers: impl Iterator<Item = String>) -> bool {
    let guids: BTreeSet<Guid> = providers.filter_map(|name| name.parse().ok()).collect();
    let heads: BTreeSet<u32> = guids.iter().filter_map(|guid| guid.to_string().get(..HEAD).and_then(head)).collect();
    heads.len() < guids.len()
}

fn head(digits: &str) -> Option<u32> {
    u32::from_str_radix(digits, 16).ok()
}

/// Returns the end of a text.
pub(super) fn end(text: &str, most: usize) -> String {
    let len = text.chars().count();
    if len <= most {
        return text.to_owned();
    }
    std::iter::once('…').chain(text.chars().skip(len + 1 - most)).collect()
}

/// Appends the beginning of a text, and returns how many characters it has.
pub(super) fn push_beginning(out: &mut Vec<u8>, text: &str, most: usize) -> usize {
    let len = text.chars().count();
    if len <= most {
        out.extend_from_slice(text.as_bytes());
        return len;
    }
    let cut = text.char_indices().nth(most.saturating_sub(1)).map_or(0, |(at, _)| at);
    out.extend_from_slice(text.as_bytes().get(..cut).unwrap_or_default());
    out.extend_from_slice("…".as_bytes());
    most.max(1)
}

/// Returns a text without its middle.
pub(in crate::output) fn middle(text: &str, most: usize) -> String {
    let len = text.chars().count();
    if len <= most {
        return text.to_owned();
    }
    let head = most / 2;
    let tail = most.saturating_sub(head + 1);
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
            let found = joined(provider, name, 30, false);
            assert!(found.chars().count() <= 30, "{found}");
            assert_eq!(found, short);
        }
    }

    #[test]
    fn guids_keep_what_tells_them_apart() {
        let (one, other) = ("5e7a1000-0006-4b1d-9c0d-e7a51d0c0006", "5e7a1000-0007-4b1d-9c0d-e7a51d0c0007");
        assert_eq!(joined(one, "EventID(7)", 30, false), "5e7a1000…/EventID(7)");
        assert_eq!(joined(one, "EventID(7)", 30, true), "5e7a1000…0006/EventID(7)");
        assert_eq!(joined(one, "AVeryLongTaskName/AVeryLongOpcode", 30, false), "5e7a1000…/AVeryLongT…ongOpcode");
        assert_eq!(joined(one, "EventID(7)", 22, true), "5e7a…0006/EventID(7)");
        assert_eq!(joined(one, "EventID(7)", 47, false), format!("{one}/EventID(7)"));
        let share = |names: &[&str]| share_heads(names.iter().map(ToString::to_string));
        assert!(share(&[one, other]) && !share(&[one, one, "Name"]));
    }

    #[test]
    fn texts_are_cut_where_they_say_least() {
        assert_eq!((end("abcdef", 4), end("abc", 4)), ("…def".to_owned(), "abc".to_owned()));
        let mut out = b"x".to_vec();
        assert_eq!(push_beginning(&mut out, "äbcdef", 4), 4);
        assert_eq!((&*out, &*middle("abcdefgh", 5)), ("xäbc…".as_bytes(), "ab…gh"));
        assert_eq!(
            [("ab", 2), ("ab", 1), ("ab", 0)].map(|(text, most)| push_beginning(&mut out, text, most)),
            [2, 1, 1]
        );
    }
}
