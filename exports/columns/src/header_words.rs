//! Headers that are alike but for times, writers and activities.

use etwkit::bytes::Guid;
use etwkit::decode::Attribution;
use etwkit::event::{RawEvent, known_id};
use etwkit::format::{HeaderType, event_flags};

/// What a header has in its words that decides, with the type of its event, all that columns show of it but for what
/// [`Differing`] has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HeaderWords {
    header: HeaderType,
    /// Bits of the first word that are compared, and these.
    mask: u64,
    first: u64,
    /// Of an `EVENT_HEADER`: the words of its descriptor.
    descriptor: Option<[u64; 2]>,
    /// Bits of the word of the writer that are not known.
    unknown: u64,
}

/// What headers differ in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Differing {
    /// Thread and process of the writer; [`NO_ID`](etwkit::event::NO_ID) where the header does not have them.
    tid: u32,
    pid: u32,
    /// The bytes of the activity, the first one lowest; 0 if there is none.
    activity: u128,
}

impl Differing {
    /// Returns the activity; `None` if there is none.
    #[inline]
    pub(crate) fn activity(self) -> Option<Guid> {
        (self.activity != 0).then(|| Guid::from_bytes(self.activity.to_le_bytes()))
    }

    /// Returns the writer.
    #[inline]
    pub(crate) fn writer(self) -> Attribution {
        let mut writer = Attribution::default();
        (writer.pid, writer.tid) = (known_id(self.pid), known_id(self.tid));
        writer
    }
}

impl HeaderWords {
    /// `None` of a header that must be looked at as a whole.
    pub(crate) fn of(raw: &RawEvent<'_>) -> Option<Self> {
        let header = raw.header_type();
        // Version and hook; of a classic header opcode, level and version; of an `EVENT_HEADER` what follows it, and
        // whether it is text.
        let flags = u64::from(event_flags::EXTENDED_INFO | event_flags::STRING_ONLY) << 32;
        let (mask, is_described) = match header {
            _ if header.is_kernel() => (0xFFFF_0000_0000_FFFF, false),
            HeaderType::Classic32 | HeaderType::Classic64 => (0xFFFF_FFFF_0000_0000, false),
            HeaderType::Event32 | HeaderType::Event64 => (flags, true),
            _ => return None,
        };
        let bytes = raw.bytes();
        let first = word(bytes, 0)? & mask;
        if is_described && first >> 32 & u64::from(event_flags::STRING_ONLY) != 0 {
            return None;
        }
        let descriptor = if is_described { Some([word(bytes, 40)?, word(bytes, 48)?]) } else { None };
        let unknown = if raw.pid().is_none() { u64::MAX } else { 0 };
        Some(Self { header, mask, first, descriptor, unknown })
    }

    /// Returns what a header differs in; `None` if it has other words.
    #[inline]
    pub(crate) fn differing(&self, raw: &RawEvent<'_>) -> Option<Differing> {
        if raw.header_type() != self.header {
            return None;
        }
        let bytes = raw.bytes();
        let [first, writer] = words(bytes.first_chunk::<16>()?);
        if first & self.mask != self.first {
            return None;
        }
        let mut activity = 0;
        if let Some(descriptor) = self.descriptor {
            let [.., numbers, keywords, _, low, high] = words::<80, 10>(bytes.first_chunk()?);
            if [numbers, keywords] != descriptor {
                return None;
            }
            activity = u128::from(high) << 64 | u128::from(low);
        }
        let writer = writer | self.unknown;
        Some(Differing { tid: writer as u32, pid: (writer >> 32) as u32, activity })
    }
}

#[inline]
fn words<const BYTES: usize, const WORDS: usize>(bytes: &[u8; BYTES]) -> [u64; WORDS] {
    let mut words = [0; WORDS];
    words.iter_mut().zip(bytes.as_chunks().0).for_each(|(word, bytes)| *word = u64::from_le_bytes(*bytes));
    words
}

fn word(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk().map(|word| u64::from_le_bytes(*word))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]
mod tests {
    use etwkit::event::BufferContext;
    use etwkit::format::Marker;

    use super::*;

    fn raw(bytes: &[u8]) -> RawEvent<'_> {
        RawEvent::new(bytes, Marker::read(bytes).unwrap(), BufferContext::default()).unwrap()
    }

    /// An `EVENT_HEADER` of thread 5 and process 6 without activity.
    fn header() -> [u8; 80] {
        let mut bytes = [0; 80];
        bytes[..4].copy_from_slice(&[80, 0, 0x13, 0xC0]);
        (bytes[8], bytes[12], bytes[40]) = (5, 6, 7);
        bytes
    }

    #[test]
    fn what_decides_a_row_is_compared_and_the_rest_is_read() {
        let words = HeaderWords::of(&raw(&header())).unwrap();
        let known = words.differing(&raw(&header())).unwrap();
        let writer = known.writer();
        assert_eq!((writer.pid, writer.tid, known.activity()), (Some(6), Some(5), None));
        // Size, flags that state nothing of the event, time, processor times.
        for place in [0, 5, 16, 56, 63] {
            let mut bytes = header();
            bytes[place] ^= 1;
            assert!(words.differing(&raw(&bytes)).is_some(), "{place}");
        }
        // Extended items, text, id, version, channel, level, opcode, task, keywords.
        for (place, bit) in [(4, 1), (4, 4), (40, 1), (42, 1), (43, 1), (44, 1), (45, 1), (47, 1), (48, 1), (55, 0x80)]
        {
            let mut bytes = header();
            bytes[place] ^= bit;
            assert!(words.differing(&raw(&bytes)).is_none(), "{place}");
        }
        let mut bytes = header();
        bytes[8..12].fill(0xFF);
        bytes[79] = 9;
        let other = words.differing(&raw(&bytes)).unwrap();
        assert_eq!((other.writer().pid, other.writer().tid), (Some(6), None));
        assert_eq!(other.activity(), raw(&bytes).activity_id());
    }

    #[test]
    fn a_header_without_a_writer_has_none() {
        // `PERFINFO_TRACE_HEADER`: the time is where others have the writer.
        let bytes = [2, 0, 0x11, 0xC0, 16, 0, 0x2E, 0x0F, 1, 2, 3, 4, 5, 6, 7, 8];
        let words = HeaderWords::of(&raw(&bytes)).unwrap();
        let writer = words.differing(&raw(&bytes)).unwrap().writer();
        assert_eq!((writer.pid, writer.tid), (None, None));
        let mut other = bytes;
        other[6] = 0x2F;
        assert!(words.differing(&raw(&other)).is_none());
        assert!(HeaderWords::of(&raw(&header())).unwrap().differing(&raw(&bytes)).is_none());
    }
}
