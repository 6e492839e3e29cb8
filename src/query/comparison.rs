//! Comparisons: operator and right side, and whether a value passes.

use std::cmp::Ordering;
use std::fmt;

use regex::Regex;

use super::literal::Literal;
use super::meaning::{Compared, Meaning};
use super::numeral::Numeral;
use crate::select::{HeaderField, HeaderValue, write_quoted};

/// An operator and what is on its right.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Comparison {
    /// `== x`.
    Is(Literal),
    /// `in (x, y)`.
    In(Vec<Literal>),
    /// `< x` and its like.
    Order(Relation, Literal),
    /// `& x`: has one of these bits.
    Bits(Numeral, Literal),
    /// `~ x`: a regular expression finds something in its text.
    Matches(Pattern),
}

/// `<`, `<=`, `>` or `>=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    Less,
    AtMost,
    More,
    AtLeast,
}

/// A regular expression; two are equal if their texts are.
#[derive(Clone, Debug)]
pub(super) struct Pattern(pub(super) Regex);

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_str() == other.0.as_str()
    }
}

impl Relation {
    const fn holds(self, order: Ordering) -> bool {
        match self {
            Self::Less => order.is_lt(),
            Self::AtMost => order.is_le(),
            Self::More => order.is_gt(),
            Self::AtLeast => order.is_ge(),
        }
    }

    const fn sign(self) -> &'static str {
        match self {
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::More => ">",
            Self::AtLeast => ">=",
        }
    }
}

impl Comparison {
    /// Returns what is on the right.
    pub(super) fn literals_mut(&mut self) -> &mut [Literal] {
        match self {
            Self::Is(literal) | Self::Order(_, literal) => std::slice::from_mut(literal),
            Self::In(list) => list,
            Self::Bits(..) | Self::Matches(_) => &mut [],
        }
    }

    /// Returns whether a text may pass where the value has a number, too: an order of numbers is not one of texts.
    pub(super) fn compares_texts(&self) -> bool {
        !matches!(self, Self::Order(_, literal) if literal.number().is_some())
    }

    /// Returns whether a value passes: by what it is besides its text, and by its text, which is made only if it matters.
    ///
    /// Points in time are compared with points in time, numbers with numbers, everything else as text.
    pub(super) fn holds(&self, value: Meaning, text: impl FnOnce() -> String) -> bool {
        match self {
            Self::Is(literal) => is_any(std::slice::from_ref(literal), value, text),
            Self::In(list) => is_any(list, value, text),
            Self::Order(relation, literal) => match value.compared(literal) {
                Compared::Ordered(order) => relation.holds(order),
                Compared::Unordered => false,
                Compared::AsText => relation.holds(literal.order_text(&text())),
            },
            Self::Bits(mask, _) => value.number.is_some_and(|number| number.shares_bit(*mask)),
            Self::Matches(pattern) => pattern.0.is_match(&text()),
        }
    }
}

impl Comparison {
    /// Returns whether it asks for levels up to one or from one on, and the value is none of them: a word of WPP that
    /// Windows has no level for, or level 0, which means "log always" and is found by `level == 0` and `level <= 0`.
    pub(super) fn is_beyond_levels(&self, field: HeaderField, value: &HeaderValue<'_>) -> bool {
        let is_level = matches!(field, HeaderField::Level | HeaderField::MessageLevel);
        let Self::Order(relation, literal) = self else { return false };
        let Some(wanted) = literal.number().filter(|_| is_level) else { return false };
        let is_up_to = matches!(relation, Relation::Less | Relation::AtMost);
        match value.number() {
            Some(0) => is_up_to && Numeral::Integer(0).order(wanted) == Some(Ordering::Less),
            Some(_) => false,
            None => true,
        }
    }
}

fn is_any(list: &[Literal], value: Meaning, text: impl FnOnce() -> String) -> bool {
    if list.iter().any(|literal| matches!(value.compared(literal), Compared::Ordered(Ordering::Equal))) {
        return true;
    }
    // A text is made only if the values cannot be compared otherwise.
    let is_ordered = |literal: &Literal| matches!(value.compared(literal), Compared::Ordered(_));
    let is_other = |literal: &&Literal| literal.is_word_for_number() || !is_ordered(literal);
    let mut others = list.iter().filter(is_other).peekable();
    if others.peek().is_none() {
        return false;
    }
    let text = text();
    others.any(|literal| literal.is_text(&text))
}

/// Operator and right side, as they can be read again.
impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Is(literal) => write!(f, "== {literal}"),
            Self::In(list) => {
                f.write_str("in (")?;
                for (place, literal) in list.iter().enumerate() {
                    write!(f, "{}{literal}", if place == 0 { "" } else { ", " })?;
                }
                f.write_str(")")
            }
            Self::Order(relation, literal) => write!(f, "{} {literal}", relation.sign()),
            Self::Bits(_, literal) => write!(f, "& {literal}"),
            Self::Matches(pattern) => {
                f.write_str("~ ")?;
                write_quoted(f, pattern.0.as_str())
            }
        }
    }
}
