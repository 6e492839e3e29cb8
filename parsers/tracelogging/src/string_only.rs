//! Events of `EventWriteString`.

use etwkit::bytes::Guid;
use etwkit::error::Result;
use etwkit::event::{Kind, RawEvent};
use etwkit::parser::{Claims, SchemaProvider, TraceFacts};
use etwkit::schema::{Encoding, Field, Len, Names, Schema, SchemaSource, Wire};

use crate::parser::provider;

/// Parser of string-only events (`EVENT_HEADER_FLAG_STRING_ONLY`): `EventWriteString` needs no schema at all, its
/// payload is one NUL-terminated UTF-16 text. iisnode and `System.Net` tracing write such events.
///
/// Windows has names for nothing in them. The event is called `EventWriteString` as in TraceEvent, but has no task, as
/// in `tracerpt`'s XML; the provider is named by its GUID unless traits came along or it is one of
/// [`StringOnly::KNOWN`].
#[derive(Clone, Copy, Debug, Default)]
pub struct StringOnly;

impl StringOnly {
    /// Name of the event.
    pub const EVENT: &'static str = "EventWriteString";
    /// Name of the only field. `tracerpt` prints a `<Data>` without a name.
    pub const FIELD: &'static str = "Message";
    /// Providers that are registered nowhere, with what people call them.
    pub const KNOWN: [(Guid, &'static str); 1] = [(Guid::from_u128(0x1040dfc4_61db_484a_9530_584b2735f7f7), "iisnode")];
}

impl SchemaProvider for StringOnly {
    fn name(&self) -> &'static str {
        "string-only"
    }

    fn claims(&self) -> Claims {
        Claims::kind(Kind::StringOnly)
    }

    fn schema(&self, event: &RawEvent<'_>, _: &TraceFacts) -> Result<Option<Schema>> {
        let known =
            || Self::KNOWN.iter().find(|(guid, _)| *guid == event.provider_guid()).map(|(_, name)| (*name).into());
        let mut names = Names::default().event(Self::EVENT);
        names.provider = provider(event).or_else(known);
        let mut builder = Schema::builder(SchemaSource::EVENT.into()).names(names);
        let wire = Wire::Text { encoding: Encoding::Utf16, len: Len::Nul };
        // A payload of no bytes is an empty text whose NUL was not written.
        builder.field(Field::new(Self::FIELD, wire).optional());
        builder.build().map(Some)
    }
}
