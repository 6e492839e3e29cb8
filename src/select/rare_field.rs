//! The values of fields that few events have: those of WPP messages, and the less common members of JSON lines.

use std::borrow::Cow;

use crate::bytes::Guid;
use crate::decode::Event;
use crate::event::{Kind, RawEvent};
use crate::schema::Schema;

use super::derived::derived_value;
use super::header_field::{HeaderField, level_from_name};
use super::header_value::{HeaderValue, ProviderGuids};
use super::pick::pick;

/// The detail with the level of a WPP message.
const LEVEL: &str = "level";

impl HeaderField {
    /// Returns whether only few events have it: [`HeaderField::rare`] and [`HeaderField::MessageLevel`], which are
    /// declared after all others.
    #[inline]
    pub(super) fn is_rare(self) -> bool {
        (self as u8) > (Self::Extra as u8)
    }
}

/// Returns the level of a WPP message whose definition has one with a known name or a number.
pub fn message_level(schema: &Schema) -> Option<u8> {
    let text = schema.names().detail(LEVEL)?;
    level_from_name(text).or_else(|| text.parse().ok())
}

/// Returns whether the definition of a WPP message has a level.
pub(super) fn has_message_level(schema: &Schema) -> bool {
    schema.names().detail(LEVEL).is_some()
}

/// Returns the level of an event, 1 (critical) to 5 (verbose): that of its header, else that of its WPP message; `None` if
/// neither has one.
pub fn level_of(event: &RawEvent<'_>, schema: Option<&Schema>) -> Option<u8> {
    let header = HeaderField::Level.in_header(event, None).and_then(|level| level.number());
    header.and_then(|level| u8::try_from(level).ok()).or_else(|| message_level(schema?))
}

/// Returns the value of a rare field.
pub(super) fn rare_value<'e>(field: HeaderField, event: &Event<'e>) -> Option<HeaderValue<'e>> {
    let schema = event.schema();
    match field {
        HeaderField::TaskGuid => task_guid(event).map(HeaderValue::Guid),
        HeaderField::MessageLevel => {
            HeaderField::Level.in_header(event.raw(), schema).or_else(|| definition_level(schema?))
        }
        HeaderField::Function => detail(schema, "function"),
        HeaderField::Flags => detail(schema, "flags"),
        HeaderField::Symbols => detail(schema, "symbols"),
        HeaderField::SourceFile => detail(schema, "source").or_else(|| Some(text(place(schema?)?.0))),
        HeaderField::Line => place(schema?).map(|(_, line)| HeaderValue::Number { value: line.into(), name: None }),
        HeaderField::Payload => {
            Some(event.remainder()).filter(|rest| schema.is_none() && !rest.is_empty()).map(HeaderValue::Bytes)
        }
        _ if field.is_derived() => derived_value(field, event),
        _ => pick(event, field.name()),
    }
}

/// Returns the GUID of the event class, for classic events whose provider has another GUID.
pub(crate) fn task_guid(event: &Event<'_>) -> Option<Guid> {
    let ProviderGuids { provider, header } = ProviderGuids::of_event(event);
    (event.raw().kind() == Kind::Classic && header != provider && !header.is_null()).then_some(header)
}

fn definition_level(schema: &Schema) -> Option<HeaderValue<'_>> {
    let text = schema.names().detail(LEVEL)?;
    Some(match message_level(schema) {
        Some(level) => HeaderValue::Number { value: level.into(), name: Some(text) },
        None => HeaderValue::Text(Cow::Borrowed(text)),
    })
}

fn detail<'s>(schema: Option<&'s Schema>, key: &str) -> Option<HeaderValue<'s>> {
    schema?.names().detail(key).map(|value| HeaderValue::Text(Cow::Borrowed(value)))
}

fn text<'e>(text: String) -> HeaderValue<'e> {
    HeaderValue::Text(Cow::Owned(text))
}

/// Returns file and line of a WPP message, which is named after them: `driver_c120` is line 120 of `driver.c`.
fn place(schema: &Schema) -> Option<(String, u32)> {
    let names = schema.names();
    let is_message = names.detail(LEVEL).or(names.detail("source")).or(names.detail("function")).is_some();
    let name = names.task.as_deref().filter(|_| is_message)?;
    let file = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let line = name.get(file.len()..)?.parse().ok()?;
    let (stem, kind) = file.rsplit_once('_')?;
    Some((format!("{stem}.{kind}"), line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_a_column_is_not_rare() {
        assert!(HeaderField::rare().chain([HeaderField::MessageLevel]).all(HeaderField::is_rare));
        assert!(!HeaderField::columns().any(HeaderField::is_rare));
    }
}
