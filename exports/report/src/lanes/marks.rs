//! Times with a text each, of which a lane shows the first.

use std::cmp::Reverse;

use etwkit_analysis::{Largest, Value};

/// The first texts of a lane.
#[derive(Debug)]
pub(super) struct FirstMarks {
    rows: u64,
    first: Largest<Reverse<i64>, (i64, String)>,
}

impl FirstMarks {
    /// Begins; so many are kept.
    pub(super) const fn new(most: usize) -> Self {
        Self { rows: 0, first: Largest::new(most) }
    }

    /// Adds a row; only texts are shown.
    pub(super) fn add(&mut self, at: i64, value: Option<&Value>) {
        self.rows += 1;
        if let Some(Value::Text(text)) = value {
            self.first.add(Reverse(at), (at, crate::tables::cut_text(text)));
        }
    }

    /// Returns how many rows there were, and the first texts in order of time.
    pub(super) fn finish(self) -> (f64, Vec<(i64, String)>) {
        (self.rows as f64, self.first.into_sorted())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_texts_are_kept() {
        let mut marks = FirstMarks::new(3);
        for (at, text) in [(5, "e"), (1, "a"), (4, "d"), (1, "b"), (2, "c")] {
            marks.add(at, Some(&Value::Text(text.to_owned())));
        }
        marks.add(0, None);
        let first = [(1, "a"), (1, "b"), (2, "c")].map(|(at, text)| (at, text.to_owned()));
        assert_eq!(marks.finish(), (6.0, first.to_vec()));
    }
}
