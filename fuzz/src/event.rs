//! A synthetic event, and a visitor that reads every value.

use etwkit::bytes::Guid;
use etwkit::decode::{Event, Fit, Scratch, Value, Visitor};
use etwkit::event::{BufferContext, RawEvent};
use etwkit::format::Marker;
use etwkit::limits;
use etwkit::render::write_message;
use etwkit::schema::{Field, MapKind, Schema};

/// The bytes of a plain event.
#[derive(Clone, Debug)]
pub(crate) struct Plain(Vec<u8>);

impl Plain {
    /// Creates an event with this payload, cut to the maximum length of an event. `wide` chooses 8-byte pointers.
    pub(crate) fn new(payload: &[u8], wide: bool) -> Self {
        let payload = payload.get(..usize::from(u16::MAX) - HEADER).unwrap_or(payload);
        let mut event = Self(vec![0; HEADER]);
        event.0.extend_from_slice(payload);
        let len = event.0.len() as u16;
        event.put(0, &len.to_le_bytes());
        event.put(2, &[if wide { 19 } else { 18 }, 0xC0]);
        event
    }

    /// From this provider, with this id and version.
    pub(crate) fn named(mut self, provider: Guid, id: u16, version: u8) -> Self {
        self.put(24, &provider.to_bytes());
        self.put(40, &id.to_le_bytes());
        self.put(42, &[version]);
        self
    }

    /// Returns the event.
    pub(crate) fn raw(&self) -> RawEvent<'_> {
        raw(&self.0)
    }

    fn put(&mut self, at: usize, bytes: &[u8]) {
        self.0.iter_mut().skip(at).zip(bytes).for_each(|(to, from)| *to = *from);
    }
}

/// Returns the event in bytes that are known to be one.
pub(crate) fn raw(bytes: &[u8]) -> RawEvent<'_> {
    let event = Marker::read(bytes).and_then(|marker| RawEvent::new(bytes, marker, BufferContext::default()));
    let Some(event) = event else { panic!("the synthetic event is one") };
    event
}

/// Decodes `payload` by `schema` as that of a plain event and reads all fields. `wide` chooses 8-byte pointers.
pub(crate) fn decode(schema: &Schema, payload: &[u8], wide: bool) {
    let mut scratch = Scratch::default();
    let event = Plain::new(payload, wide);
    let decoded = Event::locate(event.raw(), Some(schema), None, &mut scratch);
    account(&decoded);
    Visits::of(&decoded);
    if let Some(message) = decoded.schema().and_then(Schema::message) {
        let mut text = String::new();
        write_message(&mut text, message, &decoded, None);
    }
}

/// Every byte of the payload is in a field or in what remains.
pub(crate) fn account(event: &Event<'_>) {
    let held: usize = event.fields().map(|view| view.bytes().len()).sum();
    assert_eq!(held + event.remainder().len(), event.payload().len(), "bytes are in nothing, or in two fields");
}

/// `EVENT_HEADER` without extended items.
const HEADER: usize = 80;

/// Counts what a visitor is shown, and that brackets match.
#[derive(Default)]
pub(crate) struct Visits<'s> {
    schema: Option<&'s Schema>,
    values: u64,
    open: i64,
    /// Bytes of names and labels.
    shown: usize,
}

impl<'s> Visits<'s> {
    /// Visits all fields of an event.
    pub(crate) fn of(event: &Event<'s>) -> u64 {
        let mut visits = Self { schema: event.schema(), ..Self::default() };
        for view in event.fields() {
            assert!(view.bytes().len() <= event.payload().len());
            let _ = view.value().map(|value| value.as_u64());
            view.visit(&mut visits);
            assert_eq!(visits.open, 0, "brackets of a readable field match");
        }
        // What takes no bytes is counted for all fields together; a field of its own is at most one such value.
        let fields = event.fields().count();
        let most = event.payload().len() + limits::MAX_ELEMENTS + fields;
        assert!(visits.values <= most as u64, "{} values of {} bytes", visits.values, event.payload().len());
        let room = limits::shown(event.payload().len());
        assert!(visits.shown <= room, "{} bytes of names and labels of {room}", visits.shown);
        assert!(event.left_out() == 0 || event.fit() == Fit::Cut);
        visits.values
    }

    fn label(&self, field: &Field, value: Value<'_>) -> usize {
        let map = self.schema.and_then(|schema| schema.map(field));
        let (Some(map), Some(bits)) = (map, value.as_u64()) else { return 0 };
        match map.kind() {
            MapKind::Bits => map.bits(bits).0.map(str::len).sum(),
            _ => map.value(bits).map_or(0, str::len),
        }
    }
}

impl Visitor for Visits<'_> {
    fn value(&mut self, _: usize, field: &Field, value: Value<'_>) {
        self.values += 1;
        self.shown += field.name.len() + self.label(field, value);
        if let Value::Utf16(text) = value {
            assert!(text.to_string().len() <= text.0.len() * 3);
        }
    }

    fn begin_array(&mut self, _: usize, field: &Field) {
        self.shown += field.name.len();
        self.open += 1;
    }

    fn end_array(&mut self, _: usize, _: &Field) {
        self.open -= 1;
    }

    fn begin_struct(&mut self, _: usize, field: &Field) {
        self.shown += field.name.len();
        self.open += 1;
    }

    fn end_struct(&mut self, _: usize, _: &Field) {
        self.open -= 1;
    }
}
