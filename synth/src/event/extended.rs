//! Extended data items after an `EVENT_HEADER` (section 7; types `EVENT_HEADER_EXT_TYPE_*`, `evntcons.h`).

use crate::guid::Guid;
use crate::narrow::{round_up_8, u16_of};
use crate::payload::Payload;

/// One extended item: its type and data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExtendedItem {
    /// `ExtType`.
    pub kind: u16,
    /// The data, without the item's header and padding.
    pub data: Vec<u8>,
}

impl ExtendedItem {
    /// Any type with any data.
    pub fn raw(kind: u16, data: impl Into<Vec<u8>>) -> Self {
        Self { kind, data: data.into() }
    }

    /// 1: the activity that led to this one.
    pub fn related_activity(activity: Guid) -> Self {
        Self::raw(1, Payload::new().guid(activity))
    }

    /// 2: SID of the user.
    pub fn sid(authority: u64, sub_authorities: &[u32]) -> Self {
        Self::raw(2, Payload::new().sid(authority, sub_authorities))
    }

    /// 3: terminal session id.
    pub fn terminal_session(id: u32) -> Self {
        Self::raw(3, Payload::new().u32(id))
    }

    /// 4: instance, parent instance, parent class.
    pub fn instance_info(instance: u32, parent: u32, parent_class: Guid) -> Self {
        Self::raw(4, Payload::new().u32(instance).u32(parent).guid(parent_class))
    }

    /// 5: call stack of 32-bit addresses.
    pub fn stack32(match_id: u64, addresses: &[u32]) -> Self {
        Self::raw(5, addresses.iter().fold(Payload::new().u64(match_id), |data, &a| data.u32(a)))
    }

    /// 6: call stack of 64-bit addresses.
    pub fn stack64(match_id: u64, addresses: &[u64]) -> Self {
        Self::raw(6, addresses.iter().fold(Payload::new().u64(match_id), |data, &a| data.u64(a)))
    }

    /// 7: PEBS index.
    pub fn pebs_index(index: u64) -> Self {
        Self::raw(7, Payload::new().u64(index))
    }

    /// 8: performance counter values.
    pub fn pmc_counters(counters: &[u64]) -> Self {
        Self::raw(8, counters.iter().fold(Payload::new(), |data, &c| data.u64(c)))
    }

    /// 9: process state manager key.
    pub fn psm_key(key: &str) -> Self {
        Self::raw(9, Payload::new().utf16z(key))
    }

    /// 10: event key.
    pub fn event_key(key: u64) -> Self {
        Self::raw(10, Payload::new().u64(key))
    }

    /// 11: `TraceLogging` metadata, see [`Metadata`](crate::schema::Metadata).
    pub fn schema_tl(metadata: impl Into<Vec<u8>>) -> Self {
        Self::raw(11, metadata)
    }

    /// 12: provider traits, see [`Traits`](crate::schema::Traits).
    pub fn provider_traits(traits: impl Into<Vec<u8>>) -> Self {
        Self::raw(12, traits)
    }

    /// 13: process start key.
    pub fn process_start_key(key: u64) -> Self {
        Self::raw(13, Payload::new().u64(key))
    }

    /// 14: control GUID of a classic provider.
    pub fn control_guid(guid: Guid) -> Self {
        Self::raw(14, Payload::new().guid(guid))
    }

    /// 15: QPC difference between guest and host.
    pub fn qpc_delta(delta: u64) -> Self {
        Self::raw(15, Payload::new().u64(delta))
    }

    /// 16: container id.
    pub fn container_id(guid: Guid) -> Self {
        Self::raw(16, Payload::new().guid(guid))
    }

    /// 17: key of a cached stack, 32-bit.
    pub fn stack_key32(match_id: u64, key: u32) -> Self {
        Self::raw(17, Payload::new().u64(match_id).u32(key).u32(0))
    }

    /// 18: key of a cached stack, 64-bit.
    pub fn stack_key64(match_id: u64, key: u64) -> Self {
        Self::raw(18, Payload::new().u64(match_id).u64(key))
    }
}

/// Appends the items: u16 size with padding, u16 type, u16 linkage (1 = more follow), u16 data size, data, zeros.
pub(super) fn write(items: &[ExtendedItem], header: Payload) -> Payload {
    items.iter().enumerate().fold(header, |header, (n, item)| {
        let size = round_up_8(8 + item.data.len());
        let linkage = u16::from(n + 1 < items.len());
        let head = header.u16(u16_of(size)).u16(item.kind).u16(linkage).u16(u16_of(item.data.len()));
        head.bytes(&item.data).zeros(size - 8 - item.data.len())
    })
}
