//! Shares.

/// Returns a share in per cent; `None` of nothing.
#[expect(clippy::cast_precision_loss, reason = "times and bytes of a trace are below 2^53")]
pub fn per_cent(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 * 100.0 / whole as f64)
}
