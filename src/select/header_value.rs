//! The value of a header field, and its text.

use std::borrow::Cow;

use crate::bytes::{Guid, write_hex};
use crate::clock::Clock;
use crate::decode::Event;
use crate::render::json::{FieldKeys, push_fields};
use crate::render::push_message;
use crate::render::time::push_event_time;
use crate::render::value::hex;
use crate::schema::{Message, Schema};

use super::type_facts::ProviderGuids;

/// The value of a header field. Formats decide how to show it; [`HeaderValue::push`] is its text elsewhere.
#[derive(Clone, Debug)]
pub(crate) enum HeaderValue<'e> {
    /// A time, FILETIME: UTC, or local to the machine that wrote the event.
    Time { filetime: i64, is_local: bool },
    /// A raw time stamp in ticks of the file's clock.
    Ticks(i64),
    /// An integer, and its name if the schema has one.
    Number { value: u64, name: Option<&'e str> },
    /// Bits, shown in hexadecimal.
    Bits(u64),
    /// A GUID.
    Guid(Guid),
    /// The GUIDs of a provider; that of the provider itself is not null.
    ProviderGuid(ProviderGuids),
    /// A provider: its name, its GUID or both. Without a name, its text is the GUID.
    Provider { name: Option<&'e str>, guids: ProviderGuids },
    /// Text.
    Text(Cow<'e, str>),
    /// A message, whose text has values of the event.
    Message(&'e Message),
    /// All fields of the payload, a JSON object as text.
    Fields(&'e Schema),
    /// Bytes, shown as hexadecimal digits.
    Bytes(&'e [u8]),
}

impl HeaderValue<'_> {
    /// The integer; `None` for values that are no plain integers.
    pub(crate) const fn number(&self) -> Option<u64> {
        match self {
            Self::Number { value, .. } => Some(*value),
            _ => None,
        }
    }

    /// Appends the value's text.
    pub(crate) fn push(&self, out: &mut Vec<u8>, event: &Event<'_>, clock: Option<&Clock>) {
        match self {
            Self::Message(message) => push_message(out, message, event, clock),
            Self::Fields(schema) => push_fields(out, event, &FieldKeys::new(schema), clock),
            _ => self.push_plain(out),
        }
    }

    /// Appends the text of a value that does not depend on the payload; nothing for [`HeaderValue::Message`] and
    /// [`HeaderValue::Fields`].
    pub(crate) fn push_plain(&self, out: &mut Vec<u8>) {
        match self {
            Self::Time { filetime, is_local } => {
                push_event_time(out, *filetime, *is_local);
            }
            Self::Ticks(ticks) => out.extend_from_slice(itoa::Buffer::new().format(*ticks).as_bytes()),
            Self::Number { value, .. } => out.extend_from_slice(itoa::Buffer::new().format(*value).as_bytes()),
            Self::Bits(bits) => {
                hex(out, *bits);
            }
            Self::Guid(guid) | Self::ProviderGuid(ProviderGuids { provider: guid, .. }) => {
                out.extend_from_slice(&guid.to_text());
            }
            Self::Provider { name: Some(name), .. } => out.extend_from_slice(name.as_bytes()),
            Self::Provider { name: None, guids } => out.extend_from_slice(&guids.provider.to_text()),
            Self::Text(text) => out.extend_from_slice(text.as_bytes()),
            Self::Bytes(bytes) => write_hex(out, bytes),
            Self::Message(_) | Self::Fields(_) => {}
        }
    }

    /// The text of [`HeaderValue::push`].
    pub(crate) fn text(&self, event: &Event<'_>, clock: Option<&Clock>) -> String {
        let mut text = Vec::new();
        self.push(&mut text, event, clock);
        lossy(text)
    }

    /// The text of [`HeaderValue::push_plain`].
    pub(crate) fn plain_text(&self) -> String {
        let mut text = Vec::new();
        self.push_plain(&mut text);
        lossy(text)
    }
}

fn lossy(text: Vec<u8>) -> String {
    String::from_utf8(text).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}
