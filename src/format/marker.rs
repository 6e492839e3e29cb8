//! The first bytes of every event: its header type and length (sections 3 and 5.1).

use std::mem::offset_of;

use crate::bytes::{PointerSize, u8_at, u32_at};

use super::{
    ClassicHeader, CompactHeader, ErrorHeader, EventHeader, MessageHeader, PerfInfoHeader, ShortInstanceHeader,
    SystemHeader,
};

named_enum! {
    /// How an event's header is laid out.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum HeaderType {
        /// Type 1, `SYSTEM_TRACE_HEADER` of a 32-bit kernel.
        System32 = "system32",
        /// Type 2, `SYSTEM_TRACE_HEADER` of a 64-bit kernel.
        System64 = "system64",
        /// Type 3, system header without processor times.
        Compact32 = "compact32",
        /// Type 4, the same, 64 bit.
        Compact64 = "compact64",
        /// Type 16, `PERFINFO_TRACE_HEADER`.
        PerfInfo32 = "perfinfo32",
        /// Type 17, the same, 64 bit.
        PerfInfo64 = "perfinfo64",
        /// Type 10, `EVENT_TRACE_HEADER`.
        Classic32 = "classic32",
        /// Type 20, the same, 64 bit.
        Classic64 = "classic64",
        /// Type 11, `EVENT_INSTANCE_GUID_HEADER`.
        Instance32 = "instance32",
        /// Type 21, the same, 64 bit.
        Instance64 = "instance64",
        /// Type 18, `EVENT_HEADER`.
        Event32 = "event32",
        /// Type 19, the same, 64 bit.
        Event64 = "event64",
        /// Marker 0x90, `MESSAGE_TRACE_HEADER` (WPP).
        Message = "message",
        /// Type 13: the kernel could not write the event that belongs here.
        Error = "error",
        /// `EVENT_RECORD` of a `.btl` file, an event of a 32-bit writer.
        Record32 = "record32",
        /// The same, 64 bit.
        Record64 = "record64",
    }
}

impl HeaderType {
    /// Returns the place in [`HeaderType::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the bytes of the fixed header; an event of this type is never shorter.
    pub const fn fixed_len(self) -> usize {
        match self {
            Self::System32 | Self::System64 => size_of::<SystemHeader>(),
            Self::Compact32 | Self::Compact64 => size_of::<CompactHeader>(),
            Self::PerfInfo32 | Self::PerfInfo64 => size_of::<PerfInfoHeader>(),
            Self::Classic32 | Self::Classic64 => size_of::<ClassicHeader>(),
            // The shorter one of the two.
            Self::Instance32 | Self::Instance64 => size_of::<ShortInstanceHeader>(),
            Self::Event32 | Self::Event64 => size_of::<EventHeader>(),
            Self::Error => size_of::<ErrorHeader>(),
            Self::Message => size_of::<MessageHeader>(),
            // `RecordHeader::SIZE`, which is compared with it.
            Self::Record32 | Self::Record64 => size_of::<EventHeader>() + 32,
        }
    }

    /// Returns the writer's pointer size; messages state theirs in the option flags.
    pub const fn pointer_size(self) -> PointerSize {
        match self {
            Self::System32
            | Self::Compact32
            | Self::PerfInfo32
            | Self::Classic32
            | Self::Instance32
            | Self::Event32
            | Self::Record32 => PointerSize::Four,
            _ => PointerSize::Eight,
        }
    }

    /// Returns whether it is a kernel header, whose length follows a version.
    pub const fn is_kernel(self) -> bool {
        matches!(
            self,
            Self::System32 | Self::System64 | Self::Compact32 | Self::Compact64 | Self::PerfInfo32 | Self::PerfInfo64
        )
    }

    /// Returns the offset of the raw time stamp in the header; `None` if it depends on more than the type, or if there
    /// is none.
    pub const fn time_offset(self) -> Option<usize> {
        match self {
            Self::System32 | Self::System64 => Some(offset_of!(SystemHeader, time)),
            Self::Compact32 | Self::Compact64 => Some(offset_of!(CompactHeader, time)),
            Self::PerfInfo32 | Self::PerfInfo64 => Some(offset_of!(PerfInfoHeader, time)),
            Self::Classic32 | Self::Classic64 => Some(offset_of!(ClassicHeader, time)),
            // A record begins with the header of its event.
            Self::Event32 | Self::Event64 | Self::Record32 | Self::Record64 => Some(offset_of!(EventHeader, time)),
            // Instance headers come in two lengths, messages in many.
            Self::Message | Self::Error | Self::Instance32 | Self::Instance64 => None,
        }
    }

    const fn from_type(code: u8) -> Option<Self> {
        Some(match code {
            1 => Self::System32,
            2 => Self::System64,
            3 => Self::Compact32,
            4 => Self::Compact64,
            16 => Self::PerfInfo32,
            17 => Self::PerfInfo64,
            10 => Self::Classic32,
            20 => Self::Classic64,
            11 => Self::Instance32,
            21 => Self::Instance64,
            18 => Self::Event32,
            19 => Self::Event64,
            13 => Self::Error,
            _ => return None,
        })
    }
}

/// What the header type states about an event's first bytes.
#[derive(Clone, Copy)]
struct Layout {
    header: HeaderType,
    /// Bytes of the fixed header; more than any event has if there is no such type.
    least: u32,
    /// Where the length begins in the first eight bytes.
    len_bit: u8,
    /// Whether the time stamp is at 16; else it is at 8.
    is_time_late: bool,
}

impl Layout {
    const NONE: Self = Self { header: HeaderType::Error, least: u32::MAX, len_bit: 0, is_time_late: false };

    const fn of(header: HeaderType) -> Self {
        let len_bit = if header.is_kernel() { 32 } else { 0 };
        let is_time_late = matches!(header.time_offset(), Some(16));
        Self { header, least: header.fixed_len() as u32, len_bit, is_time_late }
    }
}

/// The layouts by type code. A table, because the walk reads a marker for each event.
static LAYOUTS: [Layout; 32] = layouts(false);
/// Those that have a time stamp at a known place.
static TIMED: [Layout; 32] = layouts(true);

#[expect(clippy::indexing_slicing, reason = "a constant: an index beyond the end would not compile")]
const fn layouts(timed: bool) -> [Layout; 32] {
    let mut all = [Layout::NONE; 32];
    let mut code = 0;
    while code < all.len() {
        if let Some(header) = HeaderType::from_type(code as u8)
            && (header.time_offset().is_some() || !timed)
        {
            all[code] = Layout::of(header);
        }
        code += 1;
    }
    all
}

/// The contents of the first eight bytes of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marker {
    /// The layout of the header.
    pub header: HeaderType,
    /// Bytes of header and payload, without the padding to eight.
    pub len: usize,
}

impl Marker {
    /// Reads the marker at the start of `bytes`. `None` if it is not a known one or the length is less than the header.
    #[inline]
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let first = u64::from_le_bytes(*bytes.first_chunk::<8>()?);
        let layout = match (first >> 24) as u8 {
            0xC0 => *LAYOUTS.get((first >> 16) as u8 as usize)?,
            0x90 => Layout::of(HeaderType::Message),
            _ => return None,
        };
        let len = usize::from((first >> layout.len_bit) as u16);
        (len >= layout.least as usize).then_some(Self { header: layout.header, len })
    }

    /// Reads the marker at the start of `bytes` and the raw time stamp that comes with it. `None` also where one of
    /// them is not found at once: near the end of `bytes`, and in headers that must be read to be timed.
    #[expect(clippy::inline_always, reason = "measured: `cargo xtask bench`, stage `by-time`")]
    #[inline(always)]
    pub(crate) fn timed(bytes: &[u8]) -> Option<(Self, i64)> {
        let [first, early, late] = bytes.first_chunk::<24>()?.as_chunks::<8>().0 else { return None };
        let [first, early, late] = [first, early, late].map(|word| u64::from_le_bytes(*word));
        // 0xC0, and a type code less than 32.
        if first >> 21 & 0x7FF != 0xC0 << 3 {
            return None;
        }
        let layout = TIMED.get((first >> 16 & 31) as usize)?;
        let len = usize::from((first >> layout.len_bit) as u16);
        let time = if layout.is_time_late { late } else { early };
        (len >= layout.least as usize).then_some((Self { header: layout.header, len }, time.cast_signed()))
    }

    /// Returns whether `bytes` begin with a marker of a known kind (ignoring the length).
    pub fn known(bytes: &[u8]) -> bool {
        match u8_at(bytes, 3) {
            0xC0 => HeaderType::from_type(u8_at(bytes, 2)).is_some(),
            top => top == 0x90,
        }
    }

    /// Returns whether the bytes are the fill that ends a buffer.
    pub fn is_fill(bytes: &[u8]) -> bool {
        u32_at(bytes, 0) == u32::MAX
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_is_at_four_for_kernel_headers_and_at_zero_for_the_rest() {
        let system = [2, 0, 2, 0xC0, 0x30, 0, 0, 0];
        assert_eq!(Marker::read(&system), Some(Marker { header: HeaderType::System64, len: 0x30 }));
        let event = [0x60, 0, 19, 0xC0, 1, 0, 0, 0];
        assert_eq!(Marker::read(&event), Some(Marker { header: HeaderType::Event64, len: 0x60 }));
        let message = [0x28, 0, 0, 0x90, 1, 0, 0xAA, 0];
        assert_eq!(Marker::read(&message), Some(Marker { header: HeaderType::Message, len: 0x28 }));
    }

    #[test]
    fn unknown_types_and_short_lengths_are_refused() {
        assert_eq!(Marker::read(&[0xFF; 8]), None);
        assert_eq!(Marker::read(&[0x60, 0, 99, 0xC0, 0, 0, 0, 0]), None);
        assert_eq!(Marker::read(&[0x20, 0, 19, 0xC0, 0, 0, 0, 0]), None); // shorter than EVENT_HEADER
        assert_eq!(Marker::read(&[0x20]), None);
    }
}
