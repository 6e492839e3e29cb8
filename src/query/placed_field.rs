//! Fields that a comparison reads from a payload before it is decoded.

use crate::decode::{EventType, Value};
use crate::event::RawEvent;
use crate::render::value::ValueContext;
use crate::schema::{Count, DisplayFormat, Field, Scalar, Schema, Wire};
use crate::select::{Path, is_all_of, leads_to};

use super::comparison::Comparison;
use super::value_comparison::field_value;

/// A field of one value at a place that does not depend on the payload, of a type with one layout.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacedField {
    place: usize,
    scalar: Scalar,
}

impl PlacedField {
    /// Returns the field of a type that a path leads to; `None` if that may be something else.
    pub(super) fn new(row: &EventType, path: &Path) -> Option<Self> {
        let schema = row.schema()?;
        let is_single = |field: &Field| field.count == Count::One && !matches!(field.wire, Wire::Struct { .. });
        let is_plain = schema.alternative().is_none() && !schema.is_guarded() && schema.converter().is_none();
        if !is_plain || !schema.fields().iter().all(is_single) {
            return None;
        }
        let mut found = schema.top_level().filter(|(_, field)| leads_to(field, path));
        let (Some((place, field)), None) = (found.next(), found.next()) else { return None };
        // The text of these depends on the clock.
        let is_time = matches!(field.display, DisplayFormat::ClockTime | DisplayFormat::UnixTime);
        let Wire::Scalar(scalar) = field.wire else { return None };
        (is_all_of(field, path) && !is_time).then_some(Self { place, scalar })
    }

    /// Returns whether the field of an event passes; `None` if it is not where the schema states, or may not be shown.
    pub(super) fn passes(self, event: &RawEvent<'_>, schema: &Schema, comparison: &Comparison) -> Option<bool> {
        let (payload, pointer) = (event.payload(), event.pointer_size());
        if schema.cost().may_exceed(payload.len(), 0) {
            return None;
        }
        let prefix = schema.fixed_prefix(pointer);
        let (span, end) = (prefix.get(self.place)?, prefix.last()?.end as usize);
        let rest = payload.get(span.start as usize..).filter(|_| end <= payload.len())?;
        let (value, _) = Value::read(self.scalar, rest, pointer)?;
        let field = schema.fields().get(self.place)?;
        Some(field_value(&value, ValueContext::new(field).map(schema.map(field)), comparison))
    }
}
