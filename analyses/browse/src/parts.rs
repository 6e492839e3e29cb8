//! How a trace is cut for a viewer.

use etwkit::Trace;
use etwkit::trace::TracePart;

use crate::limits::{MAX_PARTS, PART_BYTES};

/// Cuts a trace into parts of about 256 KiB; of a larger trace into 16,384 parts.
pub fn parts(trace: &Trace) -> Vec<TracePart> {
    let bytes: u64 = trace.files().iter().map(|file| file.source.len()).sum();
    let count = usize::try_from(bytes / PART_BYTES).unwrap_or(MAX_PARTS).clamp(1, MAX_PARTS);
    trace.parts(count)
}
