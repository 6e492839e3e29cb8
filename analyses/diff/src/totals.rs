//! Rows with equal keys added up.

use std::collections::BTreeMap;

use etwkit_analysis::Value;

use crate::Table;

/// The sums of rows, by key.
pub(crate) struct Totals(pub(crate) BTreeMap<String, Sums>);

/// The rows of a key.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sums {
    pub(crate) rows: u64,
    /// By place of the column; no entry where no row has a number.
    numbers: BTreeMap<usize, Sum>,
}

#[derive(Clone, Copy, Debug)]
struct Sum {
    number: f64,
    rows: u64,
    fold: Fold,
}

/// How the numbers of several rows are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fold {
    Sum,
    Most,
    Least,
    /// Not at all: means, percentiles, shares, rates, and counts in which one row contains another.
    One,
}

/// The number of a column in the rows of a key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    /// No row has one.
    Absent,
    Known(f64),
    /// Several rows have one, which cannot be put together.
    Several,
}

/// Words in the names of columns whose numbers are those of one row.
const LONE: [&str; 9] = ["mean", "avg", "share", "percent", "rate", "hz", "fps", "since", "inclusive"];

impl Fold {
    /// The names of columns state it.
    fn of(column: &str) -> Self {
        let last = |word: &str| column.rsplit('_').next() == Some(word);
        let has = |words: &[&str]| column.split('_').any(|part| words.contains(&part));
        let is_percentile = |part: &str| {
            part.strip_prefix('p')
                .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
        };
        if has(&LONE) || column.split('_').any(is_percentile) {
            Self::One
        } else if last("max") || has(&["max", "peak"]) {
            Self::Most
        } else if last("min") {
            Self::Least
        } else {
            Self::Sum
        }
    }
}

impl Sum {
    fn add(&mut self, number: f64) {
        self.rows += 1;
        self.number = match self.fold {
            Fold::Sum => self.number + number,
            Fold::Most => self.number.max(number),
            Fold::Least => self.number.min(number),
            Fold::One => self.number,
        };
    }
}

impl Sums {
    /// Returns the number of a column.
    pub(crate) fn number(&self, column: usize) -> Number {
        match self.numbers.get(&column) {
            None => Number::Absent,
            Some(sum) if sum.fold == Fold::One && sum.rows > 1 => Number::Several,
            Some(sum) => Number::Known(sum.number),
        }
    }

    fn add(&mut self, column: usize, name: &str, number: f64) {
        let sum = self.numbers.entry(column);
        sum.and_modify(|sum| sum.add(number)).or_insert_with(|| Sum { number, rows: 1, fold: Fold::of(name) });
    }
}

impl Totals {
    /// Adds up the rows of a table by their keys.
    pub(crate) fn of(table: &Table) -> Self {
        let places = table.key_columns();
        Self::by(table, |row| key(row, &places))
    }

    /// Adds up all rows of a table.
    pub(crate) fn of_all(table: &Table) -> Sums {
        Self::by(table, |_| String::new()).0.remove("").unwrap_or_default()
    }

    fn by(table: &Table, key: impl Fn(&[Value]) -> String) -> Self {
        let mut totals: BTreeMap<String, Sums> = BTreeMap::new();
        for row in table.rows() {
            let sums = totals.entry(key(row)).or_default();
            sums.rows += 1;
            for place in table.number_columns() {
                let name = table.columns().get(place).map_or("", |column| column.name);
                if let Some(number) = row.get(place).and_then(Value::as_f64) {
                    sums.add(place, name, number);
                }
            }
        }
        Self(totals)
    }
}

/// Returns the texts that identify a row, with blanks between.
fn key(row: &[Value], places: &[usize]) -> String {
    let text = |place: &usize| match row.get(*place) {
        Some(Value::Text(text)) => text.clone(),
        _ => "-".to_owned(),
    };
    places.iter().map(text).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_belongs_to_one_row_is_not_added_up() {
        for name in [
            "pause_ms_mean",
            "avg_us",
            "share",
            "inclusive_share",
            "inclusive",
            "gc_cpu_percent",
            "interval_ms_p50",
            "p99_ms",
            "rate",
            "hz",
            "fps",
            "mhz_mean",
            "since_boot_ms",
        ] {
            assert_eq!(Fold::of(name), Fold::One, "{name}");
        }
        for name in ["presents", "p", "private_bytes", "exclusive", "interval", "duration_ms", "hard_faults"] {
            assert_eq!(Fold::of(name), Fold::Sum, "{name}");
        }
        for name in ["alloc_mb_s_max", "max_us", "peak_committed_bytes", "heap_peak_bytes", "throughput_max"] {
            assert_eq!(Fold::of(name), Fold::Most, "{name}");
        }
    }
}
