//! Lists of what `--each` has.

use etwkit_analysis::Excess;

use crate::limits::MOST_EACH;

/// A list in order of time; what is beyond its cap is left out and counted.
#[derive(Clone, Debug)]
pub(crate) struct List<T> {
    things: Vec<T>,
    excess: Excess,
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self { things: Vec::new(), excess: Excess::default() }
    }
}

impl<T> List<T> {
    pub(crate) fn push(&mut self, thing: T) {
        if self.excess.admits(self.things.len(), MOST_EACH) {
            self.things.push(thing);
        }
    }

    pub(crate) const fn excess(&self) -> u64 {
        self.excess.count()
    }

    pub(crate) fn into_rows<R>(self, row: impl FnMut(T) -> R) -> Vec<R> {
        self.things.into_iter().map(row).collect()
    }
}
