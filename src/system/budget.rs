//! The caps on what is kept of the traced system.

use crate::limits::Limits;

/// Counts what is kept, so that a crafted trace costs bounded memory. What does not fit is not kept, but counted.
#[derive(Clone, Debug)]
pub struct StateBudget {
    entries: usize,
    text: usize,
    refused: u64,
}

impl Default for StateBudget {
    fn default() -> Self {
        Self::new(Limits::default())
    }
}

impl StateBudget {
    /// Returns an untouched budget with these limits.
    pub const fn new(limits: Limits) -> Self {
        Self { entries: limits.system_entries, text: limits.system_text, refused: 0 }
    }

    /// Whether one more entry with `text` bytes of names fits; if so it counts as taken.
    pub(super) fn take(&mut self, text: usize) -> bool {
        if self.entries == 0 || self.text < text {
            self.refused += 1;
            return false;
        }
        self.entries -= 1;
        self.text -= text;
        true
    }

    /// Facts that did not fit.
    pub const fn refused(&self) -> u64 {
        self.refused
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_counted() {
        let mut budget = StateBudget { entries: 2, text: 10, refused: 0 };
        assert!(budget.take(4) && !budget.take(7) && budget.take(6) && !budget.take(0));
        assert_eq!(budget.refused(), 2);
    }
}
