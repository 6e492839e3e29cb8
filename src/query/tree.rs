//! An expression as a tree.

use std::fmt;

use super::comparison::Comparison;
use super::literal::Literal;
use super::shown_text::ShownText;
use crate::select::Name;

/// A condition.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
    /// The opposite.
    Not(Box<Node>),
    /// All of them; at least two.
    All(Vec<Node>),
    /// One of them; at least two.
    Any(Vec<Node>),
    /// The event has a field of that name.
    Has(Name),
    /// The text is in the name of the provider or the event, the process, the message or a value of the payload.
    Shows(ShownText),
    /// The header field, or one of the payload's fields of that name, passes; false if there is none. Negated, there is
    /// one, and none passes: `Size != 3` is false for an event without `Size`.
    Compare {
        /// The left side.
        name: Name,
        /// The operator was `!=`, `!~` or `not in`.
        negated: bool,
        /// Operator and right side.
        comparison: Comparison,
    },
}

/// Prints the form that can be parsed again, without redundant brackets.
impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Not(inner) => {
                f.write_str("not ")?;
                inner.within(f, matches!(**inner, Self::All(_) | Self::Any(_)))
            }
            Self::All(list) => joined(f, list, " and ", |node| matches!(node, Self::All(_) | Self::Any(_))),
            Self::Any(list) => joined(f, list, " or ", |node| matches!(node, Self::Any(_))),
            Self::Has(name) => write!(f, "has {name}"),
            Self::Shows(text) => text.fmt(f),
            Self::Compare { name, negated: false, comparison } => write!(f, "{name} {comparison}"),
            Self::Compare { name, negated: true, comparison } => match comparison {
                Comparison::Is(literal) => write!(f, "{name} != {literal}"),
                Comparison::Matches(_) => write!(f, "{name} !{comparison}"),
                _ => write!(f, "{name} not {comparison}"),
            },
        }
    }
}

impl Node {
    /// Replaces the literals for which another one is returned.
    pub(super) fn map_literals(&mut self, replace: &impl Fn(&Literal) -> Option<Literal>) {
        match self {
            Self::Not(inner) => inner.map_literals(replace),
            Self::All(list) | Self::Any(list) => list.iter_mut().for_each(|node| node.map_literals(replace)),
            Self::Has(_) | Self::Shows(_) => {}
            Self::Compare { comparison, .. } => {
                for literal in comparison.literals_mut() {
                    if let Some(other) = replace(literal) {
                        *literal = other;
                    }
                }
            }
        }
    }

    /// Hands over each name, from left to right.
    pub(super) fn each_name(&self, each: &mut impl FnMut(&Name)) {
        match self {
            Self::Not(inner) => inner.each_name(each),
            Self::All(list) | Self::Any(list) => list.iter().for_each(|node| node.each_name(each)),
            Self::Has(name) | Self::Compare { name, .. } => each(name),
            Self::Shows(_) => {}
        }
    }

    /// Hands over what values are compared with, and the name on the left, from left to right.
    pub(super) fn each_literal<'n>(&'n self, each: &mut impl FnMut(&'n Name, &'n Literal)) {
        match self {
            Self::Not(inner) => inner.each_literal(each),
            Self::All(list) | Self::Any(list) => list.iter().for_each(|node| node.each_literal(each)),
            Self::Compare { name, comparison: Comparison::Is(literal), .. } => each(name, literal),
            Self::Compare { name, comparison: Comparison::In(list), .. } => {
                for literal in list {
                    each(name, literal);
                }
            }
            Self::Has(_) | Self::Shows(_) | Self::Compare { .. } => {}
        }
    }

    /// Hands over each name whose order is compared, and the right side, from left to right.
    pub(super) fn each_order<'n>(&'n self, each: &mut impl FnMut(&'n Name, &'n Literal)) {
        match self {
            Self::Not(inner) => inner.each_order(each),
            Self::All(list) | Self::Any(list) => list.iter().for_each(|node| node.each_order(each)),
            Self::Compare { name, comparison: Comparison::Order(_, literal), .. } => each(name, literal),
            Self::Has(_) | Self::Shows(_) | Self::Compare { .. } => {}
        }
    }

    /// Returns whether it looks for a text in all of an event.
    pub(super) fn shows(&self) -> bool {
        match self {
            Self::Not(inner) => inner.shows(),
            Self::All(list) | Self::Any(list) => list.iter().any(Self::shows),
            Self::Shows(_) => true,
            Self::Has(_) | Self::Compare { .. } => false,
        }
    }

    fn within(&self, f: &mut fmt::Formatter<'_>, brackets: bool) -> fmt::Result {
        if brackets { write!(f, "({self})") } else { write!(f, "{self}") }
    }
}

fn joined(f: &mut fmt::Formatter<'_>, list: &[Node], between: &str, brackets: fn(&Node) -> bool) -> fmt::Result {
    for (place, node) in list.iter().enumerate() {
        f.write_str(if place == 0 { "" } else { between })?;
        node.within(f, brackets(node))?;
    }
    Ok(())
}
