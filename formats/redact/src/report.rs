//! What was changed.

use std::collections::BTreeMap;

use crate::kind::Kind;

/// Counts of what was changed, or would be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// Events of the trace.
    pub events: u64,
    /// Events that were changed.
    pub changed: u64,
    /// What was replaced, by event, field and kind.
    pub changes: BTreeMap<Change, u64>,
    /// Bytes inside of buffers that are not events: zeros replace them.
    pub unread_bytes: u64,
    /// Bytes outside of buffers: zeros replace them.
    pub gap_bytes: u64,
    /// Buffers without a readable event; their bytes are counted as [`Report::gap_bytes`].
    pub lost_buffers: u64,
    /// Bytes after the used part of buffers that were not fill; fill replaces them.
    pub slack_bytes: u64,
    /// Buffers that were compressed, and are plain.
    pub unpacked_buffers: u64,
    /// Compressed buffers of which not everything could be unpacked: what could not is gone.
    pub cut_buffers: u64,
    /// Payloads with packed data of their own that hold a secret: the data is blank.
    pub blanked_payloads: u64,
    /// Command lines and long passwords that were replaced where they were found by their fields or form, but not looked for
    /// elsewhere, because there are too many.
    pub arguments_left: u64,
    /// Texts `X\Y` that were not examined for users, because there are too many.
    pub pairs_left: u64,
}

impl Report {
    /// Returns whether something was left out, so that somebody should look.
    pub const fn is_partial(&self) -> bool {
        self.arguments_left > 0 || self.pairs_left > 0
    }

    /// Returns how many secrets were replaced, by what they are.
    pub fn by_kind(&self) -> BTreeMap<Kind, u64> {
        let mut counts = BTreeMap::new();
        for (change, count) in &self.changes {
            *counts.entry(change.kind).or_default() += count;
        }
        counts
    }
}

/// Where something was replaced.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Change {
    /// The provider of the event, by its name as it was.
    pub provider: String,
    /// The event.
    pub event: String,
    /// The field; `(names)`, `(extended)` or `(payload)` where it is not a field.
    pub field: String,
    /// What was replaced.
    pub kind: Kind,
}
