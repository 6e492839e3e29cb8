//! Members of an object, each with the comma before it.

use crate::bytes::{Guid, write_hex};
use crate::render::escape;
use crate::render::json::quoted;
use crate::select::{HeaderField, HeaderValue};

/// Appends an array.
pub(super) fn push_list(
    out: &mut Vec<u8>,
    name: &str,
    values: impl Iterator<Item = u64>,
    each: impl Fn(&mut Vec<u8>, u64),
) {
    push_key_after_comma(out, name);
    out.push(b'[');
    for (at, value) in values.enumerate() {
        if at > 0 {
            out.push(b',');
        }
        each(out, value);
    }
    out.push(b']');
}

/// Appends `,"name":`.
#[inline]
pub(super) fn push_key_after_comma(out: &mut Vec<u8>, name: &str) {
    out.extend_from_slice(b",\"");
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b"\":");
}

/// Appends an integer.
#[inline]
pub(super) fn push_number(out: &mut Vec<u8>, name: &str, value: impl itoa::Integer) {
    push_key_after_comma(out, name);
    out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}

/// Appends UTF-8 text; invalid bytes become U+FFFD.
pub(super) fn push_text(out: &mut Vec<u8>, name: &str, text: &[u8]) {
    push_key_after_comma(out, name);
    quoted(out, |out| escape::push_utf8(out, text));
}

/// Appends a GUID as a string.
pub(super) fn push_guid(out: &mut Vec<u8>, name: &str, guid: Guid) {
    push_key_after_comma(out, name);
    quoted(out, |out| out.extend_from_slice(&guid.to_text()));
}

/// Appends bytes as hexadecimal digits.
pub(super) fn push_bytes(out: &mut Vec<u8>, name: &str, bytes: &[u8]) {
    push_key_after_comma(out, name);
    quoted(out, |out| write_hex(out, bytes));
}

/// Appends a member of a header field, if the event has it.
#[inline]
pub(super) fn push_value(out: &mut Vec<u8>, field: HeaderField, value: Option<HeaderValue<'_>>) {
    match value {
        None => {}
        Some(HeaderValue::Number { value, .. }) => push_number(out, field.name(), value),
        Some(HeaderValue::Guid(guid)) => push_guid(out, field.name(), guid),
        Some(HeaderValue::Text(text)) => push_text(out, field.name(), text.as_bytes()),
        Some(value) => push_text(out, field.name(), value.plain_text().as_bytes()),
    }
}
