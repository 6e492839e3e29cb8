//! How each field of a schema is printed.

use etwkit::decode::{Event, Value};
use etwkit::event::{Kind, RawEvent};
use etwkit::limits;
use etwkit::render::PushValue;
use etwkit::schema::{DisplayFormat, Field, Schema};

use super::forms::Forms;
use super::{escape, value};
use crate::names::{self, Alias, FieldAppearance, OfSchema};

/// Before the name of a field, for its element in `<EventData>`.
const OPEN: &[u8] = b"\t\t<Data";
/// Around the name of a field in its element.
const NAME_BEGINS: &[u8] = b" Name=\"";
const NAME_ENDS: &[u8] = b"\">";

/// How each field of a schema is printed, by place.
#[derive(Debug, Default)]
pub(super) struct Columns {
    list: Box<[Column]>,
}

#[derive(Debug)]
struct Column {
    /// `<Data Name="..">`, with tabs.
    open: Box<[u8]>,
    /// `None` if the report does not have it.
    push: Option<PushValue>,
    /// Short cuts for `push`.
    forms: Forms,
    /// The same for a message.
    insert: Forms,
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

    pub(super) fn new(event: &RawEvent<'_>, schema: &Schema, alias: Option<(&Alias, bool)>) -> Self {
        let usual: (PushValue, fn(DisplayFormat) -> Forms) = match event.kind() {
            Kind::Classic => (value::push_classic, Forms::of_classic),
            _ => (value::push_data, Forms::of_data),
        };
        let column = |(field, (name, look)): (&Field, (&str, FieldAppearance))| {
            let mut open = [OPEN, NAME_BEGINS].concat();
            escape::push_attribute(&mut open, name);
            open.extend_from_slice(NAME_ENDS);
            let numbered = names::is_numbered(name, alias);
            // Names of values take more than the number.
            let forms =
                |of: fn(DisplayFormat) -> Forms| field.map.map_or_else(|| of(field.display), |_| <_>::default());
            let (push, own): (Option<PushValue>, Forms) = match look {
                FieldAppearance::Schema if numbered => (Some(value::push_hex), Forms::HEX),
                FieldAppearance::Schema => (Some(usual.0), forms(usual.1)),
                FieldAppearance::Decimal => (Some(value::push_decimal), Forms::DECIMAL),
                FieldAppearance::Whole(_) => (Some(value::push_decimal), Forms::default()),
                FieldAppearance::Hex => (Some(value::push_hex), Forms::HEX),
                FieldAppearance::Hidden => (None, Forms::default()),
            };
            Column { open: open.into(), push, forms: own, insert: forms(Forms::of_insert), numbered, look }
        };
        let fields = names::fields(event, schema, alias);
        Self { list: schema.fields().iter().zip(fields).map(column).collect() }
    }

    /// Returns the value of the field at a place as the report has it: with the fields after it where they are parts of
    /// it.
    pub(super) fn whole<'v>(&self, event: &Event<'_>, place: usize, value: Value<'v>) -> Value<'v> {
        names::whole(event, place, self.list.get(place).map_or(FieldAppearance::Schema, |column| column.look), value)
    }

    /// Returns the number of fields.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// ` Name="field">` of the field at a place.
    pub(super) fn name_at(&self, place: usize) -> &[u8] {
        self.open_at(place).and_then(|open| open.get(OPEN.len()..)).unwrap_or(b">")
    }

    /// `<Data Name="field">` of the field at a place, with the tabs that it has in `<EventData>`.
    #[inline]
    pub(super) fn open_at(&self, place: usize) -> Option<&[u8]> {
        self.list.get(place).map(|column| &*column.open)
    }

    /// Returns short cuts for [`Columns::push_at`].
    #[inline]
    pub(super) fn forms_at(&self, place: usize) -> Forms {
        self.list.get(place).map(|column| column.forms).unwrap_or_default()
    }

    /// Returns short cuts for [`value::push_insert`].
    #[inline]
    pub(super) fn insert_at(&self, place: usize) -> Forms {
        self.list.get(place).map(|column| column.insert).unwrap_or_default()
    }

    /// Returns the name of the field at a place, escaped; `None` if it is too long for an error.
    pub(super) fn error_name(&self, place: usize) -> Option<&[u8]> {
        let name = self.name_at(place).strip_prefix(NAME_BEGINS)?.strip_suffix(NAME_ENDS)?;
        (name.len() <= limits::MAX_TOLD_NAME).then_some(name)
    }

    /// Returns how the field at a place is printed; `None` if it is not.
    pub(super) fn push_at(&self, place: usize) -> Option<PushValue> {
        self.list.get(place)?.push
    }

    /// Returns whether the elements of the array at a place have numbers after the name.
    pub(super) fn is_numbered_at(&self, place: usize) -> bool {
        self.list.get(place).is_some_and(|column| column.numbered)
    }

    /// Returns whether there is a field at a place.
    pub(super) fn has(&self, place: usize) -> bool {
        self.list.get(place).is_some()
    }
}
