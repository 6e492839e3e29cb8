//! Spans of time.

use etwkit::FileTime;

/// Units of 100 ns in a millisecond.
const UNITS_A_MILLISECOND: f64 = 10_000.0;

/// Returns the milliseconds between two times; negative if `to` is before `from`.
#[expect(clippy::cast_precision_loss, reason = "spans of a trace are below 2^53 units of 100 ns")]
pub fn milliseconds(from: FileTime, to: FileTime) -> f64 {
    to.0.saturating_sub(from.0) as f64 / UNITS_A_MILLISECOND
}
