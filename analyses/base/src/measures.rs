//! Sums and maxima of what was measured.

use std::cmp::Ordering;

/// Measures of things, such as the milliseconds of waits. Some things may have none: the end of a wait may not be in
/// the trace.
///
/// What was not measured is not 0: the maximum and the mean are absent without a measure, and so is the sum, unless
/// there are no things at all, for the sum of nothing is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measures {
    things: u64,
    measured: u64,
    sum: f64,
    max: f64,
}

impl Measures {
    /// Adds a thing with its measure.
    pub fn add(&mut self, measure: Option<f64>) {
        self.things += 1;
        if let Some(measure) = measure {
            self.max = if self.measured == 0 { measure } else { self.max.max(measure) };
            self.measured += 1;
            self.sum += measure;
        }
    }

    /// Returns the sum of all measures; `None` if there are things, and no measure of any.
    pub fn sum(&self) -> Option<f64> {
        (self.measured > 0 || self.things == 0).then_some(self.sum)
    }

    /// Returns the greatest measure.
    pub fn max(&self) -> Option<f64> {
        (self.measured > 0).then_some(self.max)
    }

    /// Returns the mean of the measures.
    #[expect(clippy::cast_precision_loss, reason = "counts of a trace are below 2^53")]
    pub fn mean(&self) -> Option<f64> {
        (self.measured > 0).then(|| self.sum / self.measured as f64)
    }

    /// Returns how many things were measured.
    pub const fn measured(&self) -> u64 {
        self.measured
    }
}

impl FromIterator<Option<f64>> for Measures {
    fn from_iter<I: IntoIterator<Item = Option<f64>>>(measures: I) -> Self {
        let mut all = Self::default();
        measures.into_iter().for_each(|measure| all.add(measure));
        all
    }
}

/// Compares measures so that the greatest comes first in a table, and what was not measured last.
pub fn greatest_first(a: Option<f64>, b: Option<f64>) -> Ordering {
    let order = |measure: Option<f64>| measure.unwrap_or(f64::NEG_INFINITY);
    order(b).total_cmp(&order(a))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_measured_is_not_zero() {
        let of = |list: &[Option<f64>]| {
            let all: Measures = list.iter().copied().collect();
            (all.measured(), all.sum(), all.max(), all.mean())
        };
        assert_eq!(of(&[]), (0, Some(0.0), None, None));
        assert_eq!(of(&[None, None]), (0, None, None, None));
        assert_eq!(of(&[Some(0.0), None]), (1, Some(0.0), Some(0.0), Some(0.0)));
        assert_eq!(of(&[Some(-3.0), None, Some(-1.0)]), (2, Some(-4.0), Some(-1.0), Some(-2.0)));
    }

    #[test]
    fn the_greatest_is_first_and_the_unknown_last() {
        let mut list = [Some(1.0), None, Some(2.5), Some(0.0)];
        list.sort_by(|a, b| greatest_first(*a, *b));
        assert_eq!(list, [Some(2.5), Some(1.0), Some(0.0), None]);
    }
}
