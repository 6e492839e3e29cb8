//! An expression reduced for the events of one type.
//!
//! Most of an expression is settled once per type: its provider, its name, whether it has the field at all. What
//! remains is evaluated on the header of each event and on fields whose places do not depend on the payload; an event
//! is decoded only if these do not settle it.

use crate::decode::{Event, EventType};
use crate::event::RawEvent;
use crate::schema::Schema;
use crate::select::{HeaderField, HeaderValue, Path, Place, Settled, exists};

use super::comparison::Comparison;
use super::placed_field::PlacedField;
use super::shown_text::ShownText;
use super::tree::Node;
use super::value_comparison::{any_field, header_value};

/// An expression, reduced to what may differ between the events of one type.
#[derive(Clone, Debug)]
pub(crate) struct Plan(Rest);

#[derive(Clone, Debug)]
enum Rest {
    Known(bool),
    Not(Box<Rest>),
    All(Vec<Rest>),
    Any(Vec<Rest>),
    HasHeader(HeaderField),
    HasField(Path),
    /// A value of the payload contains the text.
    ShowsValue(ShownText),
    /// Whether it is negated, and the comparison.
    Header(HeaderField, bool, Comparison),
    Field(Path, bool, Comparison, Option<PlacedField>),
}

impl super::Expression {
    /// Reduces the expression for the events of a type.
    pub(crate) fn plan(&self, row: &EventType) -> Plan {
        Plan(reduce(&self.root, row))
    }
}

impl Plan {
    /// Returns the answer, if it is the same for all events of the type.
    pub(crate) const fn known(&self) -> Option<bool> {
        match self.0 {
            Rest::Known(answer) => Some(answer),
            _ => None,
        }
    }

    /// Returns the answer, if the raw header settles it, or fields at constant places; `schema` is the type's.
    pub(crate) fn header(&self, event: &RawEvent<'_>, schema: Option<&Schema>) -> Option<bool> {
        self.0.ask(&mut |leaf| match leaf {
            Rest::HasHeader(field) => is_there(&field.before_decoding(event, schema)),
            Rest::Header(field, negated, comparison) => {
                passes(*field, &field.before_decoding(event, schema), *negated, comparison)
            }
            Rest::Field(_, negated, comparison, Some(placed)) => {
                placed.passes(event, schema?, comparison).map(|passes| passes != *negated)
            }
            _ => None,
        })
    }

    /// Returns the answer.
    pub(crate) fn event(&self, event: &Event<'_>) -> bool {
        let answer = self.0.ask(&mut |leaf| {
            Some(match leaf {
                Rest::HasField(path) => exists(event, path),
                Rest::ShowsValue(text) => text.is_in_payload(event),
                Rest::Field(path, negated, comparison, _) => {
                    any_field(event, path, comparison).is_some_and(|passes| passes != *negated)
                }
                Rest::HasHeader(field) => field.value(event).is_some(),
                Rest::Header(field, negated, comparison) => {
                    let passes = |value: HeaderValue<'_>| {
                        !comparison.is_beyond_levels(*field, &value)
                            && header_value(&value, comparison, || value.text(event))
                    };
                    field.value(event).is_some_and(|value| passes(value) != *negated)
                }
                _ => false,
            })
        });
        answer.unwrap_or(false)
    }
}

/// Returns whether the event has a header field, if that is settled.
const fn is_there(found: &Settled<'_>) -> Option<bool> {
    match found {
        Settled::Open => None,
        Settled::Absent => Some(false),
        Settled::Value(_) => Some(true),
    }
}

/// Returns whether a header field passes, if that is settled. What is absent never passes, even if the comparison is
/// negated.
fn passes(field: HeaderField, found: &Settled<'_>, negated: bool, comparison: &Comparison) -> Option<bool> {
    match found {
        Settled::Open => None,
        Settled::Absent => Some(false),
        Settled::Value(value) if comparison.is_beyond_levels(field, value) => Some(false),
        Settled::Value(value) => Some(header_value(value, comparison, || value.plain_text()) != negated),
    }
}

impl Rest {
    /// Joins the answers of the leaves; `None` where they do not settle it.
    fn ask(&self, leaf: &mut impl FnMut(&Self) -> Option<bool>) -> Option<bool> {
        match self {
            Self::Known(answer) => Some(*answer),
            Self::Not(inner) => inner.ask(leaf).map(|answer| !answer),
            Self::All(list) => settle(list, false, leaf),
            Self::Any(list) => settle(list, true, leaf),
            _ => leaf(self),
        }
    }
}

/// One `decisive` answer is enough; without one, all must be known.
fn settle(list: &[Rest], decisive: bool, leaf: &mut impl FnMut(&Rest) -> Option<bool>) -> Option<bool> {
    let mut all_known = true;
    for rest in list {
        match rest.ask(leaf) {
            Some(answer) if answer == decisive => return Some(decisive),
            Some(_) => {}
            None => all_known = false,
        }
    }
    all_known.then_some(!decisive)
}

fn reduce(node: &Node, row: &EventType) -> Rest {
    let list = |list: &[Node], decisive| joined(list.iter().map(|node| reduce(node, row)), decisive);
    match node {
        Node::Not(inner) => match reduce(inner, row) {
            Rest::Known(answer) => Rest::Known(!answer),
            rest => Rest::Not(Box::new(rest)),
        },
        Node::All(nodes) => list(nodes, false),
        Node::Any(nodes) => list(nodes, true),
        Node::Has(name) => match name.place(row.schema()) {
            Place::Field(path) => Rest::HasField(path.clone()),
            Place::Header(field) => is_there(&field.of_type(row)).map_or(Rest::HasHeader(field), Rest::Known),
            Place::Nowhere => Rest::Known(false),
        },
        Node::Compare { name, negated, comparison } => match name.place(row.schema()) {
            Place::Field(path) => Rest::Field(path.clone(), *negated, comparison.clone(), PlacedField::new(row, path)),
            Place::Header(field) => header(field, *negated, comparison, row),
            Place::Nowhere => Rest::Known(false),
        },
        Node::Shows(text) => shows(text, row),
    }
}

fn header(field: HeaderField, negated: bool, comparison: &Comparison, row: &EventType) -> Rest {
    let known = passes(field, &field.of_type(row), negated, comparison);
    known.map_or_else(|| Rest::Header(field, negated, comparison.clone()), Rest::Known)
}

fn shows(text: &ShownText, row: &EventType) -> Rest {
    let comparison = text.comparison();
    let fields = [HeaderField::Event, HeaderField::Process, HeaderField::Message];
    let parts = fields.map(|field| header(field, false, &comparison, row));
    // Its GUID is shown where it has no name.
    let has_provider = row.provider_name().is_some() || !row.provider_guid().is_null();
    let provider = Rest::Known(has_provider && text.is_in(row.provider()));
    let values = row.schema().map(|_| Rest::ShowsValue(text.clone()));
    joined([provider].into_iter().chain(parts).chain(values), true)
}

/// Joins conditions of which one `decisive` answer is enough.
fn joined(list: impl IntoIterator<Item = Rest>, decisive: bool) -> Rest {
    let mut open = Vec::new();
    for rest in list {
        match rest {
            Rest::Known(answer) if answer == decisive => return Rest::Known(decisive),
            Rest::Known(_) => {}
            rest => open.push(rest),
        }
    }
    match (open.len(), decisive) {
        (0, _) => Rest::Known(!decisive),
        (1, _) => open.pop().unwrap_or(Rest::Known(!decisive)),
        (_, false) => Rest::All(open),
        (_, true) => Rest::Any(open),
    }
}
