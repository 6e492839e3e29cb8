//! What a selector stands for in the events of one type, and its text.

use crate::decode::Event;

use super::field_text;
use super::header_field::HeaderField;
use super::header_lookup::Settled;
use super::name::Place;
use super::path::Path;
use super::selector::Selector;
use super::type_facts::{EventContext, TypeFacts};

/// What a selector stands for in the events of one type.
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
    /// Finds what a selector stands for in the events of a type.
    pub(crate) fn new(selector: &Selector, facts: &TypeFacts<'_>) -> Self {
        let field = match selector.place(facts.schema) {
            Place::Field(path) => return Self::Field(path.clone()),
            Place::Header(field) => field,
            Place::Nowhere => return Self::Nothing,
        };
        match field.of_type(facts) {
            Settled::Value(value) => Self::Fixed(value.plain_text().into()),
            Settled::Open => Self::Header(field),
            // Who prints it may have another name for an event without one.
            Settled::Absent if field == HeaderField::Event => Self::Header(field),
            Settled::Absent => Self::Nothing,
        }
    }

    /// Returns whether it is the event's name.
    pub(crate) fn is_event_name(&self) -> bool {
        matches!(self, Self::Header(HeaderField::Event))
    }

    /// Appends the value's text; `false` if the event has no such value.
    pub(crate) fn push(&self, out: &mut Vec<u8>, event: &Event<'_>, context: EventContext<'_>) -> bool {
        match self {
            Self::Nothing => false,
            Self::Field(path) => field_text::push(out, event, path, context.clock),
            Self::Fixed(text) => {
                out.extend_from_slice(text.as_bytes());
                true
            }
            Self::Header(field) => {
                let value = field.of_event(event, context);
                if let Some(value) = &value {
                    value.push(out, event, context.clock);
                }
                value.is_some()
            }
        }
    }
}
