//! Rows with equal keys added up.

use std::collections::BTreeMap;
use std::fmt;

use etwkit_analysis::{Column, ColumnKind, Value};

use crate::{Table, exact};

/// The sums of rows, by key.
pub(crate) struct Totals(pub(crate) BTreeMap<Key, Sums>);

/// What identifies a row.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key(Vec<Part>);

/// A part of a key. Texts stay apart: `A B`, `C` is not `A`, `B C`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Absent,
    /// A flag that is not set.
    Unset,
    /// A flag that is set: the name of its column.
    Set(&'static str),
    Text(String),
}

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
    kind: ColumnKind,
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
            Some(sum) if sum.rows == 1 => Number::Known(sum.number),
            Some(sum) => Number::Known(exact::sum(sum.kind, sum.number)),
        }
    }

    fn add(&mut self, place: usize, column: &Column, number: f64) {
        let first = || Sum { number, rows: 1, fold: Fold::of(column.name), kind: column.kind };
        self.numbers.entry(place).and_modify(|sum| sum.add(number)).or_insert_with(first);
    }
}

impl Totals {
    /// Adds up the rows of a table by their keys.
    pub(crate) fn of(table: &Table) -> Self {
        let places = table.key_columns();
        Self::by(table, |row| Some(Key::of(table, row, &places)))
    }

    /// Adds up all rows of a table, or those with keys that are shown as a text.
    pub(crate) fn of_all(table: &Table, shown: Option<&str>) -> Sums {
        let places = table.key_columns();
        let is_chosen = |row: &[Value]| shown.is_none_or(|text| Key::of(table, row, &places).to_string() == text);
        Self::by(table, |row| is_chosen(row).then(Key::default)).0.remove(&Key::default()).unwrap_or_default()
    }

    /// Adds up the rows that have a key.
    fn by(table: &Table, key: impl Fn(&[Value]) -> Option<Key>) -> Self {
        let mut totals: BTreeMap<Key, Sums> = BTreeMap::new();
        for row in table.rows() {
            let Some(key) = key(row) else { continue };
            let sums = totals.entry(key).or_default();
            sums.rows += 1;
            for place in table.number_columns() {
                let number = row.get(place).and_then(Value::as_f64);
                if let (Some(column), Some(number)) = (table.columns().get(place), number) {
                    sums.add(place, column, number);
                }
            }
        }
        Self(totals)
    }
}

impl Key {
    /// The texts and flags that identify a row.
    fn of(table: &Table, row: &[Value], places: &[usize]) -> Self {
        let part = |place: &usize| match row.get(*place) {
            Some(Value::Text(text)) => Part::Text(text.clone()),
            Some(Value::Flag(false)) => Part::Unset,
            Some(Value::Flag(true)) => Part::Set(table.columns().get(*place).map_or("", |column| column.name)),
            _ => Part::Absent,
        };
        Self(places.iter().map(part).collect())
    }
}

/// The texts with blanks between, and the names of flags that are set.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, part) in self.0.iter().enumerate() {
            let text = match part {
                Part::Absent | Part::Unset => "-",
                Part::Set(name) => name,
                Part::Text(text) => text,
            };
            write!(f, "{}{text}", if place == 0 { "" } else { " " })?;
        }
        Ok(())
    }
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
