//! One top-level field of an event.

use hashbrown::HashMap;

use crate::bytes::{Guid, PointerSize, Utf16Text};
use crate::format::SystemTime;
use crate::limits;
use crate::schema::{Count, Field, Read, Scalar, Schema, Span, Wire};

use super::print_budget::Unnamed;
use super::run::{Runner, bits_of};
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
    /// What reads its value.
    pub(super) read: Read,
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
        if !self.labelled {
            return self.walk_unnamed(visitor);
        }
        if self.with_single(|value| visitor.value(self.index, self.field, value)).is_none() {
            // A copy, so that the compiler need not put each field that is visited into memory.
            self.walk(visitor);
        }
    }

    /// Returns the value of a field that its bytes alone say: all but the rare ones.
    #[inline]
    fn single(&self) -> Option<Value<'a>> {
        self.with_single(|value| value)
    }

    /// Hands over what [`FieldView::single`] returns. Each kind of value is handed over at a place of its own, where the
    /// compiler knows its variant.
    #[inline]
    fn with_single<R>(&self, take: impl FnOnce(Value<'a>) -> R) -> Option<R> {
        Some(match self.read {
            Read::I8 => take(Value::Signed(i8::from_le_bytes(self.first()?).into(), 1)),
            Read::U8 => take(Value::Unsigned(u8::from_le_bytes(self.first()?).into(), 1)),
            Read::I16 => take(Value::Signed(i16::from_le_bytes(self.first()?).into(), 2)),
            Read::U16 => take(Value::Unsigned(u16::from_le_bytes(self.first()?).into(), 2)),
            Read::I32 => take(Value::Signed(i32::from_le_bytes(self.first()?).into(), 4)),
            Read::U32 => take(Value::Unsigned(u32::from_le_bytes(self.first()?).into(), 4)),
            Read::I64 => take(Value::Signed(i64::from_le_bytes(self.first()?), 8)),
            Read::U64 => take(Value::Unsigned(u64::from_le_bytes(self.first()?), 8)),
            Read::F32 => take(Value::F32(f32::from_le_bytes(self.first()?))),
            Read::F64 => take(Value::F64(f64::from_le_bytes(self.first()?))),
            Read::Guid => take(Value::Guid(Guid::from_bytes(self.first()?))),
            Read::Pointer4 => take(Value::Pointer(u32::from_le_bytes(self.first()?).into(), PointerSize::Four)),
            Read::Pointer8 => take(Value::Pointer(u64::from_le_bytes(self.first()?), PointerSize::Eight)),
            Read::SystemTime => take(Value::SystemTime(SystemTime::read(&self.first::<16>()?))),
            Read::Text => {
                let text = self.bytes();
                take(Value::Utf16(Utf16Text(text.strip_suffix(&[0, 0]).unwrap_or(text))))
            }
            Read::Bits => take(self.bits()?),
            Read::Walk => return None,
        })
    }

    /// Returns its first bytes.
    #[inline]
    fn first<const N: usize>(&self) -> Option<[u8; N]> {
        self.payload.get(self.span.start as usize..)?.first_chunk().copied()
    }

    fn bits(&self) -> Option<Value<'a>> {
        let Wire::Bits { of, first, count } = self.field.wire else { return None };
        let slot = self.schema.fields().get(usize::from(of))?.slot?;
        Some(bits_of(*self.scratch.slots().get(usize::from(slot))?, first, count))
    }

    #[cold]
    #[inline(never)]
    fn walk_unnamed<V: Visitor>(self, visitor: &mut V) {
        self.walk(&mut Unnamed { visitor, fields: HashMap::new() });
    }

    #[inline(never)]
    fn walk<V: Visitor>(self, visitor: &mut V) {
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
