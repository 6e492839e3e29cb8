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
    /// By place of the column; `None` where no row has a number, or where numbers of several rows cannot be put together.
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
    /// Not at all: means, percentiles and shares.
    One,
}

impl Fold {
    /// The names of columns state it.
    fn of(column: &str) -> Self {
        let last = |word: &str| column.rsplit('_').next() == Some(word);
        let has = |words: &[&str]| column.split('_').any(|part| words.contains(&part));
        if has(&["mean", "avg", "share", "percent", "p50", "p95", "p99", "rate"]) {
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
    pub(crate) fn number(&self, column: usize) -> Option<f64> {
        let sum = self.numbers.get(&column)?;
        (sum.fold != Fold::One || sum.rows == 1).then_some(sum.number)
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
