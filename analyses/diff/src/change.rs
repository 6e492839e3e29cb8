//! Changes between two tables.

use std::collections::BTreeSet;

use etwkit_analysis::{ColumnKind, Value};

use crate::totals::{Key, Number, Sums, Totals};
use crate::{Table, exact};

/// The name of the column that stands for the number of rows.
pub(crate) const ROWS: &str = "rows";

/// A number or text that is not the same in two traces.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Change {
    /// The table: the name of an analysis, `events`, `schemas`.
    pub table: &'static str,
    /// What identifies the row in both traces: its texts, such as the name of a process.
    pub key: String,
    /// The column; `rows` for the number of rows.
    pub column: String,
    /// The value in the first trace; [`Value::Absent`] if only the second one has it.
    pub before: Value,
    /// The value in the second trace; [`Value::Absent`] if only the first one has it.
    pub after: Value,
    /// What the values are.
    pub kind: ColumnKind,
}

impl Change {
    /// Returns the difference; `None` for texts. What is absent counts as 0.
    pub fn delta(&self) -> Option<f64> {
        Some(exact::difference(self.kind, number(&self.before)?, number(&self.after)?))
    }

    /// Returns the difference in per cent of the value before; `None` for texts and if the value before is 0.
    pub fn percent(&self) -> Option<f64> {
        exact::percent(self.kind, number(&self.before)?, number(&self.after)?)
    }
}

/// Returns what differs between the tables of the same analysis of two traces: for each key of either table, the
/// columns with different numbers, and the number of rows where that differs. Of a key that only one table has, the
/// numbers that are not 0 are listed, or the number of rows of a table without numbers. Means, percentiles, shares and
/// rates are compared only where no table has more than one row with the key. The changes of keys that only one table has
/// come first, then the largest ones in per cent.
pub fn changes(before: &Table, after: &Table) -> Vec<Change> {
    let [first, second] = [before, after].map(|table| Totals::of(table).0);
    let keys: BTreeSet<&Key> = first.keys().chain(second.keys()).collect();
    let mut list = Vec::new();
    for key in keys {
        let sides = [&first, &second].map(|totals| totals.get(key));
        let is_in_both = sides.iter().all(Option::is_some);
        list.extend(of_key(after, &key.to_string(), sides).into_iter().map(|change| (is_in_both, change)));
    }
    list.sort_by(|(a_is_in_both, a), (b_is_in_both, b)| {
        a_is_in_both.cmp(b_is_in_both).then_with(|| b.rank().total_cmp(&a.rank()))
    });
    list.into_iter().map(|(_, change)| change).collect()
}

/// Returns the changes of a key.
fn of_key(table: &Table, key: &str, sides: [Option<&Sums>; 2]) -> Vec<Change> {
    let change = |column: &str, kind: ColumnKind, [before, after]: [Value; 2]| {
        let (key, column) = (key.to_owned(), column.to_owned());
        (before != after).then_some(Change { table: table.name(), key, column, before, after, kind })
    };
    let has_numbers = table.number_columns().next().is_some();
    let is_new_or_gone = sides.iter().any(Option::is_none);
    let count = |sums: Option<&Sums>| sums.map_or(Value::Absent, |sums| Value::Integer(sums.rows.into()));
    let rows = change(ROWS, ColumnKind::Count, sides.map(count));
    let rows = rows.filter(|_| !(is_new_or_gone && has_numbers));
    let numbers = table.number_columns().filter_map(|place| {
        let column = table.columns().get(place)?;
        let numbers = sides.map(|sums| sums.map_or(Number::Absent, |sums| sums.number(place)));
        // What several rows of one trace have is not known as one number: it did not change from or to nothing.
        let is_known = !numbers.contains(&Number::Several);
        is_known.then(|| change(column.name, column.kind, numbers.map(|number| value(column.kind, number))))?
    });
    // The zeros of a row that only one trace has are not a change, nor is the error of floating-point numbers.
    let is_absent = |change: &Change| [&change.before, &change.after].contains(&&Value::Absent);
    let is_more = |change: &Change| change.delta() != Some(0.0) || !is_new_or_gone && is_absent(change);
    rows.into_iter().chain(numbers).filter(is_more).collect()
}

/// Returns the value of a sum: things are counted in integers.
fn value(kind: ColumnKind, number: Number) -> Value {
    match (kind, number) {
        (ColumnKind::Count, Number::Known(number)) => Value::Integer(number as i128),
        (kind, Number::Known(number)) => kind.exact(Value::Real(number)),
        (_, Number::Absent | Number::Several) => Value::Absent,
    }
}

impl Change {
    /// What orders changes.
    fn rank(&self) -> f64 {
        self.percent().map_or(f64::INFINITY, f64::abs)
    }
}

const fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Absent => Some(0.0),
        value => value.as_f64(),
    }
}

#[cfg(test)]
mod tests {
    use etwkit_analysis::Column;

    use super::*;

    const COLUMNS: &[Column] = &[
        Column { name: "pid", kind: ColumnKind::Id, about: "" },
        Column { name: "process", kind: ColumnKind::Text, about: "" },
        Column { name: "gcs", kind: ColumnKind::Count, about: "" },
        Column { name: "pause_ms_max", kind: ColumnKind::Real, about: "" },
        Column { name: "pause_ms_mean", kind: ColumnKind::Real, about: "" },
    ];

    fn table(rows: &[(i128, &str, i128, f64, f64)]) -> Table {
        let row = |(pid, process, gcs, most, mean): &(i128, &str, i128, f64, f64)| {
            let text = Value::Text((*process).to_owned());
            vec![Value::Integer(*pid), text, Value::Integer(*gcs), Value::Real(*most), Value::Real(*mean)]
        };
        Table::new("gc", COLUMNS, rows.iter().map(row).collect())
    }

    #[test]
    fn rows_are_matched_by_their_texts_and_added_up() {
        let before = table(&[(1, "app", 3, 2.0, 1.0), (2, "app", 4, 5.0, 1.5), (3, "old", 1, 1.0, 1.0)]);
        let after = table(&[(9, "app", 14, 5.0, 1.0)]);
        let found = changes(&before, &after);
        let shown: Vec<_> =
            found.iter().map(|change| (&*change.key, &*change.column, change.delta(), change.percent())).collect();
        // The old process is gone; the longest pause is the same; means of two processes are not a mean, nor nothing.
        assert_eq!(
            shown,
            [
                ("old", "gcs", Some(-1.0), Some(-100.0)),
                ("old", "pause_ms_max", Some(-1.0), Some(-100.0)),
                ("old", "pause_ms_mean", Some(-1.0), Some(-100.0)),
                ("app", "gcs", Some(7.0), Some(100.0)),
                ("app", "rows", Some(-1.0), Some(-50.0)),
            ]
        );
    }

    #[test]
    fn differences_are_exact() {
        let [before, after] = [0.1, 0.3].map(Value::Real);
        let (key, column) = (String::new(), String::new());
        let mut change = Change { table: "gc", key, column, before, after, kind: ColumnKind::Milliseconds };
        assert_eq!(change.delta(), Some(0.2));
        change.kind = ColumnKind::Real;
        assert_eq!(change.delta(), Some(0.2));
    }

    #[test]
    fn rows_that_only_one_table_has_come_first() {
        let before = table(&[(1, "gone", 1, 0.0, 0.0), (2, "grew", 1, 0.0, 0.0), (3, "was 0", 0, 0.0, 0.0)]);
        let after = table(&[(2, "grew", 100, 0.0, 0.0), (3, "was 0", 5, 0.0, 0.0), (4, "new", 1, 0.0, 0.0)]);
        let keys: Vec<String> = changes(&before, &after).into_iter().map(|change| change.key).collect();
        assert_eq!(keys, ["new", "gone", "was 0", "grew"]);
    }

    const PAIRS: &[Column] = &[
        Column { name: "by_process", kind: ColumnKind::Text, about: "" },
        Column { name: "by_dpc", kind: ColumnKind::Text, about: "" },
        Column { name: "process", kind: ColumnKind::Text, about: "" },
        Column { name: "ms", kind: ColumnKind::Milliseconds, about: "" },
    ];

    fn pairs(rows: &[(&str, bool, &str, f64)]) -> Table {
        let text = |text: &str| Value::Text(text.to_owned());
        let row = |(by, dpc, process, ms): &(&str, bool, &str, f64)| {
            vec![text(by), Value::Flag(*dpc), text(process), Value::Real(*ms)]
        };
        Table::new("ready", PAIRS, rows.iter().map(row).collect())
    }

    #[test]
    fn flags_and_the_ends_of_texts_keep_rows_apart() {
        let shown = |before: &Table, after: &Table| -> Vec<(String, Option<f64>)> {
            changes(before, after).into_iter().map(|change| (change.key.clone(), change.delta())).collect()
        };
        let [plain, by_dpc] = [false, true].map(|dpc| pairs(&[("A", dpc, "B", 1.0)]));
        assert_eq!(shown(&plain, &by_dpc), [("A by_dpc B".to_owned(), Some(1.0)), ("A - B".to_owned(), Some(-1.0))]);
        let before = pairs(&[("A -", false, "B", 1.0), ("A", false, "- B", 2.0)]);
        let after = pairs(&[("A -", false, "B", 2.0), ("A", false, "- B", 1.0)]);
        let key = || "A - - B".to_owned();
        assert_eq!(shown(&before, &after), [(key(), Some(1.0)), (key(), Some(-1.0))]);
        // A limit takes all rows that are shown with its key.
        let judge = |limit: &str| limit.parse::<crate::Limit>().unwrap().judge(&before, &after).unwrap();
        assert_eq!(judge("ready.ms[A - - B]>+0"), None);
        assert_eq!(
            judge("ready.ms[A - - B]>2").map(|breach| (breach.before, breach.after)),
            Some((Some(3.0), Some(3.0)))
        );
    }

    #[test]
    fn sums_have_no_error_of_binary_fractions() {
        let (before, after) = (pairs(&[("A", true, "B", 0.3)]), pairs(&[("A", true, "B", 0.1), ("A", true, "B", 0.2)]));
        let columns: Vec<String> = changes(&before, &after).into_iter().map(|change| change.column).collect();
        assert_eq!(columns, ["rows"]);
        let limit: crate::Limit = "ready.ms>+0".parse().unwrap();
        assert_eq!(limit.judge(&before, &after), Ok(None));
        let limit: crate::Limit = "ready.ms>+10%".parse().unwrap();
        for (ms, is_breached) in [(0.33, false), (0.3301, true)] {
            assert_eq!(limit.judge(&before, &pairs(&[("A", true, "B", ms)])).unwrap().is_some(), is_breached, "{ms}");
        }
    }

    #[test]
    fn equal_tables_have_no_changes() {
        let table = table(&[(1, "app", 3, 2.0, 1.0)]);
        assert_eq!(changes(&table, &table), []);
    }
}
