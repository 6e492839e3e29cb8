//! The fields of an event: `<EventData>` and the elements that may replace it.

use std::io::Write as _;

use etwkit::decode::{Event, EventType, FieldView, PlacedFields, UndecodedReason, Value};
use etwkit::event::Kind;
use etwkit::limits;
use etwkit::render::pen::Pen;
use etwkit::render::value::ValueContext;
use etwkit::render::{Inserts, push_message_with};
use etwkit::schema::{Field, Message, Schema};

use super::columns::Columns;
use super::elements::Writer;
use super::message::PlainMessage;
use super::prepared::Elements;
use super::user_data::{PreparedTemplate, Template, push_remainder};
use super::{escape, value};
use crate::names::{self, Alias, OfSchema};

/// `ERROR_EVT_EVENT_TEMPLATE_NOT_FOUND`: the provider's manifest has no such event.
const NO_SCHEMA: u32 = 15_003;
/// `ERROR_EVT_INVALID_EVENT_DATA`: the payload does not fit the schema.
const MISFIT: u32 = 15_005;

/// How the fields of a schema are printed.
#[derive(Debug, Default)]
pub(super) struct DataColumns {
    columns: Columns,
    template: Option<Template>,
    message: Option<PlainMessage>,
    /// Short cuts for events whose fields are all readable.
    elements: Option<Elements>,
    prepared: Option<PreparedTemplate>,
}

impl DataColumns {
    /// Returns the columns of an event; `known` are those of another one of the same key and schema.
    pub(super) fn of(
        event: &Event<'_>,
        alias: Option<(&Alias, bool)>,
        known: Option<&OfSchema<Self>>,
    ) -> OfSchema<Self> {
        let make = || {
            event.schema().map_or_else(Self::default, |schema| {
                let columns = Columns::new(event.raw(), schema, alias);
                let template = schema.reported().user_data().map(|tree| Template::new(schema, tree));
                let message = schema.reported().message();
                Self {
                    message: message.and_then(|message| PlainMessage::new(schema, message, &columns)),
                    elements: Elements::new(schema, event.raw().kind(), &columns),
                    prepared: template.as_ref().and_then(|of| PreparedTemplate::new(of, schema, &columns)),
                    template,
                    columns,
                }
            })
        };
        OfSchema::new(event, alias, known, make)
    }

    /// Writes the event's message, escaped.
    pub(super) fn write_message(&self, pen: &mut Pen, fields: &PlacedFields<'_>) {
        let is_written = self.message.as_ref().is_some_and(|message| message.write(pen, fields, &self.columns));
        if !is_written {
            pen.with_vec(|out| self.push_message(out, &fields.event()));
        }
    }

    /// Appends the event's message, escaped.
    pub(super) fn push_message(&self, out: &mut Vec<u8>, event: &Event<'_>) {
        if let Some(message) = &self.message {
            message.push(out, event, &self.columns);
        } else if let Some(schema) = event.schema()
            && let Some(message) = schema.reported().message()
        {
            let start = out.len();
            self.push_unprepared(out, event, (schema, message));
            escape::escape_from(out, start);
        }
    }

    /// Appends a message that is not prepared.
    fn push_unprepared(&self, out: &mut Vec<u8>, event: &Event<'_>, (schema, message): (&Schema, &Message)) {
        if !schema.has_report() {
            return push_message_with(out, message, event, event.clock(), &value::push_insert);
        }
        let inserts = ReportedInserts { columns: &self.columns, schema };
        push_message_with(out, message, event, event.clock(), &inserts);
    }
}

/// The inserts of a message that Windows has for an event whose schema is a table: fields of its description.
struct ReportedInserts<'c> {
    columns: &'c Columns,
    schema: &'c Schema,
}

impl Inserts for ReportedInserts<'_> {
    fn field<'a>(&self, event: &Event<'a>, number: u16) -> Option<FieldView<'a>> {
        names::reported_field(event, self.schema, number)
    }

    fn shows(&self, place: usize, _: &Field) -> bool {
        self.columns.push_insert_at(place).is_some()
    }

    fn push(&self, out: &mut Vec<u8>, place: usize, value: Value<'_>, context: ValueContext<'_>) {
        let push = self.columns.push_insert_at(place).unwrap_or(value::push_insert);
        push(out, value, context.map(self.columns.map_at((place, context.field), self.schema)));
    }
}

/// Writes the element that holds the payload of an event whose fields are all readable.
#[inline]
pub(super) fn write(pen: &mut Pen, fields: &PlacedFields<'_>, data: &DataColumns) {
    if !write_prepared(pen, fields, data) {
        pen.with_vec(|out| push(out, &fields.event(), data));
    }
}

/// Writes what [`push`] appends; nothing, and `false`, for what is not prepared.
fn write_prepared(pen: &mut Pen, fields: &PlacedFields<'_>, data: &DataColumns) -> bool {
    if data.template.is_some() {
        let Some(template) = &data.prepared else { return false };
        let start = pen.place();
        template.write(pen, fields, &data.columns);
        let is_short = is_short(pen.place() - start, fields.payload());
        if !is_short {
            pen.rewind(start);
        }
        return is_short;
    }
    let Some(elements) = &data.elements else { return false };
    pen.block(b"\t<EventData>\n", 13);
    elements.write(pen, fields, &data.columns);
    if !fields.remainder().is_empty() {
        pen.with_vec(|out| push_remainder(out, fields.remainder()));
    }
    pen.block(b"\t</EventData>\n", 14);
    true
}

/// Appends the element that holds the payload.
pub(super) fn push(out: &mut Vec<u8>, event: &Event<'_>, data: &DataColumns) {
    let columns = &data.columns;
    let Some(schema) = event.layout_schema() else {
        return push_unknown(out, event, columns);
    };
    if !event.fit().is_whole() || unterminated(event).is_some() {
        return push_error(out, event, columns, MISFIT);
    }
    if push_user_data(out, event, data) {
        return;
    }
    let alone = event.raw().kind() == Kind::StringOnly;
    if !alone {
        out.extend_from_slice(b"\t<EventData>\n");
    }
    let mut writer = Writer::new(out, event, schema, columns, alone);
    let start = writer.len();
    for view in event.fields().filter(|view| columns.push_at(view.index()).is_some()) {
        view.visit(&mut writer);
    }
    if alone && writer.len() == start {
        out.extend_from_slice(b"\t<Data></Data>\n");
    }
    push_remainder(out, event.remainder());
    if !alone {
        out.extend_from_slice(b"\t</EventData>\n");
    }
}

/// Appends the payload of an event without a layout: an error where Windows knows the provider by a manifest that does
/// not have the event, else the bytes alone.
fn push_unknown(out: &mut Vec<u8>, event: &Event<'_>, columns: &Columns) {
    let reason = event.event_type().and_then(EventType::undecoded);
    if event.raw().kind() == Kind::Manifest && reason != Some(UndecodedReason::Provider) {
        return push_error(out, event, columns, NO_SCHEMA);
    }
    out.extend_from_slice(b"\t<BinaryEventData>");
    value::upper_digits(out, event.payload());
    out.extend_from_slice(b"</BinaryEventData>\n");
}

/// Returns whether there is a template, and its text is within the limit of an event; else nothing is appended.
fn push_user_data(out: &mut Vec<u8>, event: &Event<'_>, data: &DataColumns) -> bool {
    let Some(template) = &data.template else { return false };
    let start = out.len();
    template.push(out, event, &data.columns);
    let is_short = is_short(out.len() - start, event.payload());
    if !is_short {
        out.truncate(start);
    }
    is_short
}

/// Returns whether the bytes of a template are within the limit of an event.
fn is_short(bytes: usize, payload: &[u8]) -> bool {
    bytes <= limits::MAX_USER_DATA + limits::shown(payload.len())
}

/// Returns the text of a manifest's event that ends with the payload instead of with its NUL: Windows gives up on the
/// event.
pub(super) fn unterminated<'a>(event: &Event<'a>) -> Option<FieldView<'a>> {
    event.unterminated().filter(|_| event.raw().kind() == Kind::Manifest)
}

fn push_error(out: &mut Vec<u8>, event: &Event<'_>, columns: &Columns, code: u32) {
    let _ = write!(out, "\t<ProcessingErrorData>\n\t\t<ErrorCode>{code}</ErrorCode>\n\t\t<DataItemName>");
    let text = unterminated(event);
    let place = event.misfit_at().or_else(|| text.map(|text| text.index()));
    match place.and_then(|place| columns.error_name(place)) {
        Some(name) => out.extend_from_slice(name),
        None => escape::push_str(out, event.misfit_name()),
    }
    out.extend_from_slice(b"</DataItemName>\n\t\t<EventPayload>");
    value::upper_digits(out, event.payload());
    out.extend_from_slice(b"</EventPayload>\n\t</ProcessingErrorData>\n");
    if let Some(mark) = value::left_out(event) {
        let _ = writeln!(out, "\t<!-- {mark} -->");
    }
}
