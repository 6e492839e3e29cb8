//! Looking for a text, part by part.

use etwkit::Result;
use regex::{Regex, RegexBuilder};
use serde_json::value::RawValue;

use crate::members::{Members, plain};
use crate::source::Source;

/// A text that is looked for.
#[derive(Clone, Debug)]
pub(crate) struct Needle {
    pub(crate) text: String,
    pattern: Regex,
    /// The text is in JSON as it is, so that a line without it needs no second look.
    is_literal: bool,
}

/// A search that is going on.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    pub(crate) needle: Needle,
    pub(crate) is_forward: bool,
    /// The event to begin after.
    from: u64,
    /// The part to look at next; `None` before the first one when it goes back.
    part: Option<usize>,
}

/// How far a search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    Row(u64),
    /// There is more to look at.
    NotYet,
    /// The list must be read on before.
    Behind,
    Nothing,
}

impl Needle {
    pub(crate) fn new(text: &str) -> Option<Self> {
        let pattern = RegexBuilder::new(&regex::escape(text)).case_insensitive(true).build().ok()?;
        let is_plain = |c: char| matches!(c, ' '..='~') && !matches!(c, '"' | '\\' | '/');
        Some(Self { text: text.to_owned(), pattern, is_literal: text.chars().all(is_plain) })
    }

    /// Whether a value of the event has the text: its names do not count.
    pub(crate) fn is_in(&self, json: &str) -> bool {
        if self.is_literal && !self.pattern.is_match(json) {
            return false;
        }
        let members = serde_json::from_str::<Members>(json).unwrap_or_default();
        members.0.iter().any(|(name, value)| match name.as_str() {
            "fields" => Members::of(value).0.iter().any(|(_, value)| self.is_in_value(value)),
            _ => self.is_in_value(value),
        })
    }

    fn is_in_value(&self, value: &RawValue) -> bool {
        self.pattern.is_match(&plain(value))
    }
}

impl Search {
    /// Looks for the next or the previous event with the text, from the event of a number on.
    pub(crate) fn new(needle: Needle, is_forward: bool, from: u64, source: &Source<'_>) -> Self {
        Self { needle, is_forward, from, part: Some(source.list.part_of(from)) }
    }

    /// Looks at one part.
    pub(crate) fn step(&mut self, source: &Source<'_>) -> Result<Found> {
        let Some(part) = self.part else { return Ok(Found::Nothing) };
        if part >= source.list.parts_read() && !source.is_read() {
            return Ok(Found::Behind);
        }
        if self.is_forward && part >= source.part_count() {
            return Ok(Found::Nothing);
        }
        let mut found = None;
        source.each_line(part, |number, json| {
            let is_wanted = if self.is_forward { found.is_none() && number > self.from } else { number < self.from };
            if is_wanted && self.needle.is_in(json) {
                found = Some(number);
            }
        })?;
        self.part = if self.is_forward { Some(part + 1) } else { part.checked_sub(1) };
        Ok(found.map_or(Found::NotYet, Found::Row))
    }

    /// The part of the trace that it looks at next.
    pub(crate) fn part(&self) -> usize {
        self.part.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_searched_and_names_are_not() {
        let json = r#"{"provider":"A","fields":{"Path":"C:\\Windows\\é","N":17}}"#;
        let is_in = |text: &str| Needle::new(text).unwrap().is_in(json);
        assert!(is_in("c:\\windows\\") && is_in("É") && is_in("17") && is_in("a") && is_in("wind"));
        assert!(!is_in("provider") && !is_in("path") && !is_in("fields") && !is_in("c:\\\\") && !is_in("x.*"));
    }
}
