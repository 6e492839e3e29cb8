//! Derived facts of events whose schema fits exactly: their fields are where the schema says, and are not searched.

use crate::bytes::{PointerSize, Utf16Text, u16_at, u32_at, u64_at};
use crate::clock::Clock;
use crate::decode::{Attribution, PendingEvent};
use crate::event::RawEvent;
use crate::schema::{Count, Encoding, Field, Len, Scalar, Schema, Span, Wire};
use crate::system::System;

use super::HeaderField;
use super::facts::Facts;
use super::sources::{Role, sources};

/// Where the fields of a type are that derived facts follow from.
#[derive(Debug, Default)]
pub(crate) struct Placed {
    numbers: [Box<[Span]>; Role::COUNT],
    /// Where texts begin that end with a NUL.
    texts: [Option<u32>; Role::COUNT],
}

impl Placed {
    /// Finds what the derived `fields` of a type follow from. `None` if something is not at a constant place.
    pub(crate) fn new(fields: &[HeaderField], schema: &Schema, pointer: PointerSize) -> Option<Self> {
        let mut placed = Self::default();
        for field in fields {
            for role in sources(*field) {
                placed.add(*role, schema, pointer)?;
            }
            if *field == HeaderField::ObjectName {
                placed.add(Role::ObjectName, schema, pointer)?;
            }
        }
        Some(placed)
    }

    /// Adds the fields of a role.
    fn add(&mut self, role: Role, schema: &Schema, pointer: PointerSize) -> Option<()> {
        let prefix = schema.fixed_prefix(pointer);
        let mut spans = Vec::new();
        for place in role.names().iter().filter_map(|name| schema.place(name)) {
            let field = schema.fields().get(place)?;
            if matches!(role, Role::Path | Role::ObjectName) {
                // The first field that is not in the prefix begins where the prefix ends.
                let is_next = place == prefix.len() && is_text(field);
                *self.texts.get_mut(role as usize)? =
                    Some(prefix.last().map_or(0, |span| span.end)).filter(|_| is_next);
                is_next.then_some(())?;
            } else {
                spans.push(*prefix.get(place).filter(|_| is_number(field))?);
            }
        }
        *self.numbers.get_mut(role as usize)? = spans.into();
        Some(())
    }

    /// Returns the text of a role, from its first byte to the end of the payload.
    #[inline]
    pub(crate) fn text<'p>(&self, role: Role, payload: &'p [u8]) -> Option<&'p [u8]> {
        let start = (*self.texts.get(role as usize)?)?;
        payload.get(start as usize..).filter(|text| !text.is_empty())
    }

    /// Calls `look` with the integers of a role until it returns something.
    #[inline]
    pub(crate) fn find<T>(&self, role: Role, payload: &[u8], mut look: impl FnMut(u64) -> Option<T>) -> Option<T> {
        let spans = self.numbers.get(role as usize)?;
        spans.iter().find_map(|span| look(number(payload.get(span.start as usize..span.end as usize)?)?))
    }
}

/// Returns whether a field is an integer whose value is its bytes: others have a sign to extend.
fn is_number(field: &Field) -> bool {
    let Wire::Scalar(scalar) = field.wire else { return false };
    let is_plain =
        matches!(scalar, Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64 | Scalar::I64 | Scalar::Pointer);
    is_plain && field.count == Count::One
}

fn is_text(field: &Field) -> bool {
    let is_utf16 = matches!(field.wire, Wire::Text { encoding: Encoding::Utf16, len: Len::Nul });
    is_utf16 && field.count == Count::One
}

/// Reads an unsigned integer.
#[inline]
fn number(bytes: &[u8]) -> Option<u64> {
    Some(match bytes.len() {
        1 => (*bytes.first()?).into(),
        2 => u16_at(bytes, 0).into(),
        4 => u32_at(bytes, 0).into(),
        8 => u64_at(bytes, 0),
        _ => return None,
    })
}

/// An event whose schema fits exactly.
#[derive(Debug)]
pub(crate) struct PlacedFacts<'a, 'e> {
    pub(crate) event: &'a PendingEvent<'e>,
    pub(crate) placed: &'a Placed,
    pub(crate) found: Attribution,
}

impl<'e> Facts<'e> for PlacedFacts<'_, 'e> {
    fn raw(&self) -> &RawEvent<'e> {
        self.event.raw()
    }

    fn schema(&self) -> Option<&'e Schema> {
        self.event.schema()
    }

    fn clock(&self) -> Option<&Clock> {
        self.event.clock()
    }

    fn system(&self) -> &'e System {
        self.event.system()
    }

    fn attribution(&self) -> Attribution {
        self.found
    }

    fn find<T>(&self, role: Role, look: impl FnMut(u64) -> Option<T>) -> Option<T> {
        self.placed.find(role, self.raw().payload(), look)
    }

    fn text(&self, role: Role) -> Option<String> {
        let text = self.placed.text(role, self.raw().payload())?;
        let is_nul = |unit: &[u8]| matches!(unit, [0, 0]);
        let units = text.chunks_exact(2).position(is_nul)?;
        Some(Utf16Text(text.get(..2 * units)?).to_string())
    }
}
