//! The fields of an event: `<EventData>` and the elements that may replace it.

use std::io::Write as _;

use etwkit::clock::Clock;
use etwkit::decode::{Event, FieldView, Value, Visitor};
use etwkit::event::{Kind, RawEvent};
use etwkit::limits;
use etwkit::render::PushValue;
use etwkit::render::value::ValueContext;
use etwkit::schema::{Field, Schema};

use super::user_data::Template;
use super::{escape, value};
use crate::names::{self, Alias, FieldAppearance, OfSchema};

/// `ERROR_EVT_MESSAGE_NOT_FOUND`'s family in `winerror.h`: no schema for the event.
const NO_SCHEMA: u32 = 15_003;
/// The payload does not fit the schema.
const MISFIT: u32 = 15_005;

/// Around the name of a field in its element.
const NAME_BEGINS: &[u8] = b" Name=\"";
const NAME_ENDS: &[u8] = b"\">";

/// How each field of a schema is printed, by place.
#[derive(Debug, Default)]
pub(super) struct Columns {
    list: Box<[Column]>,
    user_data: Option<Template>,
}

#[derive(Debug)]
struct Column {
    /// `Name="..">` without its element.
    name: Box<[u8]>,
    /// `None` if the report does not have it.
    push: Option<PushValue>,
    /// The elements of its array have numbers after the name.
    numbered: bool,
    look: FieldAppearance,
}

impl Columns {
    /// Of an event; `known` are those of another one of the same key and schema.
    pub(super) fn of(
        event: &Event<'_>,
        alias: Option<(&Alias, bool)>,
        known: Option<&OfSchema<Self>>,
    ) -> OfSchema<Self> {
        let make = || event.schema().map_or_else(Self::default, |schema| Self::new(event.raw(), schema, alias));
        OfSchema::new(event, alias, known, make)
    }

    fn new(event: &RawEvent<'_>, schema: &Schema, alias: Option<(&Alias, bool)>) -> Self {
        let usual: PushValue = if event.kind() == Kind::Classic { value::push_classic } else { value::push_data };
        let column = |(name, look): (&str, FieldAppearance)| {
            let mut tag = NAME_BEGINS.to_vec();
            escape::push_attribute(&mut tag, name);
            tag.extend_from_slice(NAME_ENDS);
            let numbered = names::is_numbered(name, alias);
            let push = match look {
                FieldAppearance::Schema if numbered => Some(value::push_hex as PushValue),
                FieldAppearance::Schema => Some(usual),
                FieldAppearance::Decimal | FieldAppearance::Whole(_) => Some(value::push_decimal as PushValue),
                FieldAppearance::Hex => Some(value::push_hex as PushValue),
                FieldAppearance::Hidden => None,
            };
            Column { name: tag.into(), push, numbered, look }
        };
        Self {
            list: names::fields(event, schema, alias).into_iter().map(column).collect(),
            user_data: schema.reported().user_data().map(|tree| Template::new(schema, tree)),
        }
    }

    /// Returns the value of the field at a place as the report has it: with the fields after it where they are parts of
    /// it.
    pub(super) fn whole<'v>(&self, event: &Event<'_>, place: usize, value: Value<'v>) -> Value<'v> {
        names::whole(event, place, self.list.get(place).map_or(FieldAppearance::Schema, |column| column.look), value)
    }

    /// ` Name="field">` of the field at a place.
    pub(super) fn name_at(&self, place: usize) -> &[u8] {
        self.list.get(place).map_or(b">", |column| &column.name)
    }

    /// Returns the name of the field at a place, escaped; `None` if it is too long to print.
    fn told_name(&self, place: usize) -> Option<&[u8]> {
        let name = self.name_at(place).strip_prefix(NAME_BEGINS)?.strip_suffix(NAME_ENDS)?;
        (name.len() <= limits::MAX_TOLD_NAME).then_some(name)
    }

    /// Appends the elements of one field.
    pub(super) fn push_view(&self, out: &mut Vec<u8>, event: &Event<'_>, view: &FieldView<'_>) {
        let Some(schema) = event.schema() else { return };
        view.visit(&mut Writer {
            out,
            event,
            schema,
            columns: self,
            clock: event.clock(),
            alone: false,
            depth: 2,
            number: 0,
        });
    }

    /// How the field at a place is printed; `None` if it is not.
    pub(super) fn push_at(&self, place: usize) -> Option<PushValue> {
        self.list.get(place)?.push
    }
}

/// Appends the element with the payload.
pub(super) fn push(out: &mut Vec<u8>, event: &Event<'_>, columns: &Columns) {
    let Some(schema) = event.schema() else { return push_error(out, event, columns, NO_SCHEMA) };
    if !event.fit().is_whole() {
        return push_error(out, event, columns, MISFIT);
    }
    if push_user_data(out, event, columns) {
        return;
    }
    let alone = event.raw().kind() == Kind::StringOnly;
    if !alone {
        out.extend_from_slice(b"\t<EventData>\n");
    }
    let depth = if alone { 1 } else { 2 };
    let mut writer = Writer { out, event, schema, columns, clock: event.clock(), alone, depth, number: 0 };
    let start = writer.out.len();
    for view in event.fields().filter(|view| columns.push_at(view.place()).is_some()) {
        view.visit(&mut writer);
    }
    if alone && writer.out.len() == start {
        writer.out.extend_from_slice(b"\t<Data></Data>\n");
    }
    if !event.remainder().is_empty() {
        out.extend_from_slice(b"\t\t<!-- bytes after the last field: ");
        value::upper_digits(out, event.remainder());
        out.extend_from_slice(b" -->\n");
    }
    if !alone {
        out.extend_from_slice(b"\t</EventData>\n");
    }
}

/// Returns whether there is a template, and it makes no more of the event than an event may print; else nothing is
/// appended.
fn push_user_data(out: &mut Vec<u8>, event: &Event<'_>, columns: &Columns) -> bool {
    let Some(template) = &columns.user_data else { return false };
    let start = out.len();
    template.push(out, event, columns);
    let is_short = out.len() - start <= limits::MAX_USER_DATA + limits::shown(event.payload().len());
    if !is_short {
        out.truncate(start);
    }
    is_short
}

fn push_error(out: &mut Vec<u8>, event: &Event<'_>, columns: &Columns, code: u32) {
    let _ = write!(out, "\t<ProcessingErrorData>\n\t\t<ErrorCode>{code}</ErrorCode>\n\t\t<DataItemName>");
    match event.misfit_at().and_then(|place| columns.told_name(place)) {
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

struct Writer<'o, 'a, 'e> {
    out: &'o mut Vec<u8>,
    event: &'a Event<'e>,
    schema: &'a Schema,
    columns: &'a Columns,
    clock: Option<&'a Clock>,
    /// A string-only event: its `<Data>` has no name.
    alone: bool,
    depth: usize,
    /// Elements of the array so far.
    number: usize,
}

impl Writer<'_, '_, '_> {
    fn open(&mut self, element: &[u8], place: usize) {
        self.out.resize(self.out.len() + self.depth, b'\t');
        self.out.push(b'<');
        self.out.extend_from_slice(element);
        match self.columns.list.get(place) {
            Some(column) if !self.alone => {
                self.out.extend_from_slice(&column.name);
                if column.numbered {
                    self.number += 1;
                    self.out.truncate(self.out.len() - b"\">".len());
                    let _ = write!(self.out, "{}\">", self.number);
                }
            }
            _ => self.out.push(b'>'),
        }
    }
}

impl Visitor for Writer<'_, '_, '_> {
    fn value(&mut self, place: usize, field: &Field, value: Value<'_>) {
        let Some(push) = self.columns.push_at(place) else { return };
        self.open(b"Data", place);
        let value = self.columns.whole(self.event, place, value);
        let start = self.out.len();
        push(self.out, value, ValueContext { field, map: self.schema.map(field), clock: self.clock });
        escape::escape_from(self.out, start);
        self.out.extend_from_slice(b"</Data>\n");
    }

    fn begin_array(&mut self, _: usize, _: &Field) {
        self.number = 0;
    }

    fn begin_struct(&mut self, place: usize, _: &Field) {
        self.open(b"ComplexData", place);
        self.out.push(b'\n');
        self.depth += 1;
    }

    fn end_struct(&mut self, _: usize, _: &Field) {
        self.depth -= 1;
        self.out.resize(self.out.len() + self.depth, b'\t');
        self.out.extend_from_slice(b"</ComplexData>\n");
    }
}
