//! The GUID in the traits of a provider under which its events are decoded.

use crate::bytes::Guid;
use crate::event::{Header, Kind, RawEvent};

/// Returns the GUID under which an event is decoded, if its provider's traits state another one than the provider's own
/// (section 7.3). What describes itself needs none.
pub(crate) fn decode_guid(event: &RawEvent<'_>) -> Option<Guid> {
    if !event.has_extended() {
        return None;
    }
    let is_described_elsewhere = event.kind() == Kind::Manifest && matches!(event.header(), Header::Event(_));
    let guid = event.traits().filter(|_| is_described_elsewhere)?.decode?;
    (!guid.is_null() && guid != event.provider_guid()).then_some(guid)
}
