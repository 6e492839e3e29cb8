//! One top-level field of an event.

use hashbrown::HashMap;

use crate::bytes::{PointerSize, Utf16Text};
use crate::limits;
use crate::schema::{Count, Encoding, Field, Len, Scalar, Schema, Span, Wire};

use super::print_budget::Unnamed;
use super::run::Runner;
use super::{Scratch, Value, Visitor};

/// A top-level field of an event.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct FieldView<'a> {
    /// What the schema says of it.
    pub field: &'a Field,
    pub(super) schema: &'a Schema,
    pub(super) index: usize,
    pub(super) span: Span,
    pub(super) payload: &'a [u8],
    pub(super) pointer: PointerSize,
    pub(super) scratch: &'a Scratch,
    /// Whether the labels of its maps are shown.
    pub(super) labelled: bool,
}

impl<'a> FieldView<'a> {
    /// Hands its values to the visitor, in order; arrays and structs with their brackets.
    #[inline]
    pub fn visit<V: Visitor>(&self, visitor: &mut V) {
        match self.single() {
            Some(value) if self.labelled => visitor.value(self.index, self.field, value),
            _ if self.labelled && self.visit_scalars(visitor) => {}
            _ if self.labelled => self.walk(visitor),
            _ => self.walk_unnamed(visitor),
        }
    }

    /// Returns the value of a field that its bytes alone say: all but the rare ones.
    #[inline]
    fn single(&self) -> Option<Value<'a>> {
        match self.field.wire {
            _ if self.field.count != Count::One => None,
            Wire::Scalar(scalar) => Value::read(scalar, self.bytes(), self.pointer).map(|(value, _)| value),
            Wire::Text { encoding: Encoding::Utf16, len: Len::Nul } => {
                let text = self.bytes();
                Some(Value::Utf16(Utf16Text(text.strip_suffix(&[0, 0]).unwrap_or(text))))
            }
            _ => None,
        }
    }

    /// Hands over an array of numbers or GUIDs, and returns whether it is one: these need no executor.
    fn visit_scalars<V: Visitor>(&self, visitor: &mut V) -> bool {
        let Wire::Scalar(scalar) = self.field.wire else { return false };
        let prefix = match self.field.count {
            Count::One => return false,
            Count::Prefix16 => 2,
            _ => 0,
        };
        let Some(elements) = self.bytes().get(prefix..).filter(|_| !self.field.is_characters()) else { return false };
        visitor.begin_array(self.index, self.field);
        for element in elements.chunks_exact(scalar.len(self.pointer)) {
            if let Some((value, _)) = Value::read(scalar, element, self.pointer) {
                visitor.value(self.index, self.field, value);
            }
        }
        visitor.end_array(self.index, self.field);
        true
    }

    #[cold]
    #[inline(never)]
    fn walk_unnamed<V: Visitor>(&self, visitor: &mut V) {
        self.walk(&mut Unnamed { visitor, fields: HashMap::new() });
    }

    #[inline]
    fn walk<V: Visitor>(&self, visitor: &mut V) {
        self.run(|runner| runner.field(self.index, self.span.start as usize, visitor));
    }

    /// Runs an executor with its own copy of the values that fields refer to: those inside structs change while it walks.
    #[inline]
    fn run<R>(&self, work: impl FnOnce(&mut Runner<'_, 'a>) -> R) -> R {
        /// The most references of nearly all schemas: the whole table is large to copy for each field.
        const FEW: usize = 4;
        let known = self.scratch.slots();
        let (mut few, mut all);
        let slots: &mut [u64] = match self.schema.slots() {
            0 => &mut [],
            1..=FEW => {
                few = *known.first_chunk::<FEW>().unwrap_or(&[0; FEW]);
                &mut few
            }
            _ => {
                all = *known;
                &mut all
            }
        };
        work(&mut self.runner(slots))
    }

    /// Returns the executor over all of the payload, as when the field was located: where it ends decides what still
    /// fits.
    #[inline]
    const fn runner<'r>(&self, slots: &'r mut [u64]) -> Runner<'r, 'a>
    where
        'a: 'r,
    {
        let Self { schema, payload, pointer, .. } = *self;
        Runner { schema, payload, pointer, slots, budget: limits::MAX_ELEMENTS }
    }

    /// Returns the value of a field, one text for an array of characters; `None` for other arrays and structs, whose
    /// values [`FieldView::visit`] hands over. (A field that cannot be read is not among
    /// [`Event::fields`](super::Event::fields).)
    pub fn value(&self) -> Option<Value<'a>> {
        if let Some(value) = self.single() {
            return Some(value);
        }
        if self.field.is_characters() {
            return self.characters();
        }
        if self.field.count != Count::One || matches!(self.field.wire, Wire::Struct { .. }) {
            return None;
        }
        let start = self.span.start as usize;
        self.run(|runner| runner.value(self.index, start).map(|(value, _)| value))
    }

    #[cold]
    fn characters(&self) -> Option<Value<'a>> {
        let prefix = if self.field.count == Count::Prefix16 { 2 } else { 0 };
        let unit = if self.field.wire == Wire::Scalar(Scalar::U16) { 2 } else { 1 };
        self.bytes().get(prefix..).map(|text| Value::of_characters(text, unit))
    }

    /// Returns its name; need not be unique in the event.
    pub fn name(&self) -> &'a str {
        &self.field.name
    }

    /// Returns the schema that it is a field of.
    pub const fn schema(&self) -> &'a Schema {
        self.schema
    }

    /// Returns its place in [`Schema::fields`].
    pub const fn place(&self) -> usize {
        self.index
    }

    /// Returns its bytes in the payload, with length prefix and NUL.
    pub fn bytes(&self) -> &'a [u8] {
        self.payload.get(self.span.start as usize..self.span.end as usize).unwrap_or_default()
    }

    /// Returns the map of its values; `None` also where the labels of an event would be far longer than its payload
    /// (see [`limits::shown`]).
    pub fn map(&self) -> Option<&'a crate::schema::Map> {
        self.schema.map(self.field).filter(|_| self.labelled)
    }

    /// Returns whether the event ended before this optional field.
    pub(super) fn is_absent(&self) -> bool {
        self.field.optional && self.span.start == self.span.end && self.span.end as usize == self.payload.len()
    }
}
