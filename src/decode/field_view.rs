//! One top-level field of an event.

use hashbrown::HashMap;

use crate::bytes::{AnsiText, Guid, PointerSize, Utf16Text};
use crate::format::SystemTime;
use crate::limits;
use crate::schema::{Count, Field, Read, Scalar, Schema, Span, Step, Wire};

use super::print_budget::Unnamed;
use super::run::{Runner, bits_of};
use super::{Scratch, Value, Visitor};

/// A top-level field of an event.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct FieldView<'a> {
    /// What the schema states about it.
    pub field: &'a Field,
    pub(super) schema: &'a Schema,
    pub(super) index: usize,
    pub(super) span: Span,
    /// What reads its value.
    pub(super) step: &'a Step,
    pub(super) payload: &'a [u8],
    pub(super) pointer: PointerSize,
    pub(super) scratch: &'a Scratch,
    /// The place of the first field whose maps are not shown.
    pub(super) labelled: usize,
}

impl<'a> FieldView<'a> {
    /// Hands its values to the visitor, in order; arrays and structs with their brackets.
    #[inline]
    pub fn visit<V: Visitor>(&self, visitor: &mut V) {
        let Self { schema, payload, pointer, scratch, index, span, .. } = *self;
        // The parts of the view are handed over one by one, so that the compiler need not put each field that is
        // visited into memory.
        if !self.is_labelled() {
            let visitor = &mut Unnamed { visitor, fields: HashMap::new() };
            walk(schema, payload, pointer, scratch, (index, span.start), visitor);
        } else if self.with_single(|value| visitor.value(index, self.field, value)).is_none() {
            walk(schema, payload, pointer, scratch, (index, span.start), visitor);
        }
    }

    /// Appends its integers to `numbers`, signed ones by their bits: of an array or struct, all that are within it.
    pub fn push_numbers(&self, numbers: &mut Vec<u64>) {
        struct Numbers<'n>(&'n mut Vec<u64>);

        impl Visitor for Numbers<'_> {
            fn value(&mut self, _: usize, _: &Field, value: Value<'_>) {
                self.0.extend(value.as_u64());
            }
        }

        self.visit(&mut Numbers(numbers));
    }

    /// Returns the value of a field that its bytes alone state: all but the rare ones.
    #[inline]
    fn single(&self) -> Option<Value<'a>> {
        self.with_single(|value| value)
    }

    /// Hands over what [`FieldView::single`] returns. Each kind of value is handed over at a place of its own, where
    /// the compiler knows its variant.
    #[inline]
    fn with_single<R>(&self, take: impl FnOnce(Value<'a>) -> R) -> Option<R> {
        Some(match self.step.read {
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
            Read::Utf16 => take(Value::Utf16(Utf16Text(self.text(&[0, 0])))),
            Read::Ansi => take(Value::Ansi(AnsiText(self.text(&[0])))),
            Read::Utf8 => take(Value::Utf8(self.text(&[0]))),
            Read::Bits { slot, first, count } => {
                take(bits_of(*self.scratch.slots().get(usize::from(slot))?, first, count))
            }
            Read::Walk => return None,
        })
    }

    /// Returns its first bytes.
    #[inline]
    fn first<const N: usize>(&self) -> Option<[u8; N]> {
        let start = self.span.start as usize;
        self.payload.get(start..start + N)?.first_chunk().copied()
    }

    /// Returns the bytes of a text without its NUL.
    #[inline]
    fn text(&self, nul: &[u8]) -> &'a [u8] {
        let text = self.bytes();
        text.strip_suffix(nul).unwrap_or(text)
    }

    #[inline]
    const fn is_labelled(&self) -> bool {
        self.index < self.labelled
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
        let Self { schema, payload, pointer, scratch, .. } = *self;
        run(schema, payload, pointer, scratch, |runner| runner.value(self.index, start).map(|(value, _)| value))
    }

    #[cold]
    fn characters(&self) -> Option<Value<'a>> {
        let prefix = if self.field.count == Count::Prefix16 { 2 } else { 0 };
        let unit = if matches!(self.field.wire, Wire::Scalar(Scalar::U16 | Scalar::I16)) { 2 } else { 1 };
        self.bytes().get(prefix..).map(|text| Value::of_characters(text, unit))
    }

    /// Returns the name, which need not be unique in the event.
    pub fn name(&self) -> &'a str {
        &self.field.name
    }

    /// Returns the schema that it is a field of.
    pub const fn schema(&self) -> &'a Schema {
        self.schema
    }

    /// Returns its index in [`Schema::fields`].
    pub const fn index(&self) -> usize {
        self.index
    }

    /// Returns its bytes in the payload, with length prefix and NUL.
    #[inline]
    pub fn bytes(&self) -> &'a [u8] {
        self.payload.get(self.span.start as usize..self.span.end as usize).unwrap_or_default()
    }

    /// Returns the map of its values; `None` also where the labels of an event would be far longer than its payload
    /// (see [`limits::shown`]).
    pub fn map(&self) -> Option<&'a crate::schema::Map> {
        self.schema.map(self.field).filter(|_| self.is_labelled())
    }
}

/// Hands over the values of the field at a place and offset.
#[inline(never)]
fn walk<V: Visitor>(
    schema: &Schema,
    payload: &[u8],
    pointer: PointerSize,
    scratch: &Scratch,
    (index, start): (usize, u32),
    visitor: &mut V,
) {
    run(schema, payload, pointer, scratch, |runner| runner.field(index, start as usize, visitor));
}

/// Runs an executor over all of the payload, as when the field was located: where it ends decides what still fits. The
/// executor has its own copy of the values that fields refer to: those inside structs change while it walks.
#[inline]
fn run<'a, R>(
    schema: &Schema,
    payload: &'a [u8],
    pointer: PointerSize,
    scratch: &Scratch,
    work: impl FnOnce(&mut Runner<'_, 'a>) -> R,
) -> R {
    /// The most references of nearly all schemas: the whole table is large to copy for each field.
    const FEW: usize = 4;
    let known = scratch.slots();
    let (mut few, mut all);
    let slots: &mut [u64] = match schema.slots() {
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
    work(&mut Runner { schema, payload, pointer, slots, budget: limits::MAX_ELEMENTS })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::Event;
    use crate::event::{BufferContext, RawEvent};
    use crate::format::{HeaderType, Marker};
    use crate::schema::SchemaSource;

    #[test]
    fn the_integers_of_a_field_are_all_within_it() {
        let scalar = |name, scalar| Field::new(name, Wire::Scalar(scalar));
        let mut builder = Schema::builder(SchemaSource::USER.into());
        builder.field(scalar("One", Scalar::I8));
        builder.field(scalar("Some", Scalar::U16).counted(Count::Fixed(2)));
        builder.begin_struct(Field::new("Both", Wire::Struct { fields: 0 }));
        builder.field(scalar("Real", Scalar::F32));
        builder.field(scalar("Whole", Scalar::U8));
        builder.end_struct();
        let schema = builder.build().unwrap();
        let mut bytes = vec![0; HeaderType::System64.fixed_len()];
        bytes.extend([0xFF, 1, 2, 3, 4, 0, 0, 0x80, 0x3F, 9]);
        let marker = Marker { header: HeaderType::System64, len: bytes.len() };
        let raw = RawEvent::new(&bytes, marker, BufferContext::default()).unwrap();
        let mut scratch = Scratch::default();
        let event = Event::locate(raw, Some(&schema), None, &mut scratch);
        let mut numbers = vec![7];
        event.fields().for_each(|field| field.push_numbers(&mut numbers));
        assert_eq!(numbers, [7, u64::MAX, 0x201, 0x403, 9]);
    }
}
