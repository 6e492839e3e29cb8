//! A synthetic event, and a visitor that looks at every value.

use etwkit::decode::{DecodedEvent, Scratch, Value, Visitor};
use etwkit::event::{Context, RawEvent};
use etwkit::format::Marker;
use etwkit::schema::{Field, Schema};

/// Decodes `payload` by `schema` as that of a plain event and looks at all fields. `wide` chooses 8-byte pointers.
pub(crate) fn decode(schema: &Schema, payload: &[u8], wide: bool) {
    let payload = payload.get(..usize::from(u16::MAX) - HEADER).unwrap_or(payload);
    let Ok(len) = u16::try_from(HEADER + payload.len()) else { return };
    let mut bytes = vec![0; HEADER];
    bytes.extend_from_slice(payload);
    let start = len.to_le_bytes().into_iter().chain([if wide { 19 } else { 18 }, 0xC0]);
    bytes.iter_mut().zip(start).for_each(|(to, from)| *to = from);
    let event = Marker::read(&bytes).and_then(|marker| RawEvent::new(&bytes, marker, Context::default()));
    let Some(event) = event else { panic!("the synthetic event is one") };
    let mut scratch = Scratch::default();
    let decoded = DecodedEvent::locate(event, Some(schema), None, &mut scratch);
    assert!(decoded.remainder().len() <= payload.len());
    Visits::of(&decoded);
}

/// `EVENT_HEADER` without extended items.
const HEADER: usize = 80;

/// Counts what a visitor is shown, and that brackets match.
#[derive(Default)]
pub(crate) struct Visits {
    values: u64,
    open: i64,
}

impl Visits {
    /// Visits all fields of an event.
    pub(crate) fn of(event: &DecodedEvent<'_, '_>) -> u64 {
        let mut visits = Self::default();
        for view in event.fields() {
            assert!(view.bytes().len() <= event.payload().len());
            let _ = view.value().map(|value| value.as_u64());
            view.visit(&mut visits);
            assert_eq!(visits.open, 0, "brackets of a readable field match");
        }
        visits.values
    }
}

impl Visitor for Visits {
    fn value(&mut self, _: usize, _: &Field, value: Value<'_>) {
        self.values += 1;
        if let Value::Utf16(text) = value {
            assert!(text.to_string().len() <= text.0.len() * 3);
        }
    }

    fn begin_array(&mut self, _: usize, _: &Field) {
        self.open += 1;
    }

    fn end_array(&mut self, _: usize, _: &Field) {
        self.open -= 1;
    }

    fn begin_struct(&mut self, _: usize, _: &Field) {
        self.open += 1;
    }

    fn end_struct(&mut self, _: usize, _: &Field) {
        self.open -= 1;
    }
}
