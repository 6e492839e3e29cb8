//! Walking a payload by its schema.

use crate::bytes::{PointerSize, Sid, nul_terminated, sid_len, u16_at, u32_at, utf16_nul, wrapped_sid};
use crate::limits;
use crate::schema::{Count, Encoding, Field, Len, Scalar, Schema, Wire};

use super::Value;

/// Receives what lies in a field, in order.
pub trait Visitor {
    /// A single value or one element of an array. `index` is the field's index in [`Schema::fields`].
    fn value(&mut self, index: usize, field: &Field, value: Value<'_>);
    /// An array begins; its elements follow.
    fn begin_array(&mut self, _index: usize, _field: &Field) {}
    /// The array ended.
    fn end_array(&mut self, _index: usize, _field: &Field) {}
    /// A struct (or a struct that is an array element) begins; its members follow.
    fn begin_struct(&mut self, _index: usize, _field: &Field) {}
    /// The struct ended.
    fn end_struct(&mut self, _index: usize, _field: &Field) {}
}

/// Wants nothing: for finding where fields end.
pub(crate) struct Ignore;

impl Visitor for Ignore {
    #[inline]
    fn value(&mut self, _: usize, _: &Field, _: Value<'_>) {}
}

/// Values of the fields that others refer to, by slot.
pub(crate) type Slots = [u64; limits::MAX_REFERENCES];

/// The executor: a schema, a payload and the values that lengths and counts refer to.
pub(crate) struct Runner<'a, 'd> {
    pub(crate) schema: &'a Schema,
    /// What can be read: a text without a NUL ends it.
    pub(crate) payload: &'d [u8],
    pub(crate) pointer: PointerSize,
    pub(crate) slots: &'a mut [u64],
    /// Array elements and struct members without bytes that are still allowed.
    pub(crate) budget: usize,
}

impl<'d> Runner<'_, 'd> {
    /// Walks the field at `index` of the schema, which begins at `at` of the payload. Returns where it ends, or `None`
    /// if it does not fit.
    #[inline]
    pub(crate) fn field<V: Visitor>(&mut self, index: usize, at: usize, visitor: &mut V) -> Option<usize> {
        let field = self.schema.fields().get(index)?;
        match field.count {
            Count::One => self.element(index, at, visitor),
            _ => self.array(index, at, visitor),
        }
    }

    /// Finds the end of a top-level field.
    #[inline]
    pub(super) fn top_level(&mut self, index: usize, at: usize) -> Option<usize> {
        let field = self.schema.fields().get(index)?;
        match (field.count, field.wire) {
            (Count::One, Wire::Scalar(_)) => self.value(index, at).map(|(_, end)| end),
            (Count::One, _) => self.field(index, at, &mut Ignore),
            (_, Wire::Scalar(scalar)) => {
                let (count, start) = self.count(field.count, at)?;
                Some(start + self.scalars(field.count, scalar, count, start)?.len())
            }
            _ => self.field(index, at, &mut Ignore),
        }
    }

    /// Returns the number of elements of an array that begins at `at`, and where the first one begins.
    #[inline]
    fn count(&self, count: Count, at: usize) -> Option<(usize, usize)> {
        Some(match count {
            Count::One => (1, at),
            Count::Fixed(count) => (count.into(), at),
            Count::Field(place) => (usize::try_from(self.referenced(place)?).ok()?, at),
            Count::Prefix16 => (u16::from_le_bytes(*self.payload.get(at..)?.first_chunk()?).into(), at + 2),
            Count::Rest => (usize::MAX, at),
        })
    }

    /// Returns the bytes of an array of scalars, whose elements nothing refers to.
    #[inline]
    fn scalars(&self, rule: Count, scalar: Scalar, count: usize, at: usize) -> Option<&'d [u8]> {
        let (rest, width) = (self.payload.get(at..)?, scalar.len(self.pointer));
        // All widths are powers of two.
        let len = if rule == Count::Rest { rest.len() } else { count.checked_mul(width)? };
        rest.get(..len).filter(|elements| elements.len() & (width - 1) == 0)
    }

    fn array<V: Visitor>(&mut self, index: usize, start: usize, visitor: &mut V) -> Option<usize> {
        let field = self.schema.fields().get(index)?;
        let (count, mut at) = self.count(field.count, start)?;
        if let Wire::Scalar(scalar) = field.wire {
            let elements = self.scalars(field.count, scalar, count, at)?;
            if field.is_characters() {
                visitor.value(index, field, Value::of_characters(elements, scalar.len(self.pointer)));
            } else {
                visitor.begin_array(index, field);
                Value::read_all(scalar, elements, self.pointer, |value| visitor.value(index, field, value));
                visitor.end_array(index, field);
            }
            return Some(at + elements.len());
        }
        visitor.begin_array(index, field);
        for _ in 0..count {
            if field.count == Count::Rest && at >= self.payload.len() {
                break;
            }
            let end = self.element(index, at, visitor)?;
            self.charge(at, end)?;
            at = end;
        }
        visitor.end_array(index, field);
        Some(at)
    }

    #[inline]
    fn element<V: Visitor>(&mut self, index: usize, at: usize, visitor: &mut V) -> Option<usize> {
        let field = self.schema.fields().get(index)?;
        if let Wire::Struct { fields } = field.wire {
            visitor.begin_struct(index, field);
            let end = self.members(index, usize::from(fields), at, visitor)?;
            visitor.end_struct(index, field);
            return Some(end);
        }
        let (value, end) = self.value(index, at)?;
        visitor.value(index, field, value);
        Some(end)
    }

    /// Returns the value at `at`, one element of the field at `index`, and where it ends. `None` for a struct.
    #[inline]
    pub(super) fn value(&mut self, index: usize, at: usize) -> Option<(Value<'d>, usize)> {
        let field = self.schema.fields().get(index)?;
        match field.wire {
            Wire::Scalar(scalar) => {
                let (value, len) = Value::read(scalar, self.payload.get(at..)?, self.pointer)?;
                if let Some(slot) = field.slot.and_then(|slot| self.slots.get_mut(usize::from(slot))) {
                    *slot = value.as_u64().unwrap_or(0);
                }
                Some((value, at + len))
            }
            Wire::Text { encoding, len } => {
                let (text, end) = self.text(encoding, len, at)?;
                Some((Value::of_text(encoding, text), end))
            }
            Wire::Bytes { len } => {
                let (bytes, end) = self.bytes(len, 1, at)?;
                Some((Value::Bytes(bytes), end))
            }
            Wire::Sid { wrapped } => {
                let (sid, end) = self.sid(wrapped, at)?;
                Some((Value::Sid(sid), end))
            }
            Wire::Bits { of, first, count } => Some((self.bits(of, first, count)?, at)),
            Wire::Struct { .. } => None,
        }
    }

    fn members<V: Visitor>(&mut self, index: usize, places: usize, mut at: usize, visitor: &mut V) -> Option<usize> {
        let mut member = index + 1;
        while member <= index + places {
            let end = self.field(member, at, visitor)?;
            self.charge(at, end)?;
            at = end;
            member += self.schema.fields().get(member)?.span();
        }
        Some(at)
    }

    /// Counts array elements and struct members without bytes, so that a large array of large structs of nothing costs
    /// no more than other payloads; the payload limits all others.
    #[inline]
    fn charge(&mut self, start: usize, end: usize) -> Option<()> {
        if start == end {
            self.budget = self.budget.checked_sub(1)?;
        }
        Some(())
    }

    #[inline]
    fn text(&mut self, encoding: Encoding, len: Len, at: usize) -> Option<(&'d [u8], usize)> {
        let unit = if encoding == Encoding::Utf16 { 2 } else { 1 };
        if len != Len::Nul {
            return self.bytes(len, unit, at);
        }
        // What is shorter than a character is not text: the field is missing. A text without its NUL ends with the
        // payload.
        let rest = self.payload.get(at..).filter(|rest| rest.len() >= unit)?;
        if unit == 2 {
            let (text, taken) = utf16_nul(rest);
            if text.len() == taken && taken < rest.len() {
                // A last odd byte is surplus: neither text nor another field.
                self.payload = self.payload.get(..at + taken)?;
            }
            return Some((text, at + taken));
        }
        let (text, taken) = nul_terminated(rest);
        Some((text, at + taken))
    }

    /// Bytes by a length rule that counts units of `unit` bytes, or bytes where a prefix has the length.
    #[inline]
    fn bytes(&self, len: Len, unit: usize, at: usize) -> Option<(&'d [u8], usize)> {
        let rest = self.payload.get(at..)?;
        let (start, len): (usize, usize) = match len {
            Len::Fixed(count) => (0, usize::from(count) * unit),
            Len::Field(place) => (0, usize::try_from(self.referenced(place)?).ok()?.checked_mul(unit)?),
            Len::Within { used, room } => return self.within(rest.get(..usize::from(room) * unit)?, used, unit, at),
            Len::Nul => return None,
            Len::Prefix16 => (2, usize::from(u16::from_le_bytes(*rest.first_chunk()?))),
            Len::Prefix16Swapped => (2, usize::from(u16_at(rest.get(..2)?, 0).swap_bytes())),
            Len::Prefix32 => (4, u32_at(rest.get(..4)?, 0) as usize),
            Len::Rest => (0, rest.len()),
        };
        let end = start.checked_add(len)?;
        Some((rest.get(start..end)?, at + end))
    }

    /// The used part of a room of fixed size.
    #[cold]
    fn within(&self, room: &'d [u8], used: u16, unit: usize, at: usize) -> Option<(&'d [u8], usize)> {
        let used = usize::try_from(self.referenced(used)?).ok()?.saturating_mul(unit).min(room.len());
        Some((room.get(..used)?, at + room.len()))
    }

    /// Bits of another field, which take no bytes themselves.
    #[inline(never)]
    fn bits(&self, of: u16, first: u8, count: u8) -> Option<Value<'d>> {
        Some(bits_of(self.referenced(of)?, first, count))
    }

    fn sid(&self, wrapped: bool, at: usize) -> Option<(Option<Sid<'d>>, usize)> {
        let rest = self.payload.get(at..)?;
        if !wrapped {
            let sid = Sid::new(rest)?;
            return Some((Some(sid), at + sid_len(rest)?));
        }
        let (taken, start) = wrapped_sid(rest, self.pointer)?;
        Some((start.and_then(|start| Sid::new(rest.get(start..)?)), at + taken))
    }

    fn referenced(&self, place: u16) -> Option<u64> {
        let slot = self.schema.fields().get(usize::from(place))?.slot?;
        self.slots.get(usize::from(slot)).copied()
    }
}

/// Returns some of the bits of an integer.
#[inline]
pub(super) fn bits_of<'d>(integer: u64, first: u8, count: u8) -> Value<'d> {
    let bits = integer.checked_shr(first.into()).unwrap_or(0);
    let mask = 1_u64.checked_shl(count.into()).unwrap_or(0).wrapping_sub(1);
    Value::Unsigned(bits & mask, count.div_ceil(8))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::SchemaSource;

    /// Returns where an array of structs with the one member ends.
    fn end(count: u16, member: &Field, members: usize, payload: &[u8]) -> Option<usize> {
        let mut builder = Schema::builder(SchemaSource::USER.into());
        builder.begin_struct(Field::new("S", Wire::Struct { fields: 0 }).counted(Count::Fixed(count)));
        for _ in 0..members {
            builder.field(member.clone());
        }
        builder.end_struct();
        let (schema, pointer) = (builder.build().unwrap(), PointerSize::Eight);
        let slots = &mut [0; limits::MAX_REFERENCES];
        let mut runner = Runner { schema: &schema, payload, pointer, slots, budget: limits::MAX_ELEMENTS };
        runner.field(0, 0, &mut Ignore)
    }

    #[test]
    fn only_what_takes_no_bytes_is_counted() {
        let byte = Field::new("b", Wire::Scalar(Scalar::U8)).counted(Count::Fixed(1));
        assert_eq!(end(40_000, &byte, 1, &vec![0; 40_000]), Some(40_000));
        let nothing = Field::new("n", Wire::Bytes { len: Len::Fixed(0) });
        assert_eq!(end(u16::MAX, &nothing, 0, &[]), Some(0));
        assert_eq!(end(100, &nothing, 100, &[]), Some(0));
        assert_eq!(end(u16::MAX, &nothing, 100, &[]), None);
    }
}
