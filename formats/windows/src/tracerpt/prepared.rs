//! The elements of fields that go from the payload into the output.

use etwkit::decode::{Event, PlacedFields};
use etwkit::event::Kind;
use etwkit::render::pen::Pen;
use etwkit::schema::{Count, Field, Schema};

use super::columns::Columns;
use super::elements::Writer;
use super::escape::{self, XmlEscape};
use crate::ops::{FieldOp, FieldOps};

/// The elements of a schema's fields in `<EventData>`.
#[derive(Debug)]
pub(super) struct Elements {
    fields: FieldOps,
}

impl Elements {
    /// Prepares the fields of a schema; `None` if fields may be absent, and where what is before a field decides how it
    /// is shown.
    pub(super) fn new(schema: &Schema, kind: Kind, columns: &Columns) -> Option<Self> {
        let is_counted = |(place, field): (usize, &Field)| field.count == Count::One && columns.is_numbered_at(place);
        if kind == Kind::StringOnly || schema.fields().iter().enumerate().any(is_counted) {
            return None;
        }
        let shown = schema.top_level().filter_map(|(place, field)| {
            let (tags, looks) = (columns.tags_at(place)?, columns.looks_at(place, schema, escape::push_str)?);
            Some(FieldOp::new(place, field, looks).map(|op| (op, tags)))
        });
        Some(Self { fields: shown.collect::<Option<_>>()? })
    }

    /// Writes the fields of an event.
    pub(super) fn write(&self, pen: &mut Pen, fields: &PlacedFields<'_>, columns: &Columns) {
        for (op, tags) in self.fields.iter() {
            if !op.write::<XmlEscape, _>(pen, fields, tags) {
                pen.with_vec(|out| push_field(out, &fields.event(), op.place, columns));
            }
        }
    }
}

/// Appends the elements of the field at a place.
pub(super) fn push_field(out: &mut Vec<u8>, event: &Event<'_>, place: usize, columns: &Columns) {
    if let (Some(schema), Some(view)) = (event.schema(), event.field_at(place)) {
        view.visit(&mut Writer::new(out, event, schema, columns, false));
    }
}
