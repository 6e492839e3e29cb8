//! Derived facts of events whose schema fits exactly: their fields are where the schema states, and are not searched.

use crate::bytes::{PointerSize, Utf16Text, utf16_nul};
use crate::clock::Clock;
use crate::decode::{Attribution, PendingEvent, Value};
use crate::event::RawEvent;
use crate::schema::{Count, Encoding, Field, Len, Scalar, Schema, Wire};
use crate::system::System;

use super::HeaderField;
use super::facts::Facts;
use super::sources::{Role, sources};

/// Where the fields of a type are that derived facts follow from.
#[derive(Debug)]
pub(crate) struct Placed {
    pointer: PointerSize,
    /// Where scalars begin.
    scalars: [Box<[(u32, Scalar)]>; Role::COUNT],
    /// Where texts begin that end with a NUL.
    texts: [Option<u32>; Role::COUNT],
}

impl Placed {
    /// Finds what the derived `fields` of a type follow from. `None` if something is not at a constant place.
    pub(crate) fn new(fields: &[HeaderField], schema: &Schema, pointer: PointerSize) -> Option<Self> {
        let mut placed = Self { pointer, scalars: Default::default(), texts: Default::default() };
        for field in fields {
            for role in sources(*field) {
                placed.add(*role, schema)?;
            }
            if *field == HeaderField::ObjectName {
                placed.add(Role::ObjectName, schema)?;
            }
        }
        Some(placed)
    }

    /// Adds the fields of a role.
    fn add(&mut self, role: Role, schema: &Schema) -> Option<()> {
        let prefix = schema.fixed_prefix(self.pointer);
        let mut scalars = Vec::new();
        for place in role.names().iter().filter_map(|name| schema.index_of(name)) {
            let field = schema.fields().get(place)?;
            if matches!(role, Role::Path | Role::ObjectName) {
                // The first field that is not in the prefix begins where the prefix ends.
                let is_next = place == prefix.len() && is_text(field);
                *self.texts.get_mut(role as usize)? =
                    Some(prefix.last().map_or(0, |span| span.end)).filter(|_| is_next);
                is_next.then_some(())?;
            } else {
                let Wire::Scalar(scalar) = field.wire else { return None };
                scalars.push((prefix.get(place)?.start, scalar));
            }
        }
        *self.scalars.get_mut(role as usize)? = scalars.into();
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
        let number = |(start, scalar): &(u32, Scalar)| {
            let (value, _) = Value::read(*scalar, payload.get(*start as usize..)?, self.pointer)?;
            value.as_u64()
        };
        self.scalars.get(role as usize)?.iter().find_map(|place| look(number(place)?))
    }
}

fn is_text(field: &Field) -> bool {
    let is_utf16 = matches!(field.wire, Wire::Text { encoding: Encoding::Utf16, len: Len::Nul });
    is_utf16 && field.count == Count::One
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
        Some(String::from(Utf16Text(utf16_nul(text).0)))
    }
}
