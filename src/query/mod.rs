//! Filter expressions: conditions on the header and on the fields of events.
//!
//! ```
//! use etwkit::query::Expression;
//! use etwkit::trace::Filter;
//!
//! let wanted: Expression = "provider ~ 'Kernel' and ProcessID == 4 and not Size <= 4096".parse()?;
//! let filter = Filter::default().expression(wanted);
//! # Ok::<(), etwkit::select::SyntaxError>(())
//! ```
//!
//! `docs/where.md` describes the language for its users. An [`Expression`] is text that became a tree (`parse`,
//! `tree`). A run reduces the tree for each event type, evaluates what is left on each raw header, and decodes only the
//! events that the header leaves open (`plan`). Rows of tables are chosen by the same language (`row`). Names on the left
//! side are those of [`crate::select`].

mod comparison;
mod literal;
mod meaning;
mod numeral;
mod parse;
mod placed_field;
mod plan;
mod row;
mod shown_text;
mod tree;
mod value_comparison;

use std::fmt;
use std::str::FromStr;

pub(crate) use plan::Plan;
pub use row::{RowCondition, RowValue, SplitExpression};

use shown_text::ShownText;
use tree::Node;

use crate::select::{Selector, SyntaxError};

/// A condition on events. Made from text with [`str::parse`]; [`fmt::Display`] gives text that reads back the same.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    root: Node,
}

/// A comparison by `<`, `<=`, `>` or `>=`. Numbers are compared with numbers, all else as text.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct OrderComparison<'e> {
    /// The left side.
    pub name: Selector,
    /// The right side.
    pub text: &'e str,
    /// The right side is a number, or the name of a level.
    pub is_number: bool,
    /// The right side is a point in time.
    pub is_time: bool,
}

impl Expression {
    /// Returns all names in it, in order.
    pub fn names(&self) -> Vec<Selector> {
        let mut names = Vec::new();
        self.root.each_name(&mut |name| names.push(Selector::of_name(name)));
        names
    }

    /// Returns the texts that values are compared with by `==`, `!=` and `in`, each with the name on the left, in
    /// order.
    pub fn compared(&self) -> Vec<(Selector, &str)> {
        let mut found = Vec::new();
        self.root.each_literal(&mut |name, literal| found.push((Selector::of_name(name), literal.text())));
        found
    }

    /// Returns those of [`Expression::compared`] that no number is shown as, and that are not the names of levels.
    pub fn compared_words(&self) -> Vec<(Selector, &str)> {
        let mut found = Vec::new();
        self.root.each_literal(&mut |name, literal| {
            if !literal.may_be_number() {
                found.push((Selector::of_name(name), literal.text()));
            }
        });
        found
    }

    /// Returns the comparisons by `<`, `<=`, `>` and `>=`, in order.
    pub fn orders(&self) -> Vec<OrderComparison<'_>> {
        let mut found = Vec::new();
        self.root.each_order(&mut |name, literal| {
            let (name, text) = (Selector::of_name(name), literal.text());
            let (is_number, is_time) = (literal.number().is_some(), literal.time().is_some());
            found.push(OrderComparison { name, text, is_number, is_time });
        });
        found
    }
}

impl Expression {
    /// Returns the condition that the name of the provider or the event, the process, the message or a value of the
    /// payload contains a text, in any letter case: `shows 'text'`. `None` if the text is empty or has more than some 100,000
    /// characters.
    pub fn shows(text: &str) -> Option<Self> {
        ShownText::new(text).map(|text| Self { root: Node::Shows(text) })
    }

    /// Returns the condition that both hold.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let list = |node: Node| if let Node::All(list) = node { list } else { vec![node] };
        Self { root: Node::All([list(self.root), list(other.root)].concat()) }
    }

    /// Returns the condition that one of them holds.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        let list = |node: Node| if let Node::Any(list) = node { list } else { vec![node] };
        Self { root: Node::Any([list(self.root), list(other.root)].concat()) }
    }
}

impl FromStr for Expression {
    type Err = SyntaxError;

    fn from_str(text: &str) -> Result<Self, SyntaxError> {
        parse::parse(text).map(|root| Self { root })
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.root.fmt(f)
    }
}
