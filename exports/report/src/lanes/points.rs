//! Times with a value each, of which a lane shows the largest.

use std::cmp::Reverse;

use etwkit_analysis::Largest;

/// The largest values of a lane: they are those that are looked for. Rows come in order of time, as their sum is added up
/// in the order in which they come.
#[derive(Debug)]
pub(super) struct Points {
    total: f64,
    most: usize,
    largest: Largest<(i64, Reverse<i64>), Point>,
}

/// The number of a value, in the order in which they came, with its time.
type Point = (u64, i64, f64);

impl Points {
    /// Begins; so many are kept.
    pub(super) const fn new(most: usize) -> Self {
        // What a sum of floating-point numbers begins with: that of none is -0.
        Self { total: -0.0, most, largest: Largest::new(most) }
    }

    /// Adds a row, if it has a value.
    pub(super) fn add(&mut self, at: i64, value: Option<f64>) {
        let Some(value) = value else { return };
        self.total += value;
        let number = self.largest.added();
        self.largest.add((rank(value), Reverse(at)), (number, at, value));
    }

    /// Returns the sum of all values, and the largest ones in order of time. Those of one time are in the order in which
    /// they came if all were kept, and the largest first otherwise.
    pub(super) fn finish(self) -> (f64, Vec<(i64, f64)>) {
        let are_all = self.largest.added() <= self.most as u64;
        let mut points = self.largest.into_sorted();
        if are_all {
            points.sort_by_key(|(number, ..)| *number);
        }
        points.sort_by_key(|(_, at, _)| *at);
        (self.total, points.into_iter().map(|(_, at, value)| (at, value)).collect())
    }
}

/// A number that orders as `f64::total_cmp` does.
const fn rank(value: f64) -> i64 {
    let bits = value.to_bits().cast_signed();
    bits ^ ((bits >> 63).cast_unsigned() >> 1).cast_signed()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn they_are_those_of_all_rows_in_order(
            mut rows in prop::collection::vec((0..20_i64, prop_oneof![-3.0..3.0, Just(-0.0), Just(1.5)]), 0..40),
            most in 0..30_usize,
        ) {
            rows.sort_by_key(|(at, _)| *at);
            let mut points = Points::new(most);
            for (at, value) in &rows {
                points.add(*at, Some(*value));
            }
            points.add(20, None);
            let total: f64 = rows.iter().map(|(_, value)| value).sum();
            if rows.len() > most {
                rows.sort_by(|a, b| b.1.total_cmp(&a.1));
                rows.truncate(most);
                rows.sort_by_key(|(at, _)| *at);
            }
            let (own_total, own) = points.finish();
            prop_assert_eq!((own_total.to_bits(), own), (total.to_bits(), rows));
        }

        #[test]
        fn ranks_order_numbers(a: u64, b: u64) {
            let (a, b) = (f64::from_bits(a), f64::from_bits(b));
            prop_assert_eq!(rank(a).cmp(&rank(b)), a.total_cmp(&b));
        }
    }
}
