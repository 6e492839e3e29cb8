//! The value of a header field, and its text.

use std::borrow::Cow;

use crate::bytes::{Guid, write_hex};
use crate::decode::Event;
use crate::render::json::{FieldKeys, push_fields};
use crate::render::push_message;
use crate::render::time::push_event_time;
use crate::render::value::hex;
use crate::schema::{Message, Schema};
use crate::time::{FileTime, RawTime};

/// The value of a header field. Formats decide how to show it; [`HeaderValue::push`] is its text elsewhere.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum HeaderValue<'e> {
    /// A time.
    Time {
        /// The time.
        time: FileTime,
        /// It is in the zone of the machine that wrote the event, not UTC.
        is_local: bool,
    },
    /// A raw time stamp in ticks of the file's clock.
    Ticks(RawTime),
    /// An integer.
    Number {
        /// The integer.
        value: u64,
        /// Its name, if the schema has one.
        name: Option<&'e str>,
    },
    /// Bits, shown in hexadecimal.
    Bits(u64),
    /// A GUID.
    Guid(Guid),
    /// The GUIDs of a provider; its own is not null.
    ProviderGuid(ProviderGuids),
    /// A provider: its name, its GUID or both. Without a name, its text is the GUID.
    Provider {
        /// The name.
        name: Option<&'e str>,
        /// The GUIDs.
        guids: ProviderGuids,
    },
    /// Text.
    Text(Cow<'e, str>),
    /// A message, whose text contains values of the event.
    Message(&'e Message),
    /// All fields of the payload, as this schema describes them; their text is a JSON object.
    Fields(&'e Schema),
    /// Bytes, shown as hexadecimal digits.
    Bytes(&'e [u8]),
    /// A JSON array or object.
    Json(Box<str>),
    /// A number with a fraction.
    Real(f64),
    /// An address as image and offset, shown as `ntdll.dll+0x1a2b`.
    Frame {
        /// File name of the image.
        image: &'e str,
        /// Bytes from its base.
        offset: u64,
    },
}

/// GUIDs that identify a provider. Either may be null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProviderGuids {
    /// The provider's own.
    pub provider: Guid,
    /// That of the event's header, which may be another one: the class of a classic event.
    pub header: Guid,
}

impl ProviderGuids {
    /// Returns those that are not null, the provider's own first.
    pub fn all(self) -> impl Iterator<Item = Guid> {
        [self.provider, self.header].into_iter().filter(|guid| !guid.is_null())
    }
}

impl HeaderValue<'_> {
    /// Returns the integer of a [`HeaderValue::Number`].
    pub const fn number(&self) -> Option<u64> {
        match self {
            Self::Number { value, .. } => Some(*value),
            _ => None,
        }
    }

    /// Appends the value's text; `event` is the one that has the value.
    pub fn push(&self, out: &mut Vec<u8>, event: &Event<'_>) {
        match self {
            Self::Message(message) => push_message(out, message, event, event.clock()),
            Self::Fields(schema) => push_fields(out, event, &FieldKeys::new(schema), event.clock()),
            _ => self.push_plain(out),
        }
    }

    /// Appends the text of a value that does not depend on the payload; nothing for [`HeaderValue::Message`] and
    /// [`HeaderValue::Fields`].
    fn push_plain(&self, out: &mut Vec<u8>) {
        match self {
            Self::Time { time, is_local } => {
                push_event_time(out, *time, *is_local);
            }
            Self::Ticks(ticks) => out.extend_from_slice(itoa::Buffer::new().format(ticks.0).as_bytes()),
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
            // With a point, like the numbers of fields.
            Self::Real(number) => out.extend_from_slice(format!("{number:?}").as_bytes()),
            Self::Frame { image, offset } => {
                out.extend_from_slice(image.as_bytes());
                out.push(b'+');
                hex(out, *offset);
            }
            Self::Json(text) => out.extend_from_slice(text.as_bytes()),
            Self::Bytes(bytes) => write_hex(out, bytes),
            Self::Message(_) | Self::Fields(_) => {}
        }
    }

    /// Returns the text of [`HeaderValue::push`].
    pub fn text(&self, event: &Event<'_>) -> String {
        let mut text = Vec::new();
        self.push(&mut text, event);
        lossy(text)
    }

    /// Returns the text of a value that does not depend on the payload.
    pub(crate) fn plain_text(&self) -> String {
        let mut text = Vec::new();
        self.push_plain(&mut text);
        lossy(text)
    }
}

fn lossy(text: Vec<u8>) -> String {
    String::from_utf8(text).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}
