//! All of one event.

use etwkit::bytes::Hex;
use etwkit::decode::{Event, FieldView};
use etwkit::event::NO_ID;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::limits::{MAX_DETAIL, MAX_HEX};
use crate::rows::RowWriter;

/// One event with the place of each field.
#[derive(Debug, Serialize)]
pub struct Detail {
    /// The object of its JSON line.
    pub event: Box<RawValue>,
    /// The file that it is from, by number.
    pub file: u16,
    /// Bytes from the buffer's begin to the event.
    pub offset_in_buffer: u32,
    /// The buffer, by number.
    pub buffer: u32,
    /// Fields in the order of the payload.
    pub fields: Vec<FieldPlace>,
    /// The payload, at most 64 KiB of it; as hexadecimal digits where it is written.
    #[serde(serialize_with = "digits")]
    pub payload: Vec<u8>,
    /// Bytes of the whole payload.
    pub payload_len: usize,
    /// The schema as text; absent if no parser knows the event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// The call stack, innermost frame first.
    pub stack: Vec<String>,
}

/// A field and its bytes in the payload.
#[derive(Debug, Serialize)]
pub struct FieldPlace {
    /// Its name.
    pub name: String,
    /// Where it begins in the payload, in bytes.
    pub from: usize,
    /// Bytes of it.
    pub len: usize,
}

impl Detail {
    /// Returns all of an event; `None` if its JSON cannot be had.
    pub fn of(event: &Event<'_>, rows: &mut RowWriter) -> etwkit::Result<Option<Self>> {
        let Some(object) = rows.object(event, MAX_DETAIL)? else { return Ok(None) };
        let payload = event.payload();
        let place = event.raw().place();
        Ok(Some(Self {
            event: object,
            file: place.file.0,
            offset_in_buffer: place.offset,
            buffer: place.buffer,
            fields: event.fields().filter_map(|field| field_place(&field, payload)).collect(),
            payload: payload.get(..MAX_HEX).unwrap_or(payload).to_vec(),
            payload_len: payload.len(),
            schema: event.schema().map(ToString::to_string),
            stack: stack(event),
        }))
    }
}

fn digits<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&Hex(bytes))
}

/// Where the field's bytes lie in the payload; `None` for fields that have none there.
fn field_place(field: &FieldView<'_>, payload: &[u8]) -> Option<FieldPlace> {
    let bytes = field.bytes();
    let from = (bytes.as_ptr() as usize).checked_sub(payload.as_ptr() as usize)?;
    let is_within = from.checked_add(bytes.len())? <= payload.len();
    is_within.then(|| FieldPlace { name: field.name().to_owned(), from, len: bytes.len() })
}

/// The names of the frames, as far as images and methods are known.
fn stack(event: &Event<'_>) -> Vec<String> {
    let mut frames = Vec::new();
    let Some(found) = event.stack(&mut frames) else { return Vec::new() };
    let (system, pid, raw) = (event.system(), found.pid.unwrap_or(NO_ID), event.raw());
    let named = (0..).zip(&frames).map(|(place, frame)| system.frame_at(pid, *frame, place, raw).to_string());
    named.collect()
}
