//! The event types that were found last.

use crate::bytes::Guid;
use crate::event::{Header, KeyId, RawEvent};
use crate::format::{ClassicHeader, EventHeader, ExtendedType, HeaderType, event_flags};

/// The words of a header that decide the type of its event, where nothing else does: extended items may contain the
/// metadata of a `TraceLogging` event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ShortKey(u64, u64, u64);

impl ShortKey {
    /// `None` for headers whose events need a longer look.
    #[expect(clippy::inline_always, reason = "measured: `cargo xtask bench`, stages `census` and `ordered`")]
    #[inline(always)]
    pub(super) fn of(event: &RawEvent<'_>) -> Option<Self> {
        match event.header() {
            Header::Event(h) => (Self::is_followed(h) || !Self::is_longer(h, event)).then(|| Self::of_event(h)),
            _ => Self::plain(event),
        }
    }

    /// Returns the words of an event whose header is followed by the payload. `None` for others.
    #[expect(clippy::inline_always, reason = "as for `ShortKey::of`")]
    #[inline(always)]
    pub(super) fn plain(event: &RawEvent<'_>) -> Option<Self> {
        Some(match event.header() {
            Header::System(_) | Header::Compact(_) | Header::PerfInfo(_) => Self::of_hook(event.bytes())?,
            Header::Event(h) if Self::is_followed(h) => Self::of_event(h),
            Header::Classic(h) => Self::of_class(h),
            _ => return None,
        })
    }

    /// Returns whether nothing is between a header and its payload.
    #[inline]
    fn is_followed(header: &EventHeader) -> bool {
        header.flags.get() & (event_flags::EXTENDED_INFO | event_flags::STRING_ONLY) == 0
    }

    /// Items other than metadata do not change the type.
    #[inline(never)]
    fn is_longer(header: &EventHeader, event: &RawEvent<'_>) -> bool {
        let is_string = header.flags.get() & event_flags::STRING_ONLY != 0;
        is_string || event.extended().any(|item| item.item_type == ExtendedType::SCHEMA)
    }

    /// The first eight bytes of a kernel event without its length: version and flags, header type, hook.
    #[inline]
    fn of_hook(bytes: &[u8]) -> Option<Self> {
        Some(Self(u64::from_le_bytes(*bytes.first_chunk()?) & 0xFFFF_0000_FFFF_FFFF, 0, 0))
    }

    #[inline]
    fn of_event(header: &EventHeader) -> Self {
        let small = u64::from(header.id.get()) | u64::from(header.version) << 16 | u64::from(header.opcode) << 24;
        Self::of_guid(header.provider, small | u64::from(header.task.get()) << 32, header.header_type)
    }

    #[inline]
    fn of_class(header: &ClassicHeader) -> Self {
        let numbers = header.version.get() & 0xFF | u16::from(header.opcode) << 8;
        Self::of_guid(header.class, u64::from(numbers), header.header_type)
    }

    /// No header type is 0, so these words differ from those of a hook.
    #[inline]
    fn of_guid(guid: Guid, numbers: u64, header_type: u8) -> Self {
        let guid = u128::from_le_bytes(guid.to_bytes());
        Self(guid as u64, (guid >> 64) as u64, numbers | u64::from(header_type) << 56)
    }

    #[inline]
    const fn slot(self) -> usize {
        let Self(a, b, c) = self;
        let mixed = (a ^ b.rotate_left(32) ^ c.rotate_left(17)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> (64 - SLOTS.trailing_zeros())) as usize
    }
}

/// Events of one type with one header, counted since the last time that somebody asked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tally {
    /// The type.
    pub(crate) id: KeyId,
    pub(crate) header: HeaderType,
    /// Hook of kernel events.
    pub(crate) hook: Option<u16>,
    pub(crate) events: u64,
    /// Bytes of their payloads.
    pub(crate) payload: u64,
}

impl Tally {
    /// One event.
    pub(crate) fn of(event: &RawEvent<'_>, id: KeyId) -> Self {
        let payload = event.payload().len() as u64;
        Self { id, header: event.header_type(), hook: event.hook(), events: 1, payload }
    }
}

/// A type that was found, and its events that were counted.
#[derive(Clone, Copy, Debug)]
struct Recent {
    key: ShortKey,
    tally: Tally,
    /// Bytes before the payload.
    head: u32,
    seen: Seen,
}

/// What the first pass notes of a segment with an event of a type.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Seen {
    /// The mark of the type.
    pub(crate) mark: u64,
    /// Whether a part of the first pass wants its events.
    pub(crate) is_observed: bool,
}

impl Recent {
    /// No event has the key, which is all zeros.
    const NONE: Self = {
        let tally = Tally { id: KeyId(0), header: HeaderType::Error, hook: None, events: 0, payload: 0 };
        Self { key: ShortKey(0, 0, 0), tally, head: 0, seen: Seen { mark: 0, is_observed: false } }
    };
}

const SLOTS: usize = 2048;

/// One type for each of some hashes.
#[derive(Debug)]
pub(super) struct RecentTypes(Box<[Recent]>);

impl Default for RecentTypes {
    fn default() -> Self {
        Self(vec![Recent::NONE; SLOTS].into())
    }
}

impl RecentTypes {
    #[inline]
    pub(super) fn find(&self, key: ShortKey) -> Option<KeyId> {
        let recent = self.0.get(key.slot())?;
        (recent.key == key).then_some(recent.tally.id)
    }

    /// Counts an event if its type is among these.
    #[expect(clippy::inline_always, reason = "measured: `cargo xtask bench`, stage `census`")]
    #[inline(always)]
    pub(super) fn count(&mut self, event: &RawEvent<'_>) -> Option<Seen> {
        let key = ShortKey::plain(event)?;
        let recent = self.0.get_mut(key.slot()).filter(|recent| recent.key == key)?;
        recent.tally.events += 1;
        recent.tally.payload += event.bytes().len().saturating_sub(recent.head as usize) as u64;
        Some(recent.seen)
    }

    /// Adds the type of an event, in place of another one, whose count it returns.
    pub(super) fn add(&mut self, event: &RawEvent<'_>, id: KeyId, seen: Seen) -> Option<Tally> {
        let key = ShortKey::of(event)?;
        let slot = self.0.get_mut(key.slot())?;
        let tally = Tally { events: 0, payload: 0, ..Tally::of(event, id) };
        let recent = Recent { key, tally, head: event.header().payload_offset() as u32, seen };
        Some(std::mem::replace(slot, recent).tally)
    }

    /// Takes over all types of another list; `id` returns what a type's number is here. What was counted is not taken
    /// over.
    pub(super) fn take_over(&mut self, other: &Self, id: impl Fn(KeyId) -> Option<KeyId>) {
        for (slot, later) in self.0.iter_mut().zip(&other.0).filter(|(_, later)| later.key != Recent::NONE.key) {
            if let Some(id) = id(later.tally.id) {
                let tally = Tally { id, events: 0, payload: 0, ..later.tally };
                *slot = Recent { tally, ..*later };
            }
        }
    }

    /// Hands over what was counted.
    pub(super) fn drain(&mut self, mut take: impl FnMut(&Tally)) {
        for recent in self.0.iter_mut().filter(|recent| recent.tally.events > 0) {
            take(&recent.tally);
            (recent.tally.events, recent.tally.payload) = (0, 0);
        }
    }
}
