//! The message and the derived values of an event.

use crate::decode::Event;
use crate::render::{push_message, terminal};
use crate::schema::Schema;
use crate::select::HeaderField;

use super::bytes::push_with_text;
use super::paint::Paint;

/// Appends the message, if there is one.
pub(super) fn push_message_line(out: &mut Vec<u8>, scratch: &mut Vec<u8>, event: &Event<'_>, schema: &Schema) {
    if let Some(message) = schema.message() {
        scratch.clear();
        push_message(scratch, message, event, event.clock());
        push_line(out, &String::from_utf8_lossy(scratch));
    }
}

/// Appends the lines of a text with blanks between.
fn push_line(out: &mut Vec<u8>, text: &str) {
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        out.push(b' ');
        terminal::push(out, line);
    }
}

/// Appends the payload of an event without a schema, if it has bytes.
pub(super) fn push_payload(out: &mut Vec<u8>, bytes: &[u8]) {
    if !bytes.is_empty() {
        out.extend_from_slice(b" payload=");
        push_with_text(out, bytes);
    }
}

/// Appends a value that follows from the fields and the traced system, if the event has it.
pub(super) fn push_derived(out: &mut Vec<u8>, paint: &Paint, event: &Event<'_>, field: HeaderField) {
    if let Some(value) = field.value(event) {
        push_name(out, paint, field);
        terminal::push(out, &value.text(event));
    }
}

/// Appends the image of an address up to the offset, as [`push_derived`] does.
pub(super) fn push_image(out: &mut Vec<u8>, paint: &Paint, name: &str) {
    push_name(out, paint, HeaderField::Image);
    terminal::push(out, name);
    out.push(b'+');
}

fn push_name(out: &mut Vec<u8>, paint: &Paint, field: HeaderField) {
    out.push(b' ');
    out.extend_from_slice(paint.key.as_bytes());
    out.extend_from_slice(field.name().as_bytes());
    out.extend_from_slice(paint.off.as_bytes());
    out.push(b'=');
}
