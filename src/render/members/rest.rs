//! Details of the schema's source, options of WPP messages, and what the fields do not hold.

use std::borrow::Cow;

use crate::decode::{Event, Fit};
use crate::event::RawEvent;

use super::member::{MemberValue, MemberWriter};

/// Writes what else the schema's source states about the event.
pub(crate) fn write_details<W: MemberWriter>(out: &mut W, event: &Event<'_>) {
    let details = event.schema().into_iter().flat_map(|schema| schema.names().own_details());
    let member = |(key, value)| -> (Cow<'_, str>, MemberValue<'_>) {
        let (key, value): (&str, &str) = (key, value);
        (Cow::Borrowed(key), MemberValue::Text(value.as_bytes()))
    };
    out.object("details", details.map(member));
}

/// The options of a WPP message's header.
pub(crate) fn write_message_options<W: MemberWriter>(out: &mut W, raw: &RawEvent<'_>) {
    if let Some(message) = raw.message() {
        if let Some(sequence) = message.sequence {
            out.member("sequence", MemberValue::Number(sequence.into()));
        }
        if let Some(component) = message.component {
            out.member("component", MemberValue::Number(component.into()));
        }
    }
}

/// What is wrong with the payload, and the bytes outside the fields: surplus, a misfit, or the whole payload.
pub(crate) fn write_rest<W: MemberWriter>(out: &mut W, event: &Event<'_>) {
    if event.layout_fit().is_some_and(|fit| !fit.is_whole()) {
        out.member("problem", MemberValue::Text(problem(event).as_bytes()));
    }
    if let Some(text) = event.unterminated() {
        out.member("unterminated", MemberValue::Text(text.name().as_bytes()));
    }
    let rest = event.remainder();
    if !rest.is_empty() {
        let name = if event.has_layout() { "extra" } else { "payload" };
        out.member(name, MemberValue::Bytes(rest));
    }
}

/// Why fields are missing.
#[cold]
fn problem(event: &Event<'_>) -> String {
    let (name, values) = (event.misfit_name(), event.left_out());
    match event.fit() {
        Fit::Cut => format!("fields from {name} on would print too much: {values} values left out"),
        _ => format!("field {name} does not fit"),
    }
}
