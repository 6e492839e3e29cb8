//! Headers whose time is found at once.

use crate::format::{Framing, Marker};
use crate::time::RawTime;

/// Returns the marker and the time of the event that `rest` begins with, if they are found at once; its length is at most
/// that of `rest`.
#[expect(clippy::inline_always, reason = "measured: `cargo xtask bench`, stage `by-time`")]
#[inline(always)]
pub(super) fn timed_marker(framing: Framing, rest: &[u8]) -> Option<(Marker, RawTime)> {
    if framing == Framing::Records {
        return None;
    }
    let (marker, time) = Marker::timed(rest)?;
    (marker.len <= rest.len()).then_some((marker, RawTime(time)))
}
