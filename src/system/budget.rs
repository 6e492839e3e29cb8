//! The caps on what is kept of the traced system.

use crate::bytes::cut_text;
use crate::limits::{self, Limits};

/// Counts what is kept, so that a crafted trace costs bounded memory. What does not fit is not kept, but counted.
#[derive(Clone, Debug)]
pub struct StateBudget {
    entries: usize,
    /// Bytes of entries and their names.
    bytes: usize,
    refused: u64,
    /// Names that were cut.
    cut: u64,
}

impl Default for StateBudget {
    fn default() -> Self {
        Self::new(Limits::default())
    }
}

impl StateBudget {
    /// Returns an untouched budget with these limits.
    pub const fn new(limits: Limits) -> Self {
        Self { entries: limits.system_entries, bytes: limits.system_text, refused: 0, cut: 0 }
    }

    /// Returns the budget with room for `bytes` more: large files may contain much about their system.
    #[must_use]
    pub(crate) fn with_more(self, bytes: u64) -> Self {
        Self { bytes: self.bytes.saturating_add(usize::try_from(bytes).unwrap_or(usize::MAX)), ..self }
    }

    /// Whether one more entry fits, of so many bytes by [`entry_size`] and with `text` bytes of names; if so it counts
    /// as taken.
    pub(super) fn take(&mut self, entry: usize, text: usize) -> bool {
        let bytes = entry.saturating_add(text);
        if self.entries == 0 || self.bytes < bytes {
            self.refused += 1;
            return false;
        }
        self.entries -= 1;
        self.bytes -= bytes;
        true
    }

    /// Returns the beginning of a name that many events may show, at most [`limits::MAX_SHARED_NAME`] bytes.
    pub(super) fn shortened<'n>(&mut self, name: &'n str) -> &'n str {
        if name.len() <= limits::MAX_SHARED_NAME {
            return name;
        }
        self.cut += 1;
        cut_text(name, limits::MAX_SHARED_NAME)
    }

    /// Returns how many names were cut.
    pub const fn cut(&self) -> u64 {
        self.cut
    }

    /// Returns how many facts did not fit.
    pub const fn refused(&self) -> u64 {
        self.refused
    }
}

/// Returns the bytes that a list or table takes for each entry of a type: they grow by doubling, and `links` are the
/// bytes of what finds the entry.
pub(super) const fn entry_size<T>(links: usize) -> usize {
    2 * (size_of::<T>() + links)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_counted() {
        let mut budget = StateBudget { entries: 2, bytes: 14, ..StateBudget::default() };
        assert!(budget.take(2, 4) && !budget.take(2, 7) && budget.take(2, 6) && !budget.take(0, 0));
        assert_eq!(budget.refused(), 2);
        let mut more = StateBudget { entries: 2, ..budget }.with_more(1);
        assert!(!more.take(1, 1) && more.take(1, 0));
    }
}
