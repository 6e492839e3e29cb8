//! An observer of kernel events that reads them by the crate's tables.

use hashbrown::HashMap;

use etwkit::bytes::Guid;
use etwkit::decode::{Event, FieldView, Scratch, Value};
use etwkit::error::Result;
use etwkit::event::{EventKey, RawEvent};
use etwkit::parser::{Claims, Observer};
use etwkit::schema::Schema;
use etwkit::system::System;

/// A classic event that is observed, the fields that are read, and what notes its facts.
#[derive(Debug)]
pub(crate) struct Watched {
    class: Guid,
    opcode: u8,
    fields: &'static [&'static str],
    note: fn(&Facts<'_>, &mut System),
}

pub(crate) const fn watched(
    class: u128,
    opcode: u8,
    fields: &'static [&'static str],
    note: fn(&Facts<'_>, &mut System),
) -> Watched {
    Watched { class: Guid::from_u128(class), opcode, fields, note }
}

/// An event, and the fields that its [`Watched`] lists: they are asked for by their number in the list.
#[derive(Debug)]
pub(crate) struct Facts<'e> {
    event: Event<'e>,
    names: &'static [&'static str],
    /// Places of the fields in the first layout of the event; `None` if it has another one.
    places: Option<&'e [Option<usize>]>,
}

impl<'e> Facts<'e> {
    pub(crate) fn raw(&self) -> &RawEvent<'e> {
        self.event.raw()
    }

    /// Returns a field.
    pub(crate) fn field(&self, number: usize) -> Option<FieldView<'e>> {
        match self.places {
            Some(places) => self.event.field_at((*places.get(number)?)?),
            None => self.event.field(self.names.get(number)?),
        }
    }

    /// Returns the number in a field.
    pub(crate) fn number(&self, number: usize) -> Option<u64> {
        self.field(number)?.value()?.as_u64()
    }

    /// Returns the 32-bit number in a field.
    pub(crate) fn small(&self, number: usize) -> Option<u32> {
        self.number(number).map(|value| value as u32)
    }

    /// Returns the text in a field; empty if it is not there.
    pub(crate) fn text(&self, number: usize) -> Box<str> {
        match self.field(number).and_then(|field| field.value()) {
            Some(Value::Utf16(text)) => String::from(text).into(),
            Some(Value::Ansi(text)) => text.to_string().into(),
            Some(Value::Sid(Some(sid))) => sid.to_string().into(),
            _ => Box::default(),
        }
    }
}

/// Reads some events in one trace.
#[derive(Debug)]
pub(crate) struct TableObserver {
    events: &'static [Watched],
    /// How events with a key are read; `None` for keys that are not watched.
    known: HashMap<EventKey, Option<Reading>>,
    scratch: Scratch,
}

#[derive(Debug)]
struct Reading {
    watched: &'static Watched,
    schema: Option<Schema>,
    /// The places of the fields in the schema.
    places: Box<[Option<usize>]>,
}

impl TableObserver {
    pub(crate) fn new(events: &'static [Watched]) -> Self {
        Self { events, known: HashMap::new(), scratch: Scratch::default() }
    }
}

impl Observer for TableObserver {
    fn interest(&self) -> Claims {
        Claims::classic(self.events.iter().map(|event| (event.class, event.opcode)).collect::<Vec<_>>())
    }

    fn observe(&mut self, event: &RawEvent<'_>, system: &mut System) -> Result<()> {
        let Self { events, known, scratch } = self;
        let reading = known.entry(event.key()).or_insert_with_key(|key| Reading::new(events, key));
        if let Some(Reading { watched, schema, places }) = reading {
            let event = Event::locate(*event, schema.as_ref(), None, scratch);
            let is_first = event.schema().zip(schema.as_ref()).is_some_and(|(found, first)| std::ptr::eq(found, first));
            let facts = Facts { event, names: watched.fields, places: is_first.then_some(places) };
            (watched.note)(&facts, system);
        }
        Ok(())
    }
}

impl Reading {
    fn new(events: &'static [Watched], key: &EventKey) -> Option<Self> {
        let watched = events.iter().find(|event| event.class == key.provider && event.opcode == key.opcode)?;
        let schema = crate::tables().choose(key, None, 0);
        let place = |name: &&str| schema.as_ref().and_then(|schema| schema.place(name));
        let places = watched.fields.iter().map(place).collect();
        Some(Self { watched, schema, places })
    }
}
