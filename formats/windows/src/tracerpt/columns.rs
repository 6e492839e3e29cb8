//! How each field of a schema is printed.

use etwkit::decode::{Event, Value};
use etwkit::event::{Kind, RawEvent};
use etwkit::limits;
use etwkit::render::PushValue;
use etwkit::schema::{DisplayFormat, Field, Map, MapKind, Schema};

use super::{escape, named_number, value};
use crate::names::{self, Alias, FieldAppearance, ValueNames};
use crate::ops::{Form, Forms, Labels, Looks, Tags};

/// Before the name of a field, for its element in `<EventData>`.
const OPEN: &[u8] = b"\t\t<Data";
/// Around the name of a field in its element.
const NAME_BEGINS: &[u8] = b" Name=\"";
const NAME_ENDS: &[u8] = b"\">";
/// After a value in its element.
const CLOSE: &[u8] = b"</Data>\n";

/// How each field of a schema is printed, by place.
#[derive(Debug, Default)]
pub(super) struct Columns {
    list: Box<[Column]>,
    value_names: ValueNames,
}

#[derive(Debug)]
struct Column {
    /// `<Data Name="..">`, with tabs.
    open: Box<[u8]>,
    /// `None` if the report does not have it.
    push: Option<PushValue>,
    /// Short cuts for `push`, where no label is shown.
    forms: Forms,
    /// Whether names of values are known, which an event may have to leave out.
    is_mapped: bool,
    /// Whether `push` shows them.
    is_labelled: bool,
    /// The same for a message, and how it shows other values; `None` if it shows none.
    insert: Forms,
    push_insert: Option<PushValue>,
    /// The elements of its array have numbers after the name.
    numbered: bool,
    look: FieldAppearance,
}

/// Returns how the values of a field are shown in a message, first the short cuts. Names of values take more than the
/// number.
fn insert((field, look): (&Field, FieldAppearance), is_mapped: bool) -> (Forms, Option<PushValue>) {
    match look {
        _ if is_mapped => (Forms::default(), Some(value::push_insert)),
        FieldAppearance::Hex => (Forms::HEX, Some(value::push_hex)),
        FieldAppearance::Decimal => (Forms::DECIMAL.unaligned(), Some(value::push_insert_decimal)),
        _ => (Forms::of_insert(field.display), Some(value::push_insert)),
    }
}

impl Columns {
    pub(super) fn new(event: &RawEvent<'_>, schema: &Schema, alias: Option<(&Alias, bool)>) -> Self {
        let usual: (PushValue, fn(DisplayFormat) -> Forms) = match event.kind() {
            Kind::Classic if alias.is_some() => (value::push_classic, Forms::of_classic),
            Kind::Classic => (value::push_mof, Forms::of_mof),
            _ => (value::push_data, Forms::of_data),
        };
        let value_names = ValueNames::new(schema);
        let column = |(place, (field, (name, look))): (usize, (&Field, (&str, FieldAppearance)))| {
            let mut open = [OPEN, NAME_BEGINS].concat();
            escape::push_attribute(&mut open, name);
            open.extend_from_slice(NAME_ENDS);
            let numbered = names::is_numbered(name, alias);
            let map = value_names.of(schema, (place, field));
            let is_labelled =
                !numbered && event.kind() != Kind::Classic && map.is_some_and(|map| map.kind() == MapKind::Values);
            let own = (field, if event.kind() == Kind::Classic { FieldAppearance::Schema } else { look });
            let is_hidden =
                look == FieldAppearance::Hidden && (schema.has_report() || field.display == DisplayFormat::Hidden);
            let (insert, push_insert) = if is_hidden { <_>::default() } else { insert(own, map.is_some()) };
            let forms = |of: fn(DisplayFormat) -> Forms| match map {
                Some(map) if map.kind() == MapKind::Bits && event.kind() == Kind::Classic => {
                    Forms { pointer: of(field.display).pointer, ..Forms::HEX }
                }
                _ => of(field.display),
            };
            let (push, own): (Option<PushValue>, Forms) = match look {
                FieldAppearance::Schema if numbered => (Some(value::push_hex), Forms::HEX),
                FieldAppearance::Schema => (Some(usual.0), forms(usual.1)),
                FieldAppearance::Decimal if is_labelled => (Some(named_number::push_named_decimal), Forms::DECIMAL),
                FieldAppearance::Hex if is_labelled => (Some(named_number::push_named_hex), Forms::HEX),
                FieldAppearance::Decimal => (Some(value::push_decimal), Forms::DECIMAL),
                FieldAppearance::Whole(_) => (Some(value::push_decimal), Forms::default()),
                FieldAppearance::Hex => (Some(value::push_hex), Forms::HEX),
                FieldAppearance::Hidden => (None, Forms::default()),
            };
            Column {
                open: open.into(),
                push,
                forms: own,
                is_mapped: map.is_some(),
                is_labelled,
                insert,
                push_insert,
                numbered,
                look,
            }
        };
        let fields = names::fields(event, schema, alias);
        Self { list: schema.fields().iter().zip(fields).enumerate().map(column).collect(), value_names }
    }

    /// Returns the names of values of a field with its place, as it is handed over.
    pub(super) fn map_at<'s>(&self, field: (usize, &Field), schema: &'s Schema) -> Option<&'s Map> {
        self.value_names.of(schema, field)
    }

    /// Returns the value of the field at a place as the report has it: with the fields after it where they are parts of
    /// it.
    pub(super) fn whole<'v>(&self, event: &Event<'_>, place: usize, value: Value<'v>) -> Value<'v> {
        names::whole(event, place, self.list.get(place).map_or(FieldAppearance::Schema, |column| column.look), value)
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
        self.list.get(place).filter(|column| !column.is_mapped).map(|column| column.forms).unwrap_or_default()
    }

    /// Returns the tags around each value of the field at a place in `<EventData>`; `None` if the report does not have
    /// it.
    pub(super) fn tags_at(&self, place: usize) -> Option<Tags> {
        let column = self.list.get(place).filter(|column| column.push.is_some())?;
        match column.open.strip_suffix(NAME_ENDS).filter(|_| column.numbered) {
            Some(open) => Some(Tags::new(open, CLOSE).numbered(NAME_ENDS)),
            None => Some(Tags::new(&column.open, CLOSE)),
        }
    }

    /// As [`Columns::tags_at`], within a comment; `None` also if elements have numbers.
    pub(super) fn comment_tags_at(&self, place: usize) -> Option<Tags> {
        let column = self.list.get(place).filter(|column| column.push.is_some() && !column.numbered)?;
        let mut open = column.open.to_vec();
        escape::hyphens_from(&mut open, 0);
        Some(Tags::new(&open, CLOSE))
    }

    /// Returns how the values of the field at a place are shown; `push_label` appends the name of a value, with the
    /// blank at its end.
    pub(super) fn looks_at(&self, place: usize, schema: &Schema, push_label: fn(&mut Vec<u8>, &str)) -> Option<Looks> {
        let column = self.list.get(place).filter(|column| column.push.is_some())?;
        let field = (place, schema.fields().get(place)?);
        let map = self.map_at(field, schema).filter(|_| column.is_labelled);
        let push = |out: &mut Vec<u8>, name: &str| push_label(out, &format!("{name} "));
        let labels = map.and_then(|map| Labels::new(map, map.entries(), push));
        Some(Looks { forms: column.forms, labels, has_braces: true })
    }

    /// Returns how the values of the field at a place are shown in a message.
    pub(super) fn insert_looks_at(&self, place: usize, schema: &Schema) -> Looks {
        let field = schema.fields().get(place);
        let map = field.and_then(|field| self.map_at((place, field), schema));
        let labels = map.and_then(|map| Labels::new(map, map.texts(), escape::push_str));
        let forms = self.insert_at(place);
        let forms = if labels.is_some() { Forms { pointer: Form::Other, ..forms } } else { forms };
        Looks { forms, labels, has_braces: false }
    }

    /// Returns how the field at a place is shown in a message; `None` if it is not.
    pub(super) fn push_insert_at(&self, place: usize) -> Option<PushValue> {
        self.list.get(place)?.push_insert
    }

    /// Returns short cuts for [`Columns::push_insert_at`].
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
