//! Comparisons: operator and right side, and whether a value passes.

use std::cmp::Ordering;
use std::fmt;

use regex::Regex;

use super::literal::Literal;
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

    /// Returns whether a value passes: its number, if it is one, and its text, which is made only if it matters.
    ///
    /// A number and a literal that means a number are compared as numbers, everything else as text.
    pub(super) fn holds(&self, number: Option<Numeral>, text: impl FnOnce() -> String) -> bool {
        match self {
            Self::Is(literal) => is_any(std::slice::from_ref(literal), number, text),
            Self::In(list) => is_any(list, number, text),
            Self::Order(relation, literal) => {
                let order = match (number, literal.number()) {
                    (Some(value), Some(wanted)) => value.order(wanted),
                    _ => Some(literal.order_text(&text())),
                };
                order.is_some_and(|order| relation.holds(order))
            }
            Self::Bits(mask, _) => number.is_some_and(|value| value.shares_bit(*mask)),
            Self::Matches(pattern) => pattern.0.is_match(&text()),
        }
    }
}

impl Comparison {
    /// Returns whether it asks for levels up to one, and the value is level 0: that is not a level but means "log
    /// always". `level == 0` and `level <= 0` find it.
    pub(super) fn is_beyond_levels(&self, field: HeaderField, value: &HeaderValue<'_>) -> bool {
        let is_level = matches!(field, HeaderField::Level | HeaderField::MessageLevel);
        let Self::Order(Relation::Less | Relation::AtMost, literal) = self else { return false };
        let zero = Numeral::Integer(0);
        let is_above_zero = || literal.number().is_some_and(|most| zero.order(most) == Some(Ordering::Less));
        is_level && value.number() == Some(0) && is_above_zero()
    }
}

fn is_any(list: &[Literal], number: Option<Numeral>, text: impl FnOnce() -> String) -> bool {
    let as_number = |literal: &Literal| Some(literal.number()?.order(number?)? == Ordering::Equal);
    if list.iter().any(|literal| as_number(literal) == Some(true)) {
        return true;
    }
    // A text is made only if the values cannot be compared as numbers.
    let is_other = |literal: &&Literal| literal.is_word_for_number() || as_number(literal).is_none();
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
