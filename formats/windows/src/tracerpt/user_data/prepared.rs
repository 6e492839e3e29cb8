//! Templates whose fields go from the payload into the output.

use etwkit::decode::{Event, PlacedFields};
use etwkit::render::pen::{Literal, Pen};
use etwkit::schema::Schema;

use super::super::columns::Columns;
use super::super::escape::{self, XmlEscape};
use super::super::prepared::push_field;
use super::filler::Filler;
use super::{Step, Template, push_remainder};
use crate::ops::{FieldOp, FieldOps, Tags};

const BEGIN: &[u8; 12] = b"\t<UserData>\n";
const END: &[u8; 13] = b"\t</UserData>\n";
const OTHERS_BEGIN: &[u8; 44] = b"\t\t<!-- fields that the template leaves out:\n";
const OTHERS_END: &[u8; 6] = b"\t\t-->\n";

/// A template of a schema, ready for events whose fields are all readable.
#[derive(Debug)]
pub(in super::super) struct PreparedTemplate {
    steps: Box<[PreparedStep]>,
    /// The fields that the template does not show, in a comment.
    others: FieldOps,
}

#[derive(Debug)]
enum PreparedStep {
    Text(Literal),
    Field {
        op: FieldOp,
        tags: Tags,
        /// The same for the executor.
        open: Box<[u8]>,
        close: Box<[u8]>,
    },
    /// The field at this place, within an attribute.
    Attribute(usize),
}

impl PreparedTemplate {
    /// Prepares a template; `None` if fields may be absent, and where what is before a field decides how it is shown.
    pub(in super::super) fn new(template: &Template, schema: &Schema, columns: &Columns) -> Option<Self> {
        let step = |step: &Step| PreparedStep::new(step, schema, columns);
        let steps: Box<[PreparedStep]> = template.steps.iter().map(step).collect::<Option<_>>()?;
        let shown = template.others.iter().copied().filter(|place| columns.push_at(*place).is_some());
        let other = |place: usize| {
            let tags = columns.comment_tags_at(place)?;
            let op =
                FieldOp::new(place, schema.fields().get(place)?, columns.looks_at(place, schema, escape::push_str)?)?;
            Some((op.digits_only(), tags))
        };
        let others: FieldOps = shown.map(other).collect::<Option<_>>()?;
        Some(Self { steps, others })
    }

    /// Writes the element with the fields of an event. Fields that the template does not show are in a comment.
    pub(in super::super) fn write(&self, pen: &mut Pen, fields: &PlacedFields<'_>, columns: &Columns) {
        pen.block(BEGIN, BEGIN.len());
        for step in &self.steps {
            step.write(pen, fields, columns);
        }
        if !self.others.is_empty() {
            pen.block(OTHERS_BEGIN, OTHERS_BEGIN.len());
            for (op, tags) in self.others.iter() {
                if !op.write::<XmlEscape, _>(pen, fields, tags) {
                    pen.with_vec(|out| push_other(out, &fields.event(), op.place, columns));
                }
            }
            pen.block(OTHERS_END, OTHERS_END.len());
        }
        if !fields.remainder().is_empty() {
            pen.with_vec(|out| push_remainder(out, fields.remainder()));
        }
        pen.block(END, END.len());
    }
}

impl PreparedStep {
    fn new(step: &Step, schema: &Schema, columns: &Columns) -> Option<Self> {
        let (place, open, close): (usize, &[u8], &[u8]) = match step {
            Step::Text(text) => return Some(Self::Text(Literal::new(text))),
            Step::AttributeValue(place) => {
                let field = schema.fields().get(*place).filter(|field| !field.optional);
                return field.map(|_| Self::Attribute(*place));
            }
            Step::Value(place) => (*place, b"", b""),
            Step::Element { open, place, close } => (*place, open, close),
        };
        let field = schema.fields().get(place).filter(|field| !field.optional)?;
        let op = columns.looks_at(place, schema, escape::push_str).and_then(|looks| FieldOp::new(place, field, looks));
        let op = op.unwrap_or_else(|| FieldOp::walked(place));
        let tags = if open.is_empty() { Tags::blanks() } else { Tags::new(open, close) };
        Some(Self::Field { op, tags, open: open.into(), close: close.into() })
    }

    #[inline]
    fn write(&self, pen: &mut Pen, fields: &PlacedFields<'_>, columns: &Columns) {
        match self {
            Self::Text(text) => pen.literal(text),
            Self::Attribute(place) => fill(pen, fields, columns, *place, (b"", b"", true)),
            Self::Field { op, tags, .. } if op.write::<XmlEscape, _>(pen, fields, tags) => {}
            Self::Field { op, open, close, .. } => fill(pen, fields, columns, op.place, (open, close, false)),
        }
    }
}

/// Writes the field at a place as the executor reads it, with tags around each element, or within an attribute.
fn fill(
    pen: &mut Pen,
    fields: &PlacedFields<'_>,
    columns: &Columns,
    place: usize,
    (open, close, in_attribute): (&[u8], &[u8], bool),
) {
    pen.with_vec(|out| {
        let event = fields.event();
        if let (Some(schema), Some(view)) = (event.schema(), event.field_at(place)) {
            let filler = Filler::new(out, schema, columns, event.clock(), (open, close));
            filler.in_attribute(in_attribute).fill(&view);
        }
    });
}

/// Appends a field in a comment.
fn push_other(out: &mut Vec<u8>, event: &Event<'_>, place: usize, columns: &Columns) {
    push_field(out, event, place, columns);
    escape::hyphens_from(out, 0);
}
