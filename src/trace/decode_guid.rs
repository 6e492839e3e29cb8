//! Schemas of providers that state another GUID for decoding.

use std::mem::offset_of;

use crate::bytes::Guid;
use crate::decode::decode_guid;
use crate::error::Result;
use crate::event::RawEvent;
use crate::format::EventHeader;
use crate::parser::{Providers, TraceFacts};
use crate::schema::Schema;

/// Asks for the schema of an event: under the decode GUID in the traits of its provider, if it has one, and else, or if
/// there is nothing, under the provider's own (section 7.3).
pub(super) fn schema(providers: &Providers, event: &RawEvent<'_>, facts: &TraceFacts) -> Result<Option<Schema>> {
    let bytes = decode_guid(event).and_then(|guid| renamed(event.bytes(), guid));
    if let Some(bytes) = &bytes
        && let Some(schema) = providers.schema(&event.with_bytes(bytes), facts)?
    {
        return Ok(Some(schema));
    }
    providers.schema(event, facts)
}

/// The bytes of an event as that of another provider.
fn renamed(event: &[u8], provider: Guid) -> Option<Vec<u8>> {
    let mut bytes = event.to_vec();
    bytes.get_mut(offset_of!(EventHeader, provider)..)?.first_chunk_mut().map(|id| *id = provider.to_bytes())?;
    Some(bytes)
}
