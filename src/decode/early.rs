//! Fields that can be read without running the executor.

use crate::bytes::{PointerSize, utf16_nul};
use crate::event::RawEvent;
use crate::schema::{Count, Encoding, Field, Len, Schema, Span, Wire};

use super::Value;

/// An event whose first fields are at the same place in every payload, and that has the first layout of its schema
/// exactly: these fields, and at most one text up to its NUL after them. Such fields are read directly; those of all other
/// events are found by [`Event::locate`](super::Event::locate).
#[derive(Clone, Copy, Debug)]
pub struct EarlyFields<'a> {
    schema: &'a Schema,
    payload: &'a [u8],
    pointer: PointerSize,
    text: Option<Value<'a>>,
}

impl<'a> EarlyFields<'a> {
    /// Returns the fields of an event; `None` if they must be located.
    pub fn of(schema: &'a Schema, event: &RawEvent<'a>) -> Option<Self> {
        let (payload, pointer) = (event.payload(), event.pointer_size());
        let prefix = schema.fixed_prefix(pointer);
        let end = prefix.last().map_or(0, |span| span.end as usize);
        let rest = payload.get(end..)?;
        let (text, taken) = match schema.fields().get(prefix.len()..)? {
            [] => (None, 0),
            [last] => text(last, rest)?,
            _ => return None,
        };
        let early = Self { schema, payload, pointer, text };
        (schema.converter().is_none() && taken == rest.len() && early.meets_guards()).then_some(early)
    }

    /// Returns whether a top-level field is a single number or the last text, by its index in [`Schema::fields`].
    pub fn holds(&self, index: usize) -> bool {
        let is_number = |field: &Field| field.count == Count::One && matches!(field.wire, Wire::Scalar(_));
        index == self.prefix().len() || self.schema.fields().get(index).is_some_and(is_number)
    }

    /// Returns the value of such a field; `None` for others, and for an optional text that the event does not have.
    pub fn value(&self, index: usize) -> Option<Value<'a>> {
        let prefix = self.prefix();
        let Some(span) = prefix.get(index) else { return self.text.filter(|_| index == prefix.len()) };
        let field = self.schema.fields().get(index)?;
        let Wire::Scalar(scalar) = field.wire else { return None };
        let rest = self.payload.get(span.start as usize..)?;
        Value::read(scalar, rest, self.pointer).filter(|_| field.count == Count::One).map(|(value, _)| value)
    }

    #[inline]
    fn prefix(&self) -> &'a [Span] {
        self.schema.fixed_prefix(self.pointer)
    }

    /// Returns whether all fields have the values that they must have.
    fn meets_guards(&self) -> bool {
        let meets = |(place, field): (usize, &Field)| match &field.expected {
            Some(expected) if field.count == Count::One => self.value(place).is_some_and(|value| value.is(expected)),
            _ => true,
        };
        !self.schema.is_guarded() || self.schema.top_level().all(meets)
    }
}

/// Returns a last text and its bytes with the NUL; `None` if the field is something else, or missing.
fn text<'a>(field: &Field, rest: &'a [u8]) -> Option<(Option<Value<'a>>, usize)> {
    let Wire::Text { encoding: Encoding::Utf16, len: Len::Nul } = field.wire else { return None };
    if rest.is_empty() {
        return field.optional.then_some((None, 0));
    }
    let (text, taken) = utf16_nul(rest);
    (field.count == Count::One).then_some((Some(Value::of_text(Encoding::Utf16, text)), taken))
}
