//! Lists of what `--each` has.

use crate::limits::MOST_EACH;

/// A list in order of time; what is beyond its cap is left out.
#[derive(Clone, Debug)]
pub(crate) struct List<T>(Vec<T>);

impl<T> Default for List<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> List<T> {
    pub(crate) fn push(&mut self, thing: T) {
        if self.0.len() < MOST_EACH {
            self.0.push(thing);
        }
    }

    pub(crate) fn into_rows<R>(self, row: impl FnMut(T) -> R) -> Vec<R> {
        self.0.into_iter().map(row).collect()
    }
}
