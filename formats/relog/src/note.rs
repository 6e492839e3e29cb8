//! The event that states that a file is a copy.
//!
//! It is a `TraceLogging` event, so every reader has its names: provider `etwkit`, event `Copy`. (Header: section 5.7
//! of the format; metadata: sections 7.2 and 11.)

use etwkit::event::{Kind, RawEvent};
use etwkit::{Guid, RawTime};

/// The provider of the event: the GUID that `TraceLogging` makes of the name `etwkit`.
pub const PROVIDER: Guid = Guid::from_u128(0x6c61_c9e6_3de7_527c_4012_f18b_01d9_a17c);
/// The provider's name.
const NAME: &str = "etwkit";
/// The event's name.
const EVENT: &str = "Copy";
/// Bytes of `EVENT_HEADER`.
const HEADER: usize = 80;
/// Header type 19: `EVENT_HEADER` of a writer with 64 bits.
const EVENT_HEADER_64: u8 = 19;
/// `EVENT_HEADER_FLAG_EXTENDED_INFO`.
const EXTENDED_INFO: u16 = 1;
/// Channel of `TraceLogging` events.
const TRACE_LOGGING: u8 = 11;
/// Level: information.
const INFORMATION: u8 = 4;
/// `EVENT_HEADER_EXT_TYPE_EVENT_SCHEMA_TL`.
const SCHEMA: u16 = 11;
/// `EVENT_HEADER_EXT_TYPE_PROV_TRAITS`.
const TRAITS: u16 = 12;
/// `TlgInANSISTRING` with the chain bit, and `TlgOutUTF8`.
const UTF8: [u8; 2] = [0x82, 35];
/// Maximum number of bytes of a text.
const MOST_TEXT: usize = 4_096;

/// Returns the event with these texts.
pub(crate) fn note(time: RawTime, texts: &[(&str, &str)]) -> Vec<u8> {
    let mut schema = vec![0, 0, 0];
    push_text(&mut schema, EVENT);
    let mut payload = Vec::new();
    for (name, text) in texts {
        push_text(&mut schema, name);
        schema.extend(UTF8);
        push_text(&mut payload, text);
    }
    let mut traits = vec![0, 0];
    push_text(&mut traits, NAME);
    for blob in [&mut schema, &mut traits] {
        let len = (blob.len() as u16).to_le_bytes();
        if let Some(place) = blob.first_chunk_mut() {
            *place = len;
        }
    }
    let mut event = header(time);
    push_item(&mut event, TRAITS, true, &traits);
    push_item(&mut event, SCHEMA, false, &schema);
    event.extend(payload);
    let len = (event.len() as u16).to_le_bytes();
    if let Some(place) = event.first_chunk_mut() {
        *place = len;
    }
    event
}

/// Returns the names of the files that a copy was made of, if the event is a note: its first text.
pub(crate) fn source<'e>(event: &RawEvent<'e>) -> Option<&'e [u8]> {
    let is_note = event.provider_guid() == PROVIDER && event.kind() == Kind::TraceLogging;
    event.payload().split(|byte| *byte == 0).next().filter(|text| is_note && !text.is_empty())
}

fn header(time: RawTime) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER);
    bytes.extend([0, 0, EVENT_HEADER_64, 0xC0]);
    bytes.extend(u32::from(EXTENDED_INFO).to_le_bytes());
    // No thread and no process of the traced machine wrote it.
    bytes.extend([0xFF; 8]);
    bytes.extend(time.0.to_le_bytes());
    bytes.extend(PROVIDER.to_bytes());
    bytes.extend([0, 0, 0, TRACE_LOGGING, INFORMATION, 0, 0, 0]);
    bytes.resize(HEADER, 0);
    bytes
}

fn push_item(event: &mut Vec<u8>, kind: u16, more: bool, data: &[u8]) {
    let size = (8 + data.len()).next_multiple_of(8);
    for word in [size as u16, kind, u16::from(more), data.len() as u16] {
        event.extend(word.to_le_bytes());
    }
    let end = event.len() + size - 8;
    event.extend(data);
    event.resize(end, 0);
}

/// Text in UTF-8 up to the first NUL, with a NUL.
fn push_text(out: &mut Vec<u8>, text: &str) {
    let text = text.split('\0').next().unwrap_or_default();
    let end = text.char_indices().map(|(at, _)| at).take_while(|at| *at <= MOST_TEXT).last().unwrap_or(0);
    let whole = if text.len() <= MOST_TEXT { text } else { text.get(..end).unwrap_or_default() };
    out.extend(whole.as_bytes());
    out.push(0);
}
