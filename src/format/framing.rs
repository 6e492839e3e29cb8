//! How the events of a buffer follow one another.

use super::{Marker, RecordHeader};

/// The framing of events in a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Framing {
    /// Each begins with a [`Marker`], at a multiple of 8.
    #[default]
    Markers,
    /// The same in logs of Windows 2000 and XP, whose instance header is shorter.
    ShortInstanceMarkers,
    /// Each is an `EVENT_RECORD`, at a multiple of 16 (`.btl` files).
    Records,
}

impl Framing {
    /// Returns layout and length of the event at the start of `bytes`; `None` if there is none. The length may be more
    /// than there is.
    #[expect(clippy::inline_always, reason = "measured: `cargo xtask bench`, stage `walk`")]
    #[inline(always)]
    pub fn marker(self, bytes: &[u8]) -> Option<Marker> {
        match self {
            Self::Markers | Self::ShortInstanceMarkers => Marker::read(bytes),
            Self::Records => record(bytes),
        }
    }

    /// Returns the alignment of events, counted from the first.
    #[inline]
    pub const fn align(self) -> usize {
        match self {
            Self::Markers | Self::ShortInstanceMarkers => 8,
            Self::Records => RecordHeader::ALIGN,
        }
    }

    /// Returns the bytes from an event of this length to the next. By constants, so that the walk divides nothing.
    #[inline]
    pub const fn step(self, len: usize) -> usize {
        match self {
            Self::Markers | Self::ShortInstanceMarkers => Self::next_marker(len),
            Self::Records => len.next_multiple_of(RecordHeader::ALIGN),
        }
    }

    /// Returns the same where events begin with markers.
    #[inline]
    pub(crate) const fn next_marker(len: usize) -> usize {
        // Lengths have 16 bits; `next_multiple_of` takes three times as many instructions.
        len.wrapping_add(7) & !7
    }

    /// Returns whether the instance header is that of Windows 2000 and XP.
    pub const fn has_short_instance_headers(self) -> bool {
        matches!(self, Self::ShortInstanceMarkers)
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
