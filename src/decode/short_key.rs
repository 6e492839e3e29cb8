//! The words of a header by which the type of an event is found.

use super::decode_guid::decode_guid;
use crate::event::RawEvent;
use crate::format::{ExtendedType, HeaderType, event_flags};

/// The words of a header that decide the type of its event, where nothing else does: extended items may contain the
/// metadata of a `TraceLogging` event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ShortKey(u64, u64, u64);

/// Bytes of a header up to the last word that is looked at.
type Words = [[u8; 8]; 6];

/// Which bits of a header's words are the key.
#[derive(Clone, Copy, Debug)]
struct Parts {
    /// Of the words with a GUID at 24.
    guid: u64,
    /// Of the first word.
    first: u64,
    /// Of the word at 40.
    descriptor: u64,
    /// The header type, in a byte that no part has; 0 if the type of the event is found otherwise.
    tag: u64,
    /// Bits of the first word that state that the event needs a longer look.
    longer: u64,
}

impl Parts {
    const NONE: Self = Self { guid: 0, first: 0, descriptor: 0, tag: 0, longer: 0 };

    const fn of(header: HeaderType) -> Self {
        let tag = (header.index() as u64 + 1) << 24;
        match header {
            // Version and flags, hook.
            _ if header.is_kernel() => Self { first: 0xFFFF_0000_0000_FFFF, tag, ..Self::NONE },
            // Opcode, and the low byte of the version.
            HeaderType::Classic32 | HeaderType::Classic64 => {
                Self { guid: u64::MAX, first: 0x00FF_00FF_0000_0000, tag, ..Self::NONE }
            }
            // Id, version, opcode, task.
            HeaderType::Event32 | HeaderType::Event64 => {
                let longer = ((event_flags::EXTENDED_INFO | event_flags::STRING_ONLY) as u64) << 32;
                Self { guid: u64::MAX, descriptor: 0xFFFF_FF00_00FF_FFFF, tag, longer, ..Self::NONE }
            }
            _ => Self::NONE,
        }
    }
}

/// By [`HeaderType::index`].
static PARTS: [Parts; HeaderType::ALL.len()] = parts();

#[expect(clippy::indexing_slicing, reason = "a constant: an index beyond the end would not compile")]
const fn parts() -> [Parts; HeaderType::ALL.len()] {
    let mut all = [Parts::NONE; HeaderType::ALL.len()];
    let mut at = 0;
    while at < all.len() {
        all[HeaderType::ALL[at].index()] = Parts::of(HeaderType::ALL[at]);
        at += 1;
    }
    all
}

impl ShortKey {
    /// That of no event.
    pub(super) const NONE: Self = Self(0, 0, 0);

    /// `None` for events that need a longer look.
    #[expect(clippy::inline_always, reason = "measured: `cargo xtask bench`, stages `census` and `ordered`")]
    #[inline(always)]
    pub(super) fn of(event: &RawEvent<'_>) -> Option<Self> {
        let (parts, words) = Self::read(event.header_type(), event.bytes())?;
        let is_longer = first(&words) & parts.longer != 0 && Self::is_longer(event);
        (!is_longer).then(|| Self::join(parts, &words))
    }

    /// Returns the words of the event that `rest` begins with, if its header is followed by the payload. `None` for
    /// others.
    #[expect(clippy::inline_always, reason = "as for `ShortKey::of`")]
    #[inline(always)]
    pub(crate) fn plain(header: HeaderType, rest: &[u8]) -> Option<Self> {
        let (parts, words) = Self::read(header, rest)?;
        (first(&words) & parts.longer == 0).then(|| Self::join(parts, &words))
    }

    #[inline]
    fn read(header: HeaderType, bytes: &[u8]) -> Option<(&'static Parts, Words)> {
        let parts = PARTS.get(header.index()).filter(|parts| parts.tag != 0)?;
        let words = match bytes.first_chunk::<{ size_of::<Words>() }>() {
            Some(words) => *words.as_chunks().0.first_chunk()?,
            // Only headers of the kernel are so short, of which the first word decides.
            None => [*bytes.first_chunk()?, [0; 8], [0; 8], [0; 8], [0; 8], [0; 8]],
        };
        Some((parts, words))
    }

    #[inline]
    fn join(parts: &Parts, words: &Words) -> Self {
        let [first, _, _, low, high, descriptor] = words.map(u64::from_le_bytes);
        let numbers = first & parts.first | descriptor & parts.descriptor | parts.tag;
        Self(low & parts.guid, high & parts.guid, numbers)
    }

    /// Items other than metadata and a GUID for decoding do not change the type.
    #[inline(never)]
    fn is_longer(event: &RawEvent<'_>) -> bool {
        let is_string = event.described().is_some_and(|head| head.flags.get() & event_flags::STRING_ONLY != 0);
        is_string
            || event.extended().any(|item| match item.item_type {
                ExtendedType::SCHEMA => true,
                ExtendedType::PROVIDER_TRAITS => decode_guid(event).is_some(),
                _ => false,
            })
    }

    /// Returns a number below `count`, a power of two.
    #[inline]
    pub(super) const fn hash(self, count: usize) -> usize {
        let Self(low, high, numbers) = self;
        let mixed = (low ^ high ^ numbers).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> (u64::BITS - count.trailing_zeros())) as usize
    }
}

#[inline]
fn first(words: &Words) -> u64 {
    let [first, ..] = words;
    u64::from_le_bytes(*first)
}
