//! Spans of time.

use etwkit::FileTime;

/// Returns the milliseconds between two times; negative if `to` is before `from`.
#[expect(clippy::cast_precision_loss, reason = "spans of a trace are below 2^53 units of 100 ns")]
pub fn milliseconds(from: FileTime, to: FileTime) -> f64 {
    to.0.saturating_sub(from.0) as f64 / FileTime::UNITS_PER_MILLISECOND as f64
}

/// Returns units of 100 ns as milliseconds.
#[expect(clippy::cast_precision_loss, reason = "times of a trace are below 2^53 units of 100 ns")]
#[inline]
pub fn units_to_milliseconds(units: u64) -> f64 {
    units as f64 / FileTime::UNITS_PER_MILLISECOND as f64
}
