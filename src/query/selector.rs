//! A name of the language by itself: the value of an event that it stands for, as text.

use std::cell::OnceCell;
use std::fmt;
use std::str::FromStr;

use crate::decode::{Event, FieldView, Visitor};
use crate::schema::Schema;

use super::field::leads_through;
use super::parse;
use super::part::HeaderField;
use super::plan::{EventContext, Place, TypeFacts, part_of_event, part_of_key, place};
use super::tree::{Name, Path};
use super::{SyntaxError, shown};

/// A name as it is typed anywhere: a part of the header if it is spelt as outputs spell that part (`pid`), else a field of
/// the payload (`Size`, `Peer.Port`), else, in events without such a field, a part by another name (`ProcessId`).
/// `header.pid` and `fields.pid` say which is meant. [`fmt::Display`] gives it as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector {
    text: Box<str>,
    name: Name,
}

impl Selector {
    /// The selector of a part.
    pub fn of_part(part: HeaderField) -> Self {
        Self { text: part.name().into(), name: Name::word(part.name()) }
    }

    /// Whether both mean the same, however they are written.
    pub fn means(&self, other: &Self) -> bool {
        let (mine, others) = (&self.name, &other.name);
        let whole =
            |name: &Name| name.field.as_ref().filter(|_| !name.header_first).map(|path| path.whole.to_lowercase());
        mine.part == others.part && whole(mine) == whole(others)
    }

    pub(super) fn of_name(name: &Name) -> Self {
        Self { text: name.to_string().into(), name: name.clone() }
    }

    /// Whether it is, or may be where no field has that name, a part of the header.
    pub const fn is_part(&self) -> bool {
        self.name.part.is_some()
    }

    /// The part that it is, or may be where no field has that name.
    pub const fn part(&self) -> Option<HeaderField> {
        self.name.part
    }

    /// Whether it leads to a field of this schema or of one of its other layouts.
    pub fn is_field_of(&self, schema: &Schema) -> bool {
        let layouts = std::iter::successors(Some(schema), |schema| schema.alternative());
        let has = |schema: &Schema| self.name.field.as_ref().is_some_and(|path| leads_through(schema, path));
        layouts.into_iter().any(has)
    }

    /// The field of an event that it leads to; `None` if there is none, if it is a part of the header, and for members of
    /// structs, which [`Selector::visit`] hands over.
    pub fn field<'a>(&self, event: &Event<'a>) -> Option<FieldView<'a>> {
        match self.place(event.schema) {
            Place::Field(path) => super::only(event, path),
            _ => None,
        }
    }

    /// Hands what it leads to in the payload of an event to a visitor: fields, members of structs, elements of arrays.
    pub fn visit(&self, event: &Event<'_>, visitor: &mut impl Visitor) {
        if let Place::Field(path) = self.place(event.schema) {
            super::visit(event, path, visitor);
        }
    }

    /// What it stands for in events of a schema.
    pub(crate) fn place(&self, schema: Option<&Schema>) -> Place<'_> {
        place(&self.name, schema)
    }
}

impl FromStr for Selector {
    type Err = SyntaxError;

    fn from_str(text: &str) -> Result<Self, SyntaxError> {
        Ok(Self { text: text.trim().into(), name: parse::parse_name(text)? })
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// What a selector stands for in the events of one key.
#[derive(Clone, Debug)]
pub(crate) enum Selected {
    /// The same text for all of them, or nothing.
    Fixed(Option<Box<str>>),
    /// The event's name; these events have none.
    NoName,
    /// A part of the header.
    HeaderField(HeaderField),
    /// A field.
    Field(Path),
}

impl Selector {
    /// What it stands for in the events of a key.
    pub(crate) fn of_key(&self, facts: &TypeFacts<'_>) -> Selected {
        let part = match place(&self.name, facts.schema) {
            Place::Field(path) => return Selected::Field(path.clone()),
            Place::HeaderField(part) => part,
            Place::Nowhere => return Selected::Fixed(None),
        };
        let first = First::default();
        let is_known = part_of_key(part, facts, |_, text| first.is(text)).is_some();
        match (is_known, first.0.into_inner()) {
            (false, _) => Selected::HeaderField(part),
            (true, None) if part == HeaderField::Event => Selected::NoName,
            (true, said) => Selected::Fixed(said),
        }
    }
}

impl Selected {
    /// Appends the value's text; `false` if the event has no such value. The name of [`Selected::NoName`] is left to
    /// the caller.
    pub(crate) fn push(&self, out: &mut Vec<u8>, event: &Event<'_>, around: EventContext<'_>) -> bool {
        let first = First::default();
        let text = match self {
            Self::NoName => return false,
            Self::Field(path) => return shown::push(out, event, path, around.clock),
            Self::Fixed(text) => text.as_ref(),
            Self::HeaderField(part) => {
                part_of_event(*part, event, around, |_, text| first.is(text));
                first.0.get()
            }
        };
        out.extend_from_slice(text.map_or("", |text| text).as_bytes());
        text.is_some()
    }
}

/// The first text that a part is asked about: the name of a provider before its GUID, the number of an opcode before
/// its name, as JSON lines have them.
#[derive(Default)]
struct First(OnceCell<Box<str>>);

impl First {
    /// Takes a text if it is the first; always true, so that asking goes no further.
    fn is(&self, text: fmt::Arguments<'_>) -> bool {
        self.0.get_or_init(|| text.to_string().into());
        true
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
        let mut builder = Schema::builder(SchemaSource::User.into());
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
    fn a_selector_is_one_name() {
        for good in ["pid", "header.Provider", "payload.id", "Peer.Port", "'odd name'"] {
            assert_eq!(good.parse::<Selector>().unwrap().to_string(), good);
        }
        for bad in ["", "a b", "pid == 3", "header.Nothing", "not", "'open"] {
            assert!(bad.parse::<Selector>().is_err(), "{bad}");
        }
    }
}
