//! Filter expressions: conditions on the header and on the fields of events.
//!
//! ```
//! use etwkit::query::Expression;
//! use etwkit::trace::Filter;
//!
//! let wanted: Expression = "provider ~ 'Kernel' and ProcessID == 4 and not Size <= 4096".parse()?;
//! let filter = Filter { expression: Some(wanted), ..Filter::default() };
//! # Ok::<(), etwkit::query::SyntaxError>(())
//! ```
//!
//! `docs/where.md` has the language for its users. The way of an expression: [`Expression`] is text made a tree
//! (`lex`, `parse`, `tree`); a run asks the tree for each key, then for each raw header, and only what is still open
//! then costs a look at the payload (`plan`, `field`).

mod below;
mod field;
mod lex;
mod literal;
mod numeral;
mod parse;
mod part;
mod plan;
mod selector;
mod shown;
mod steps;
mod test;
mod tree;

use std::fmt;
use std::str::FromStr;

pub(crate) use below::{only, visit};
pub(crate) use field::leads_to;
pub use part::{HeaderField, level};
pub(crate) use plan::{EventContext, Place, Plan, TypeFacts};
pub(crate) use selector::Selected;
pub use selector::Selector;
pub(crate) use tree::Path;

use tree::Node;

use crate::error::{Error, ErrorKind};

/// A condition on events. Made from text with [`str::parse`]; [`fmt::Display`] gives text that reads back the same.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    root: Node,
}

impl Expression {
    /// All names in it, in order.
    pub fn names(&self) -> Vec<Selector> {
        let mut names = Vec::new();
        self.root.each_name(&mut |name| names.push(Selector::of_name(name)));
        names
    }
}

impl Expression {
    /// The texts that values are compared with by `==`, `!=` and `in`, each with the name on the left, in order.
    pub fn compared(&self) -> Vec<(Selector, &str)> {
        let mut found = Vec::new();
        self.root.each_literal(&mut |name, text| found.push((Selector::of_name(name), text)));
        found
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

/// Why a text is no expression.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {detail}")]
pub struct SyntaxError {
    /// Where, in characters from 1.
    pub column: usize,
    /// What was expected or found.
    pub detail: String,
}

impl From<SyntaxError> for Error {
    fn from(error: SyntaxError) -> Self {
        Self::new(ErrorKind::Expression(error.to_string()))
    }
}

impl SyntaxError {
    fn new(column: usize, detail: impl Into<String>) -> Self {
        Self { column, detail: detail.into() }
    }
}
