//! The bytes of an event that may hold text: everything after its header of fixed numbers.

use std::ops::Range;

use etwkit::Guid;
use etwkit::event::{Header, RawEvent};
use etwkit::format::ExtendedType;

/// Bytes of an `EVENT_HEADER` before the activity id, which may have the address of an adapter; extended items follow.
const EVENT_HEADER: usize = 64;
/// The id of events with parts of an `EventSource` manifest.
const MANIFEST: u16 = 0xFFFE;
/// The provider of events that describe others (`KernelTraceControl`).
const DESCRIPTIONS: Guid = Guid::from_u128(0xbbcc_f6c1_6cd1_48c4_80ff_8394_82e3_7671);

/// The bytes of an event that may hold text.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    /// Where they begin, from the start of the event.
    pub(crate) start: usize,
    /// Where the names of the event and its fields are in them.
    names: Vec<Range<usize>>,
}

impl Region {
    /// Finds the bytes of an event.
    pub(crate) fn of(event: &RawEvent<'_>) -> Self {
        let start = match event.header() {
            Header::Event(_) => EVENT_HEADER,
            _ => event.payload_start(),
        };
        let start = start.min(event.bytes().len());
        let region = event.bytes().get(start..).unwrap_or_default();
        let describes = event.described().is_some() && event.id() == MANIFEST || event.provider_guid() == DESCRIPTIONS;
        let whole = 0..region.len();
        let names = if describes { std::iter::once(whole).collect() } else { items(event, region) };
        Self { start, names }
    }

    /// Returns whether a place is in names of the event and its fields.
    pub(crate) fn is_name(&self, at: usize) -> bool {
        self.names.iter().any(|range| range.contains(&at))
    }
}

fn items(event: &RawEvent<'_>, region: &[u8]) -> Vec<Range<usize>> {
    let is_name = |item: &ExtendedType| [ExtendedType::SCHEMA, ExtendedType::PROVIDER_TRAITS].contains(item);
    let items = event.extended().filter(|item| is_name(&item.item_type));
    items.filter_map(|item| place_of(region, item.data)).collect()
}

/// Returns where a part of `whole` is in it; `None` if it is not part of it.
pub(crate) fn place_of(whole: &[u8], part: &[u8]) -> Option<Range<usize>> {
    let start = part.as_ptr().addr().checked_sub(whole.as_ptr().addr())?;
    let end = start + part.len();
    (end <= whole.len()).then_some(start..end)
}
