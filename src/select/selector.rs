//! A name that users type for a value of events.

use std::fmt;
use std::str::FromStr;

use crate::decode::{Event, FieldView, Visitor};
use crate::schema::Schema;

use super::SyntaxError;
use super::descend::{only, visit};
use super::header_field::HeaderField;
use super::name::{Name, Place};
use super::schema_paths::{layouts, leads_through};

/// A name as it is typed anywhere: a header field if it is spelled as outputs spell that field (`pid`), else a field of
/// the payload (`Size`, `Peer.Port`), else, in events without such a field, a header field by another name
/// (`ProcessId`). `header.pid` and `fields.pid` select one of them. [`fmt::Display`] gives it as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector {
    text: Box<str>,
    name: Name,
}

impl Selector {
    /// Returns the selector of a header field.
    pub fn of_header(field: HeaderField) -> Self {
        Self { text: field.name().into(), name: Name::of_header(field) }
    }

    /// Returns whether both mean the same, however they are written.
    pub fn means(&self, other: &Self) -> bool {
        let (mine, others) = (&self.name, &other.name);
        // In quotes `A.B` is one step, which leads to no member of a struct `A`.
        let path = |name: &Name| {
            let path = name.field.as_ref().filter(|_| !name.header_first);
            path.map(|path| (path.whole.to_lowercase(), path.steps.len()))
        };
        mine.header == others.header && path(mine) == path(others)
    }

    pub(crate) fn of_name(name: &Name) -> Self {
        Self { text: name.to_string().into(), name: name.clone() }
    }

    /// Returns the name itself, without quotes and without `header.` or `fields.` before it.
    pub fn spelling(&self) -> &str {
        let header = || self.name.header.map_or("", HeaderField::name);
        self.name.field.as_ref().map_or_else(header, |path| &path.whole)
    }

    /// Returns whether it is written as the name of a field of the payload: with `fields.` before it, or as a word in quotes.
    pub const fn is_written_as_field(&self) -> bool {
        self.name.is_written_as_field
    }

    /// Returns the header field that it is, or may be in events without a field of that name.
    pub const fn header(&self) -> Option<HeaderField> {
        self.name.header
    }

    /// Returns whether it leads to a field of this schema or of one of its other layouts.
    pub fn is_field_of(&self, schema: &Schema) -> bool {
        let has = |schema: &Schema| self.name.field.as_ref().is_some_and(|path| leads_through(schema, path));
        layouts(Some(schema)).any(has)
    }

    /// Returns the field of an event that it leads to; `None` if there is none, if it is a header field, and for
    /// members of structs, which [`Selector::visit`] hands over.
    pub fn field<'a>(&self, event: &Event<'a>) -> Option<FieldView<'a>> {
        match self.place(event.schema()) {
            Place::Field(path) => only(event, path),
            _ => None,
        }
    }

    /// Hands what it leads to in the payload of an event to a visitor: fields, members of structs, elements of arrays.
    pub fn visit(&self, event: &Event<'_>, visitor: &mut impl Visitor) {
        if let Place::Field(path) = self.place(event.schema()) {
            visit(event, path, visitor);
        }
    }

    /// Resolves it for the events of a schema.
    pub(crate) fn place(&self, schema: Option<&Schema>) -> Place<'_> {
        self.name.place(schema)
    }
}

impl FromStr for Selector {
    type Err = SyntaxError;

    fn from_str(text: &str) -> Result<Self, SyntaxError> {
        Ok(Self { text: text.trim().into(), name: text.parse()? })
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::{Scratch, Value};
    use crate::event::{BufferContext, RawEvent};
    use crate::format::{HeaderType, Marker};
    use crate::schema::{Field, Scalar, SchemaSource, Wire};

    struct Values(Vec<u64>);

    impl Visitor for Values {
        fn value(&mut self, _: usize, _: &Field, value: Value<'_>) {
            self.0.extend(value.as_u64());
        }
    }

    #[test]
    fn a_selector_leads_to_fields_and_members() {
        let byte = |name| Field::new(name, Wire::Scalar(Scalar::U8));
        let mut builder = Schema::builder(SchemaSource::USER.into());
        builder.field(byte("Size"));
        builder.begin_struct(Field::new("Peer", Wire::Struct { fields: 0 }));
        builder.field(byte("Port"));
        builder.end_struct();
        let schema = builder.build().unwrap();
        let mut bytes = vec![0; HeaderType::System64.fixed_len()];
        bytes.extend([7, 80]);
        let marker = Marker { header: HeaderType::System64, len: bytes.len() };
        let raw = RawEvent::new(&bytes, marker, BufferContext::default()).unwrap();
        let mut scratch = Scratch::default();
        let event = Event::locate(raw, Some(&schema), None, &mut scratch);
        let found = |name: &str| {
            let (selector, mut values) = (name.parse::<Selector>().unwrap(), Values(Vec::new()));
            selector.visit(&event, &mut values);
            (selector.field(&event).and_then(|field| field.value()?.as_u64()), values.0)
        };
        assert_eq!(found("size"), (Some(7), vec![7]));
        assert_eq!(found("Peer.Port"), (None, vec![80]));
        assert_eq!((found("cpu"), found("Nothing")), ((None, vec![]), (None, vec![])));
    }

    #[test]
    fn names_mean_the_same_in_any_letter_case_but_not_with_dots_in_quotes() {
        let means = |a: &str, b: &str| a.parse::<Selector>().unwrap().means(&b.parse().unwrap());
        assert!(means("Peer.Port", "peer.port") && means("'odd name'", "\"Odd Name\""));
        assert!(means("'A.B'", "'a.b'") && !means("'A.B'", "A.B") && !means("Peer.Port", "Peer"));
    }

    #[test]
    fn a_selector_is_one_name() {
        for good in ["pid", "header.Provider", "payload.id", "Peer.Port", "'odd name'"] {
            assert_eq!(good.parse::<Selector>().unwrap().to_string(), good);
        }
        for bad in ["", "a b", "pid == 3", "header.Nothing", "not", "'open"] {
            assert!(bad.parse::<Selector>().is_err(), "{bad}");
        }
    }
}
