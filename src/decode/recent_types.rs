//! The event types that were found last.

use crate::bytes::Guid;
use crate::event::{Header, RawEvent};
use crate::format::{ClassicHeader, EventHeader, ExtendedType, event_flags};

/// The words of a header that decide the type of its event, where nothing else does: extended items may contain the
/// metadata of a `TraceLogging` event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ShortKey([u64; 3]);

impl ShortKey {
    /// `None` for headers whose events need a longer look.
    #[expect(clippy::inline_always, reason = "measured: `cargo xtask bench`, stages `census` and `ordered`")]
    #[inline(always)]
    pub(super) fn of(event: &RawEvent<'_>) -> Option<Self> {
        Some(match event.header() {
            Header::System(h) => Self::of_hook(h.hook.get(), h.version.get()),
            Header::Compact(h) => Self::of_hook(h.hook.get(), h.version.get()),
            Header::PerfInfo(h) => Self::of_hook(h.hook.get(), h.version.get()),
            Header::Event(h) if h.flags.get() & (event_flags::EXTENDED_INFO | event_flags::STRING_ONLY) == 0 => {
                Self::of_event(h)
            }
            Header::Event(h) => return Self::of_extended(h, event),
            Header::Classic(h) => Self::of_class(h),
            _ => return None,
        })
    }

    /// Items other than metadata do not change the type.
    #[inline(never)]
    fn of_extended(header: &EventHeader, event: &RawEvent<'_>) -> Option<Self> {
        let is_string = header.flags.get() & event_flags::STRING_ONLY != 0;
        let is_longer = is_string || event.extended().any(|item| item.item_type == ExtendedType::SCHEMA);
        (!is_longer).then(|| Self::of_event(header))
    }

    #[inline]
    pub(super) fn of_hook(hook: u16, version: u16) -> Self {
        Self([u64::from(hook) << 8 | u64::from(version & 0xFF), 0, HOOK])
    }

    #[inline]
    pub(super) fn of_event(header: &EventHeader) -> Self {
        let small = u64::from(header.id.get()) | u64::from(header.version) << 16 | u64::from(header.opcode) << 24;
        Self::of_guid(header.provider, small | u64::from(header.task.get()) << 32 | EVENT)
    }

    #[inline]
    pub(super) fn of_class(header: &ClassicHeader) -> Self {
        let numbers = header.version.get() & 0xFF | u16::from(header.opcode) << 8;
        Self::of_guid(header.class, u64::from(numbers) | CLASS)
    }

    #[inline]
    fn of_guid(guid: Guid, numbers: u64) -> Self {
        let guid = u128::from_le_bytes(guid.to_bytes());
        Self([guid as u64, (guid >> 64) as u64, numbers])
    }

    #[inline]
    const fn slot(self) -> usize {
        let [a, b, c] = self.0;
        let mixed = (a ^ b.rotate_left(32) ^ c.rotate_left(17)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> (64 - SLOTS.trailing_zeros())) as usize
    }
}

/// Marks of the kinds of headers.
const CLASS: u64 = 1 << 61;
const HOOK: u64 = 1 << 62;
const EVENT: u64 = 1 << 63;

const SLOTS: usize = 2048;

/// One type for each of some hashes.
#[derive(Debug)]
pub(super) struct RecentTypes(Box<[(ShortKey, u32)]>);

impl Default for RecentTypes {
    fn default() -> Self {
        Self(vec![(ShortKey::default(), 0); SLOTS].into())
    }
}

impl RecentTypes {
    #[inline]
    pub(super) fn find(&self, key: ShortKey) -> Option<u32> {
        let (known, id) = self.0.get(key.slot())?;
        // No key is all zeros: each has a mark.
        (*known == key).then_some(*id)
    }

    /// Returns all keys and their types.
    pub(super) fn all(&self) -> impl Iterator<Item = (ShortKey, u32)> {
        self.0.iter().copied().filter(|(key, _)| *key != ShortKey::default())
    }

    pub(super) fn remember(&mut self, key: ShortKey, id: u32) {
        if let Some(slot) = self.0.get_mut(key.slot()) {
            *slot = (key, id);
        }
    }
}
