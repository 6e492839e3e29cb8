//! An observer of kernel events that reads them by the crate's tables.

use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

use hashbrown::HashMap;

use etwkit::bytes::Guid;
use etwkit::decode::{EarlyFields, Event, FieldView, FixedNumbers, FixedValues, Scratch, Value};
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
    raw: &'e RawEvent<'e>,
    /// Numbers at constant places.
    fixed: FixedValues<'e>,
    reading: &'e Reading,
    /// The fields, if they can be read without being located.
    early: OnceCell<Option<EarlyFields<'e>>>,
    /// Taken when the fields are located.
    scratch: RefCell<Option<&'e mut Scratch>>,
    located: OnceCell<Option<Event<'e>>>,
    /// Memory for one text.
    text: RefCell<String>,
}

impl<'e> Facts<'e> {
    pub(crate) const fn raw(&self) -> &'e RawEvent<'e> {
        self.raw
    }

    /// Returns a field.
    pub(crate) fn field(&self, number: usize) -> Option<FieldView<'e>> {
        let Reading { watched, schema, places, .. } = self.reading;
        let place = places.get(number)?;
        if place.is_none() && schema.as_ref().is_none_or(|first| first.alternative().is_none()) {
            return None;
        }
        let event = self.event()?;
        let is_first = event.schema().zip(schema.as_ref()).is_some_and(|(found, first)| std::ptr::eq(found, first));
        if is_first { event.field_at((*place)?) } else { event.field(watched.fields.get(number)?) }
    }

    fn event(&self) -> Option<&Event<'e>> {
        let locate = || {
            Some(Event::locate(
                *self.raw,
                self.reading.schema.as_ref(),
                None,
                self.scratch.try_borrow_mut().ok()?.take()?,
            ))
        };
        self.located.get_or_init(locate).as_ref()
    }

    /// Returns the value in a field.
    fn value(&self, number: usize) -> Option<Value<'e>> {
        let early = || EarlyFields::of(self.reading.schema.as_ref()?, self.raw);
        if let Some(early) = self.early.get_or_init(early) {
            let place = (*self.reading.places.get(number)?)?;
            if early.holds(place) {
                return early.value(place);
            }
        }
        self.field(number)?.value()
    }

    /// Returns the number in a field.
    #[inline]
    pub(crate) fn number(&self, number: usize) -> Option<u64> {
        self.fixed.get(number).or_else(|| self.searched_number(number))
    }

    /// Returns the number in a field whose place depends on the payload.
    #[inline(never)]
    fn searched_number(&self, number: usize) -> Option<u64> {
        self.value(number)?.as_u64()
    }

    /// Returns the 32-bit number in a field.
    #[inline]
    pub(crate) fn small(&self, number: usize) -> Option<u32> {
        self.number(number).map(|value| value as u32)
    }

    /// Returns the GUID in a field.
    pub(crate) fn guid(&self, number: usize) -> Option<Guid> {
        self.value(number)?.as_guid()
    }

    /// Returns the text in a field; empty if it is not there.
    pub(crate) fn text(&self, number: usize) -> Arc<str> {
        self.with_text(number, |text| text.into())
    }

    /// Hands over the text in a field; an empty one if it is not there.
    pub(crate) fn with_text<T>(&self, number: usize, take: impl FnOnce(&str) -> T) -> T {
        match self.value(number) {
            Some(Value::Utf16(text)) => {
                let mut memory = self.text.take();
                text.copy_to(&mut memory);
                let taken = take(&memory);
                self.text.replace(memory);
                taken
            }
            Some(Value::Utf8(text)) => take(&String::from_utf8_lossy(text)),
            Some(Value::Ansi(text)) => take(&text.to_string()),
            Some(Value::Sid(Some(sid))) => take(&sid.to_string()),
            _ => take(""),
        }
    }
}

/// Reads some events in one trace.
#[derive(Debug)]
pub(crate) struct TableObserver {
    events: &'static [Watched],
    /// How events are read; `None` for keys that are not watched.
    readings: Vec<Option<Reading>>,
    known: HashMap<EventKey, usize>,
    /// The readings that were used last, by hook and version.
    recent: Box<[(u32, usize)]>,
    scratch: Scratch,
    /// Memory for texts.
    text: String,
}

#[derive(Debug)]
struct Reading {
    watched: &'static Watched,
    schema: Option<Schema>,
    /// The places of the fields in the schema.
    places: Box<[Option<usize>]>,
    /// The same fields, where they are numbers at constant places.
    numbers: FixedNumbers,
}

/// Places of [`TableObserver::recent`].
const RECENT: usize = 64;

impl TableObserver {
    pub(crate) fn new(events: &'static [Watched]) -> Self {
        let recent = vec![(u32::MAX, 0); RECENT].into();
        let (scratch, text) = (Scratch::default(), String::new());
        Self { events, readings: Vec::new(), known: HashMap::new(), recent, scratch, text }
    }

    /// Returns the place of the reading of an event.
    fn reading(&mut self, event: &RawEvent<'_>) -> usize {
        // Of an event with a hook, this and the version are the whole key.
        let Some(hook) = event.hook() else { return self.find(event) };
        let short = u32::from(hook) << 8 | u32::from(event.version());
        let slot = usize::from(hook ^ hook >> 8) % RECENT;
        if let Some((known, place)) = self.recent.get(slot)
            && *known == short
        {
            return *place;
        }
        let place = self.find(event);
        if let Some(slot) = self.recent.get_mut(slot) {
            *slot = (short, place);
        }
        place
    }

    fn find(&mut self, event: &RawEvent<'_>) -> usize {
        let Self { events, readings, known, .. } = self;
        *known.entry(event.key()).or_insert_with_key(|key| {
            readings.push(Reading::new(events, key));
            readings.len() - 1
        })
    }
}

impl Observer for TableObserver {
    fn interest(&self) -> Claims {
        Claims::classic(self.events.iter().map(|event| (event.class, event.opcode)).collect::<Vec<_>>())
    }

    fn observe(&mut self, event: &RawEvent<'_>, system: &mut System) -> Result<()> {
        let place = self.reading(event);
        if let Some(Some(reading)) = self.readings.get(place) {
            let scratch = RefCell::new(Some(&mut self.scratch));
            let fixed = reading.numbers.of_payload(event.payload(), event.pointer_size());
            let (early, located) = (OnceCell::new(), OnceCell::new());
            let text = RefCell::new(std::mem::take(&mut self.text));
            let facts = Facts { raw: event, fixed, reading, early, scratch, located, text };
            (reading.watched.note)(&facts, system);
            self.text = facts.text.into_inner();
        }
        Ok(())
    }
}

impl Reading {
    fn new(events: &'static [Watched], key: &EventKey) -> Option<Self> {
        let watched = events.iter().find(|event| event.class == key.provider && event.opcode == key.opcode)?;
        let schema = crate::tables().choose(key, None, 0);
        let place = |name: &&str| schema.as_ref().and_then(|schema| schema.index_of(name));
        let places = watched.fields.iter().map(place).collect();
        let numbers = schema.as_ref().map(|schema| FixedNumbers::of(schema, watched.fields)).unwrap_or_default();
        Some(Self { watched, schema, places, numbers })
    }
}
