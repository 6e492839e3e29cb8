//! A selector resolved for the events of one type, and its text.

use crate::decode::{Event, EventType};

use super::field_text;
use super::header_field::HeaderField;
use super::header_lookup::Settled;
use super::name::Place;
use super::path::Path;
use super::selector::Selector;

/// A selector resolved for the events of one type.
#[derive(Clone, Debug)]
pub(crate) enum Selected {
    /// The same text for all of them.
    Fixed(Box<str>),
    /// A header field.
    Header(HeaderField),
    /// A field of the payload.
    Field(Path),
    /// Nothing.
    Nothing,
}

impl Selected {
    /// Resolves a selector for the events of this one's type.
    pub(crate) fn new(selector: &Selector, event: &Event<'_>) -> Self {
        let row = event.event_type();
        let field = match selector.place(row.and_then(EventType::schema).or(event.schema())) {
            Place::Field(path) => return Self::Field(path.clone()),
            Place::Header(field) => field,
            Place::Nowhere => return Self::Nothing,
        };
        match row.map_or(Settled::Open, |row| field.of_type(row)) {
            Settled::Value(value) => Self::Fixed(value.plain_text().into()),
            // Outputs may have another name for an event without one.
            Settled::Absent if field != HeaderField::Event => Self::Nothing,
            Settled::Absent | Settled::Open => Self::Header(field),
        }
    }

    /// Resolves a selector to what all events of a type have; `None` if that is not settled by the type.
    pub(crate) fn of_type(selector: &Selector, row: &EventType) -> Option<Self> {
        match selector.place(row.schema()) {
            Place::Field(_) | Place::Nowhere => None,
            Place::Header(field) => match field.of_type(row) {
                Settled::Value(value) => Some(Self::Fixed(value.plain_text().into())),
                Settled::Absent if field == HeaderField::Event => Some(Self::Header(field)),
                Settled::Absent => Some(Self::Nothing),
                Settled::Open => None,
            },
        }
    }

    /// Returns whether it is the event's name, which is not the same for all events of the type or which they lack.
    pub(crate) const fn is_event_name(&self) -> bool {
        matches!(self, Self::Header(HeaderField::Event))
    }

    /// Appends the value's text; `false` if the event has no such value.
    pub(crate) fn push(&self, out: &mut Vec<u8>, event: &Event<'_>) -> bool {
        match self {
            Self::Nothing => false,
            Self::Field(path) => field_text::push(out, event, path),
            Self::Fixed(text) => {
                out.extend_from_slice(text.as_bytes());
                true
            }
            Self::Header(field) => {
                let value = field.value(event);
                if let Some(value) = &value {
                    value.push(out, event);
                }
                value.is_some()
            }
        }
    }
}
