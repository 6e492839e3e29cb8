//! Times and numbers of the rows of a lane, in few bytes.

use etwkit_analysis::PackedNumbers;

/// Times and numbers of rows. They mostly come in order of time.
#[derive(Clone, Debug, Default)]
pub(super) struct PackedRows {
    numbers: PackedNumbers,
    last: i64,
    /// Whether a row came after a later one.
    is_mixed: bool,
}

impl PackedRows {
    /// Adds a row.
    pub(super) fn add(&mut self, at: i64, number: Option<f64>) {
        self.is_mixed |= at < self.last && self.numbers.end() > 0;
        self.numbers.push_signed(at.wrapping_sub(self.last));
        self.numbers.push_measure(number);
        self.last = at;
    }

    /// Hands each row over in order of time; rows of one time in the order in which they came.
    pub(super) fn each_in_order(&self, mut each: impl FnMut(i64, Option<f64>)) {
        if !self.is_mixed {
            return self.each(each);
        }
        let mut rows = Vec::new();
        self.each(|at, number| rows.push((at, number)));
        rows.sort_by_key(|(at, _)| *at);
        for (at, number) in rows {
            each(at, number);
        }
    }

    fn each(&self, mut each: impl FnMut(i64, Option<f64>)) {
        let (mut reader, mut at) = (self.numbers.read(0), 0_i64);
        while reader.place().is_some() {
            at = at.wrapping_add(reader.signed());
            each(at, reader.measure());
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn rows_come_back_in_order(mut rows in prop::collection::vec((-9..9_i64, any::<Option<u8>>()), 0..40), is_sorted: bool) {
            if is_sorted {
                rows.sort_by_key(|(at, _)| *at);
            }
            let mut rows: Vec<_> = rows.into_iter().map(|(at, number)| (at, number.map(f64::from))).collect();
            let mut packed = PackedRows::default();
            for (at, number) in &rows {
                packed.add(*at, *number);
            }
            rows.sort_by_key(|(at, _)| *at);
            let mut found = Vec::new();
            packed.each_in_order(|at, number| found.push((at, number)));
            prop_assert_eq!(found, rows);
        }
    }
}
