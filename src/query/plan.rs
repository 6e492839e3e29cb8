//! What is left of an expression for the events of one key.
//!
//! Most of an expression is settled once a key: its provider, its name, whether it has the field at all. What remains
//! asks the header of each event, and the payload only if the header does not settle it.

use std::fmt;

use crate::bytes::{Guid, write_hex};
use crate::clock::Clock;
use crate::decode::Event;
use crate::event::{Kind, RawEvent};
use crate::render::json::{FieldKeys, push_fields};
use crate::render::time::push_filetime;
use crate::render::write_message;
use crate::schema::Schema;
use crate::system::System;

use super::field;
use super::numeral::Numeral;
use super::part::HeaderField;
use super::test::Test;
use super::tree::{Name, Node, Path};

/// What is the same for all events of a key.
#[derive(Debug)]
pub(crate) struct TypeFacts<'a> {
    /// The provider's name.
    pub(crate) provider: Option<String>,
    /// The provider's GUID, and the one in the events where it is another.
    pub(crate) guids: [Guid; 2],
    /// How its events name their schema.
    pub(crate) kind: Kind,
    /// Their schema.
    pub(crate) schema: Option<&'a Schema>,
}

/// What a decoded event is judged by besides itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EventContext<'a> {
    /// The traced system.
    pub(crate) state: &'a System,
    /// The clock of the event's file.
    pub(crate) clock: Option<&'a Clock>,
}

/// An expression, reduced to what may differ between the events of one key.
#[derive(Clone, Debug)]
pub(crate) struct Plan(Rest);

#[derive(Clone, Debug)]
enum Rest {
    Known(bool),
    Not(Box<Rest>),
    All(Vec<Rest>),
    Any(Vec<Rest>),
    HasPart(HeaderField),
    HasField(Path),
    HeaderField(HeaderField, bool, Test),
    Field(Path, bool, Test),
}

impl super::Expression {
    /// Reduces the expression for the events of a key.
    pub(crate) fn plan(&self, facts: &TypeFacts<'_>) -> Plan {
        Plan(reduce(&self.root, facts))
    }
}

impl Plan {
    /// The answer, if it is the same for all events of the key.
    pub(crate) const fn known(&self) -> Option<bool> {
        match self.0 {
            Rest::Known(answer) => Some(answer),
            _ => None,
        }
    }

    /// The answer, if the header alone settles it.
    pub(crate) fn header(&self, event: &RawEvent<'_>, schema: Option<&Schema>) -> Option<bool> {
        self.0.ask(&mut |leaf| match leaf {
            Rest::HasPart(part) => has_part(*part, event, schema),
            Rest::HeaderField(part, negated, test) => {
                let answer =
                    part_of_header(*part, event, schema, |number, text| test.holds(number, || text.to_string()))?;
                Some(answer.holds(*negated))
            }
            _ => None,
        })
    }

    /// The answer.
    pub(crate) fn event(&self, event: &Event<'_>, around: EventContext<'_>) -> bool {
        let answer = self.0.ask(&mut |leaf| {
            Some(match leaf {
                Rest::HasField(path) => field::exists(event, path),
                Rest::Field(path, negated, test) => {
                    field::any(event, path, around.clock, test).is_some_and(|holds| holds != *negated)
                }
                Rest::HasPart(part) => part_of_event(*part, event, around, |_, _| true).is_some(),
                Rest::HeaderField(part, negated, test) => {
                    part_of_event(*part, event, around, |number, text| test.holds(number, || text.to_string()))
                        .is_some_and(|holds| holds != *negated)
                }
                _ => false,
            })
        });
        answer.unwrap_or(false)
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

fn reduce(node: &Node, facts: &TypeFacts<'_>) -> Rest {
    match node {
        Node::Not(inner) => match reduce(inner, facts) {
            Rest::Known(answer) => Rest::Known(!answer),
            rest => Rest::Not(Box::new(rest)),
        },
        Node::All(list) => reduce_list(list, false, facts),
        Node::Any(list) => reduce_list(list, true, facts),
        Node::Has(name) => match place(name, facts.schema) {
            Place::Field(path) => Rest::HasField(path.clone()),
            Place::HeaderField(part) => match part_of_key(part, facts, |_, _| true) {
                Some(found) => Rest::Known(found.is_there()),
                None => Rest::HasPart(part),
            },
            Place::Nowhere => Rest::Known(false),
        },
        Node::Test { name, negated, test } => match place(name, facts.schema) {
            Place::Field(path) => Rest::Field(path.clone(), *negated, test.clone()),
            Place::HeaderField(part) => {
                match part_of_key(part, facts, |number, text| test.holds(number, || text.to_string())) {
                    Some(found) => Rest::Known(found.holds(*negated)),
                    None => Rest::HeaderField(part, *negated, test.clone()),
                }
            }
            Place::Nowhere => Rest::Known(false),
        },
    }
}

fn reduce_list(list: &[Node], decisive: bool, facts: &TypeFacts<'_>) -> Rest {
    let mut open = Vec::new();
    for node in list {
        match reduce(node, facts) {
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

/// Where a name leads for the events of a key.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place<'e> {
    Field(&'e Path),
    HeaderField(HeaderField),
    Nowhere,
}

/// Finds what a name stands for in events of a schema and its other layouts.
///
/// Of the parts, only the message goes by the schema: where there is none, `message` is a field of that name, as lone texts
/// have it.
pub(super) fn place<'e>(name: &'e Name, schema: Option<&Schema>) -> Place<'e> {
    let has_it = |part: HeaderField| part != HeaderField::Message || schema.is_some_and(has_message);
    if let Some(part) = name.part.filter(|part| name.header_first && has_it(*part)) {
        return Place::HeaderField(part);
    }
    let layouts = || std::iter::successors(schema, |schema| schema.alternative());
    let there = |path: &&Path| layouts().any(|schema| field::in_schema(schema, path));
    match (name.field.as_ref().filter(there), name.part) {
        (Some(path), _) => Place::Field(path),
        (None, Some(part)) => Place::HeaderField(part),
        (None, None) => Place::Nowhere,
    }
}

/// What was found of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// There is no such part.
    Absent,
    /// There is one, and this is its answer.
    Says(bool),
}

impl Found {
    const fn is_there(self) -> bool {
        matches!(self, Self::Says(_))
    }

    /// Whether a test holds, which is false of what is absent even if the test is negated.
    const fn holds(self, negated: bool) -> bool {
        matches!(self, Self::Says(answer) if answer != negated)
    }

    fn of(answer: Option<bool>) -> Self {
        answer.map_or(Self::Absent, Self::Says)
    }
}

/// Asks a part that is the same for all events of a key; `None` if it is not.
pub(super) fn part_of_key(
    part: HeaderField,
    facts: &TypeFacts<'_>,
    ask: impl Fn(Option<Numeral>, fmt::Arguments<'_>) -> bool,
) -> Option<Found> {
    match part {
        HeaderField::Provider => {
            let name = facts.provider.iter().map(|name| ask(None, format_args!("{name}")));
            let guids = facts.guids.iter().filter(|guid| !guid.is_null()).map(|guid| ask(None, format_args!("{guid}")));
            Some(Found::of(name.chain(guids).reduce(|a, b| a || b)))
        }
        HeaderField::ProviderGuid => {
            let guids = facts.guids.iter().filter(|guid| !guid.is_null()).map(|guid| ask(None, format_args!("{guid}")));
            Some(Found::of(guids.reduce(|a, b| a || b)))
        }
        HeaderField::Event => {
            let name = facts.schema.and_then(|schema| schema.names().full());
            Some(Found::of(name.map(|name| ask(None, format_args!("{name}")))))
        }
        // Events of the kernel and of others can have the same class.
        HeaderField::Kind if facts.kind == Kind::Classic => None,
        HeaderField::Kind => Some(Found::Says(ask(None, format_args!("{}", facts.kind.name())))),
        HeaderField::Message if facts.schema.is_none_or(|schema| !has_message(schema)) => Some(Found::Absent),
        _ => None,
    }
}

fn has_message(schema: &Schema) -> bool {
    std::iter::successors(Some(schema), |schema| schema.alternative()).any(|schema| schema.message().is_some())
}

fn has_part(part: HeaderField, event: &RawEvent<'_>, schema: Option<&Schema>) -> Option<bool> {
    part_of_header(part, event, schema, |_, _| true).map(Found::is_there)
}

/// Whether the event's kind of header has such a part at all; JSON lines leave out what it has not.
fn has_in_header(part: HeaderField, event: &RawEvent<'_>) -> bool {
    let kind = event.kind();
    match part {
        HeaderField::Id => !matches!(kind, Kind::Classic | Kind::Error),
        HeaderField::Version | HeaderField::Opcode => !matches!(kind, Kind::Wpp | Kind::Error),
        HeaderField::Level => !matches!(kind, Kind::Wpp | Kind::Error) && event.hook().is_none(),
        HeaderField::Task | HeaderField::Keywords | HeaderField::Channel => event.described().is_some(),
        _ => true,
    }
}

/// Asks a part of the header: `None` if the payload must be looked at.
fn part_of_header(
    part: HeaderField,
    event: &RawEvent<'_>,
    schema: Option<&Schema>,
    ask: impl Fn(Option<Numeral>, fmt::Arguments<'_>) -> bool,
) -> Option<Found> {
    let number = |value: u64| Some(ask(Some(Numeral::Integer(value.into())), format_args!("{value}")));
    let guid = |value: Option<Guid>| value.map(|guid| ask(None, format_args!("{guid}")));
    let names = schema.map(Schema::names);
    let named = |value: u64, name: Option<&str>| {
        let digits = number(value);
        name.map_or(digits, |name| Some(digits == Some(true) || ask(None, format_args!("{name}"))))
    };
    if !has_in_header(part, event) {
        return Some(Found::Absent);
    }
    Some(Found::of(match part {
        HeaderField::Kind => Some(ask(None, format_args!("{}", event.kind_name()))),
        HeaderField::Id => number(event.id().into()),
        HeaderField::Version => number(event.version().into()),
        HeaderField::Level => number(event.level().into()),
        HeaderField::Opcode => named(event.opcode().into(), names.and_then(|names| names.opcode.as_deref())),
        HeaderField::Task => named(event.task().into(), names.and_then(|names| names.task.as_deref())),
        HeaderField::Channel => named(event.channel().into(), names.and_then(|names| names.channel.as_deref())),
        HeaderField::Keywords => {
            let bits = event.keywords();
            Some(ask(Some(Numeral::Integer(bits.into())), format_args!("{bits:#x}")))
        }
        HeaderField::Cpu => number(event.processor().into()),
        HeaderField::RawTime => {
            let ticks = event.time();
            Some(ask(Some(Numeral::Integer(ticks.into())), format_args!("{ticks}")))
        }
        HeaderField::Activity => guid(event.activity()),
        HeaderField::RelatedActivity => guid(event.related_activity()),
        HeaderField::Pid | HeaderField::Tid => {
            let subject = schema.map(Schema::subject).unwrap_or_default();
            let known = |id: Option<u32>| id.filter(|id| *id != u32::MAX);
            let (pid, tid) = (known(event.pid())?, known(event.tid())?);
            if subject.process.is_some() {
                return None;
            }
            number(if part == HeaderField::Pid { pid } else { tid }.into())
        }
        _ => return None,
    }))
}

/// Asks a part of a decoded event; `None` if it has none.
pub(super) fn part_of_event(
    part: HeaderField,
    event: &Event<'_>,
    around: EventContext<'_>,
    ask: impl Fn(Option<Numeral>, fmt::Arguments<'_>) -> bool,
) -> Option<bool> {
    let number = |value: Option<u32>| value.map(|id| ask(Some(Numeral::Integer(id.into())), format_args!("{id}")));
    match part {
        HeaderField::Pid => number(event.pid()),
        HeaderField::Tid => number(event.tid()),
        HeaderField::Process => event.process_name().map(|name| ask(None, format_args!("{name}"))),
        HeaderField::Message => {
            let mut text = String::new();
            write_message(&mut text, event.schema?.message()?, event, around.clock);
            Some(ask(None, format_args!("{text}")))
        }
        HeaderField::Schema => event.schema.map(|schema| ask(None, format_args!("{}", schema.origin()))),
        HeaderField::Time | HeaderField::Fields | HeaderField::Extra => {
            let mut text = Vec::new();
            push_part(&mut text, part, event, around.clock)?;
            Some(ask(None, format_args!("{}", String::from_utf8_lossy(&text))))
        }
        _ => match part_of_header(part, &event.raw, event.schema, ask)? {
            Found::Says(answer) => Some(answer),
            Found::Absent => None,
        },
    }
}

/// Appends the parts that are made for the occasion; `None` if the event has none.
fn push_part(out: &mut Vec<u8>, part: HeaderField, event: &Event<'_>, clock: Option<&Clock>) -> Option<()> {
    match part {
        HeaderField::Time => {
            push_filetime(out, event.time?);
        }
        HeaderField::Fields => push_fields(out, event, &FieldKeys::new(event.schema?), clock),
        _ => write_hex(out, Some(event.remainder()).filter(|bytes| !bytes.is_empty())?),
    }
    Some(())
}
