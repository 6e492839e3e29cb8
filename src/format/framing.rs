//! How the events of a buffer follow one another.

use crate::bytes::PointerSize;

use super::{Marker, RecordHeader};

/// The framing of events in a buffer, and what their headers leave to the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Framing {
    /// Each begins with a [`Marker`], at a multiple of 8.
    #[default]
    Markers,
    /// The same in logs of Windows 2000 and XP, whose instance header is shorter.
    ShortInstanceMarkers,
    /// As [`Framing::Markers`] in logs whose header states pointers of 4 bytes, which messages have that state none.
    Markers32,
    /// As [`Framing::ShortInstanceMarkers`] in such logs.
    ShortInstanceMarkers32,
    /// Each is an `EVENT_RECORD`, at a multiple of 16 (`.btl` files).
    Records,
}

impl Framing {
    /// Returns layout and length of the event at the start of `bytes`; `None` if there is none. The length may be more
    /// than there is.
    #[expect(clippy::inline_always, reason = "measured: `cargo xtask bench`, stage `walk`")]
    #[inline(always)]
    pub fn marker(self, bytes: &[u8]) -> Option<Marker> {
        if matches!(self, Self::Records) { record(bytes) } else { Marker::read(bytes) }
    }

    /// Returns the alignment of events, counted from the first.
    #[inline]
    pub const fn align(self) -> usize {
        if matches!(self, Self::Records) { RecordHeader::ALIGN } else { 8 }
    }

    /// Returns the bytes from an event of this length to the next. By constants, so that the walk divides nothing.
    #[inline]
    pub const fn step(self, len: usize) -> usize {
        if matches!(self, Self::Records) { len.next_multiple_of(RecordHeader::ALIGN) } else { Self::next_marker(len) }
    }

    /// Returns the same where events begin with markers.
    #[inline]
    pub(crate) const fn next_marker(len: usize) -> usize {
        // Lengths have 16 bits; `next_multiple_of` takes three times as many instructions.
        len.wrapping_add(7) & !7
    }

    /// Returns whether the instance header is that of Windows 2000 and XP.
    pub const fn has_short_instance_headers(self) -> bool {
        matches!(self, Self::ShortInstanceMarkers | Self::ShortInstanceMarkers32)
    }

    /// Returns the same for a log whose header states pointers of 4 bytes.
    #[must_use]
    pub const fn of_32_bit(self) -> Self {
        match self {
            Self::Markers | Self::Markers32 => Self::Markers32,
            Self::ShortInstanceMarkers | Self::ShortInstanceMarkers32 => Self::ShortInstanceMarkers32,
            Self::Records => Self::Records,
        }
    }

    /// Returns the size of pointers in messages that state none: that of the log.
    pub const fn pointer_size(self) -> PointerSize {
        let is_32_bit = matches!(self, Self::Markers32 | Self::ShortInstanceMarkers32);
        if is_32_bit { PointerSize::Four } else { PointerSize::Eight }
    }

    /// Returns whether what `bytes` begin with is the fill that ends a buffer. Records have none.
    pub fn is_fill(self, bytes: &[u8]) -> bool {
        !matches!(self, Self::Records) && Marker::is_fill(bytes)
    }
}

/// Out of the way of markers, which nearly all files have: the walk over them stays one loop without calls.
#[cold]
#[inline(never)]
fn record(bytes: &[u8]) -> Option<Marker> {
    RecordHeader::marker(bytes)
}
