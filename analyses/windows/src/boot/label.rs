//! Names of drivers, devices and services.

use std::borrow::Cow;

use etwkit::decode::Event;

/// Returns a text. Some schemas have it as bytes, as many as it has characters: then the others follow.
pub(super) fn label(event: &Event<'_>, name: &str) -> Box<str> {
    if let Ok(text) = event.get::<Cow<'_, str>>(name) {
        return text.into();
    }
    let Ok(bytes) = event.get::<&[u8]>(name) else { return Box::default() };
    let is_last = event.fields().last().is_some_and(|field| field.name() == name);
    let rest = if is_last && event.remainder().len() == bytes.len() { event.remainder() } else { &[] };
    let units = bytes.iter().chain(rest).copied().collect::<Vec<u8>>();
    let units = units.chunks_exact(2).map(|pair| u16::from_le_bytes(pair.try_into().unwrap_or_default()));
    let text: String = char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    text.trim_end_matches('\0').into()
}
