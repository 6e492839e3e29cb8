//! A regular expression that is tried where there is a hint at it.

use regex::bytes::{Captures, Match, Regex};

use super::hints::Hint;
use super::view::View;

/// A regular expression, and the hint that every text has which it matches.
#[derive(Debug)]
pub(super) struct Pattern {
    regex: Regex,
    hint: Hint,
}

impl Pattern {
    /// Compiles an expression.
    pub(super) fn new(regex: &str, hint: Hint) -> Option<Self> {
        Some(Self { regex: Regex::new(regex).ok()?, hint })
    }

    /// Returns its matches in a view.
    pub(super) fn matches<'v>(&'v self, view: &'v View<'_>) -> impl Iterator<Item = Match<'v>> {
        view.hints.has(self.hint).then(|| self.regex.find_iter(&view.text)).into_iter().flatten()
    }

    /// Returns the groups of its matches in a view.
    pub(super) fn captures<'v>(&'v self, view: &'v View<'_>) -> impl Iterator<Item = Captures<'v>> {
        view.hints.has(self.hint).then(|| self.regex.captures_iter(&view.text)).into_iter().flatten()
    }
}
