//! Which events are wanted, by their headers.

use crate::bytes::Guid;
use crate::event::{KeyId, RawEvent};

use super::Census;

/// Conditions on the header; an event must meet all that are set. Lists are alternatives.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Providers by name or GUID text, with `*` and `?`; without regard to case.
    pub providers: Vec<Glob>,
    /// Event ids (message numbers for WPP).
    pub ids: Vec<u16>,
    /// Event names (`Task/Opcode`), with `*` and `?`.
    pub names: Vec<Glob>,
    /// Most verbose level: 0 (log always) and this one and below.
    pub level: Option<u8>,
    /// Any of these keyword bits; events without keywords pass, as in a session.
    pub keywords: Option<u64>,
    /// Process ids.
    pub pids: Vec<u32>,
    /// Thread ids.
    pub tids: Vec<u32>,
    /// Processors.
    pub processors: Vec<u16>,
    /// Time window.
    pub time: TimeRange,
}

/// A window of time, FILETIME UTC or 100 ns units from the trace's start; both ends belong to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeRange {
    /// Not before this FILETIME.
    pub since: Option<i64>,
    /// Not after this FILETIME.
    pub until: Option<i64>,
    /// Not before this many units from the start.
    pub from_start: Option<i64>,
    /// Not after this many units from the start.
    pub to_start: Option<i64>,
}

/// A pattern with `*` (any text) and `?` (any character), compared without regard to ASCII case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glob {
    pattern: Box<[char]>,
}

impl Glob {
    /// A pattern.
    pub fn new(pattern: &str) -> Self {
        Self { pattern: pattern.chars().map(|c| c.to_ascii_lowercase()).collect() }
    }

    /// Whether all of `text` matches.
    pub fn matches(&self, text: &str) -> bool {
        let text: Vec<char> = text.chars().map(|c| c.to_ascii_lowercase()).collect();
        let (mut p, mut t) = (0, 0);
        let mut star = None;
        while t < text.len() {
            match self.pattern.get(p) {
                Some('*') => {
                    star = Some((p, t));
                    p += 1;
                }
                Some(c) if *c == '?' || Some(c) == text.get(t) => (p, t) = (p + 1, t + 1),
                // Let the last star take one character more.
                _ => match star {
                    Some((at, from)) => {
                        star = Some((at, from + 1));
                        (p, t) = (at + 1, from + 1);
                    }
                    None => return false,
                },
            }
        }
        self.pattern.get(p..).is_some_and(|rest| rest.iter().all(|c| *c == '*'))
    }

    /// Whether a provider of this name and GUID is meant; the GUID may be written with or without braces.
    fn matches_provider(&self, name: Option<&str>, guid: Guid) -> bool {
        name.is_some_and(|name| self.matches(name))
            || self.matches(&guid.to_string())
            || self.matches(&format!("{guid:#}"))
    }
}

/// A filter made ready for one trace: names are resolved to keys, so that an event costs a few comparisons.
#[derive(Debug)]
pub(super) struct Accept {
    keys: Option<Box<[bool]>>,
    filter: Filter,
    headers: bool,
}

impl Accept {
    pub(super) fn new(filter: &Filter, census: &Census) -> Self {
        let by_key = !(filter.providers.is_empty() && filter.ids.is_empty() && filter.names.is_empty());
        let keys = by_key.then(|| census.keys().map(|(id, _)| takes_key(filter, census, id)).collect());
        let headers = filter.level.is_some()
            || filter.keywords.is_some()
            || !(filter.pids.is_empty() && filter.tids.is_empty() && filter.processors.is_empty());
        Self { keys, filter: filter.clone(), headers }
    }

    /// Only events that a parser learns from.
    pub(super) fn teachers(census: &Census) -> Self {
        let keys = Some(census.keys().map(|(_, key)| key.teaches).collect());
        Self { keys, filter: Filter::default(), headers: false }
    }

    /// Whether every event is taken.
    #[inline]
    pub(super) const fn takes_all(&self) -> bool {
        self.keys.is_none() && !self.headers
    }

    /// Whether an event is taken; `key` is asked only if that depends on it.
    #[inline]
    pub(super) fn takes(&self, event: &RawEvent<'_>, key: impl FnOnce() -> Option<KeyId>) -> bool {
        if let Some(keys) = &self.keys {
            let known = key().and_then(|key| keys.get(key.0 as usize));
            if !known.copied().unwrap_or(false) {
                return false;
            }
        }
        !self.headers || self.takes_header(event)
    }

    fn takes_header(&self, event: &RawEvent<'_>) -> bool {
        let f = &self.filter;
        f.level.is_none_or(|level| event.level() <= level)
            && f.keywords.is_none_or(|mask| event.keywords() == 0 || event.keywords() & mask != 0)
            && (f.processors.is_empty() || f.processors.contains(&event.processor()))
            && (f.pids.is_empty() || event.pid().is_some_and(|pid| f.pids.contains(&pid)))
            && (f.tids.is_empty() || event.tid().is_some_and(|tid| f.tids.contains(&tid)))
    }
}

fn takes_key(filter: &Filter, census: &Census, id: KeyId) -> bool {
    let Some(key) = census.key(id) else { return false };
    let name = census.provider_name(id);
    let guid = census.provider_guid(id);
    let provider = filter.providers.is_empty()
        || filter
            .providers
            .iter()
            .any(|glob| glob.matches_provider(name.as_deref(), guid) || glob.matches_provider(None, key.key.provider));
    let event_name = || census.schema(id).and_then(|schema| schema.names().full()).unwrap_or_default();
    provider
        && (filter.ids.is_empty() || filter.ids.contains(&key.key.id))
        && (filter.names.is_empty() || filter.names.iter().any(|glob| glob.matches(&event_name())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs() {
        let yes = |p: &str, t: &str| assert!(Glob::new(p).matches(t), "{p} {t}");
        let no = |p: &str, t: &str| assert!(!Glob::new(p).matches(t), "{p} {t}");
        yes("*", "");
        yes("gc/*", "GC/Start");
        yes("*kernel*file", "Microsoft-Windows-Kernel-File");
        yes("a?c*", "abc");
        no("a?c", "ac");
        no("gc", "GC/Start");
        no("*x", "abc");
    }
}
