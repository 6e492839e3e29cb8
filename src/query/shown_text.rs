//! A text that is looked for in what outputs show of an event.

use std::fmt;

use regex::{Regex, RegexBuilder};

use crate::decode::{Event, Value, Visitor};
use crate::limits;
use crate::render::value::{self, ValueContext};
use crate::schema::{Field, Schema};
use crate::select::write_quoted;

use super::comparison::{Comparison, Pattern};

/// A text in any letter case.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ShownText {
    text: Box<str>,
    pattern: Pattern,
}

impl ShownText {
    /// Prepares the search for a text; `None` if it is empty or too long.
    pub(super) fn new(text: &str) -> Option<Self> {
        let mut builder = RegexBuilder::new(&regex::escape(text));
        builder.case_insensitive(true).size_limit(limits::MAX_PATTERN).dfa_size_limit(limits::MAX_PATTERN);
        let pattern = builder.build().ok().filter(|_| !text.is_empty())?;
        Some(Self { text: text.into(), pattern: Pattern(pattern) })
    }

    /// Returns whether a text contains it.
    pub(super) fn is_in(&self, text: &str) -> bool {
        self.pattern.0.is_match(text)
    }

    /// Returns the comparison of a header field with it.
    pub(super) fn comparison(&self) -> Comparison {
        Comparison::Matches(self.pattern.clone())
    }

    /// Returns whether a value of the payload that is shown contains it.
    pub(super) fn is_in_payload(&self, event: &Event<'_>) -> bool {
        let Some(schema) = event.schema() else { return false };
        let mut search = Search { event, schema, pattern: &self.pattern.0, text: Vec::new(), is_found: false };
        event.shown_fields().any(|view| {
            view.visit_shown(&mut search);
            search.is_found
        })
    }
}

/// As the language has it.
impl fmt::Display for ShownText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("shows ")?;
        write_quoted(f, &self.text)
    }
}

struct Search<'s> {
    event: &'s Event<'s>,
    schema: &'s Schema,
    pattern: &'s Regex,
    /// Memory for the text of a value.
    text: Vec<u8>,
    is_found: bool,
}

impl Visitor for Search<'_> {
    fn value(&mut self, _: usize, field: &Field, value: Value<'_>) {
        if self.is_found {
            return;
        }
        self.text.clear();
        let context = ValueContext { field, map: self.schema.map(field), clock: self.event.clock() };
        value::push(&mut self.text, value, context);
        self.is_found = std::str::from_utf8(&self.text).is_ok_and(|text| self.pattern.is_match(text));
    }
}
