//! Conditions on changes, for scripts: `gc.pause_ms_sum>+10%`.

use std::fmt;
use std::str::FromStr;

use etwkit_analysis::ColumnKind;

use crate::change::ROWS;
use crate::totals::{Number, Sums, Totals};
use crate::{Table, exact};

/// A limit for a number of a table: `TABLE.COLUMN[KEY] > NUMBER`.
///
/// `>` may be `>=`, `<` or `<=`. A number with a sign is a change, with `%` one in per cent of the value before;
/// without a sign it is the value after. `[KEY]` chooses the rows that are shown with a key, such as a process; they,
/// or without it all rows, are added up. In columns, units and the separator may be left out: `gc.pause.sum` is
/// `gc.pause_ms_sum`.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    text: String,
    table: String,
    column: String,
    key: Option<String>,
    relation: Relation,
    measure: Measure,
    number: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    More,
    AtLeast,
    Less,
    AtMost,
}

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Measure {
    After,
    Change,
    Percent,
}

/// A limit that does not hold.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Breach {
    /// The limit as it was written.
    pub limit: String,
    /// The value in the first trace; `None` if it has none, or if several rows have numbers that are not added up and the
    /// limit is for the second trace alone.
    pub before: Option<f64>,
    /// The value in the second trace; `None` if it has none.
    pub after: Option<f64>,
}

/// Why a limit cannot be judged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LimitError {
    /// It is not of the form that limits have.
    #[error(
        "`{0}` is not a limit: write one such as gc.pause_ms_sum>+10%, events.rows>100 or cpu.cpu_ms[app.exe]<=+5%"
    )]
    Syntax(String),
    /// The table has no such column of numbers.
    #[error("the table {table} has no column of numbers `{column}`; it has {known}")]
    Column {
        /// Its name.
        table: String,
        /// The column.
        column: String,
        /// The names of columns that it has.
        known: String,
    },
    /// It is for a mean, percentile, share or rate, which several rows of a trace have.
    #[error(
        "{limit}: a trace has {rows} such rows, and a mean, percentile, share or rate of several rows is not known: \
         limit a sum or maximum, or name one row with TABLE.COLUMN[KEY]"
    )]
    SeveralRows {
        /// The limit as it was written.
        limit: String,
        /// The rows of the trace.
        rows: u64,
    },
}

/// The relations, longer signs first.
const RELATIONS: [(&str, Relation); 4] =
    [(">=", Relation::AtLeast), ("<=", Relation::AtMost), (">", Relation::More), ("<", Relation::Less)];

/// Parts of the names of columns that are units.
const UNITS: [&str; 5] = ["ms", "us", "ns", "bytes", "s"];

impl FromStr for Limit {
    type Err = LimitError;

    fn from_str(text: &str) -> Result<Self, LimitError> {
        Self::read(text).ok_or_else(|| LimitError::Syntax(text.to_owned()))
    }
}

impl Limit {
    /// Returns the name of its table.
    pub fn table(&self) -> &str {
        &self.table
    }

    /// Returns how two traces breach it; `None` if they do not. A value that neither trace has breaches nothing.
    ///
    /// # Errors
    ///
    /// Returns an error if the table has no such column, and if it is for a mean, percentile, share or rate of several rows.
    pub fn judge(&self, before: &Table, after: &Table) -> Result<Option<Breach>, LimitError> {
        let column = self.column_of(after)?;
        let [first, second] = [before, after].map(|table| self.rows_of(table));
        let before = match self.measure {
            Measure::After => self.value(column, &first).unwrap_or_default(),
            Measure::Change | Measure::Percent => self.value(column, &first)?,
        };
        let kind = column.kind(after);
        let after = self.value(column, &second)?;
        let is_breached = (before.is_some() || after.is_some())
            && self.relation.holds(self.measured(kind, before.unwrap_or(0.0), after.unwrap_or(0.0)), self.number);
        Ok(is_breached.then(|| Breach { limit: self.text.clone(), before, after }))
    }

    /// Returns whether either table has rows that it applies to. If none has, their number is 0, and there are no values that
    /// could breach it.
    pub fn applies(&self, before: &Table, after: &Table) -> bool {
        [before, after].iter().any(|table| self.rows_of(table).rows > 0)
    }

    /// Returns the sums of the rows that are limited.
    fn rows_of(&self, table: &Table) -> Sums {
        Totals::of_all(table, self.key.as_deref())
    }

    /// Returns the value of a column; `None` if the rows have none.
    fn value(&self, column: Place, sums: &Sums) -> Result<Option<f64>, LimitError> {
        match column.of(sums) {
            Number::Absent => Ok(None),
            Number::Known(number) => Ok(Some(number)),
            Number::Several => Err(LimitError::SeveralRows { limit: self.text.clone(), rows: sums.rows }),
        }
    }

    fn read(text: &str) -> Option<Self> {
        // A key may contain signs and brackets: names of generic methods do.
        let (keyed, rest) = text.split_at(text.rfind(']').unwrap_or_default());
        let (sign, relation) = RELATIONS.into_iter().find(|(sign, _)| rest.contains(sign))?;
        let (before_sign, number) = rest.split_once(sign)?;
        let (name, key) = match keyed.split_once('[') {
            Some((name, key)) if before_sign.trim() == "]" => (name.trim(), Some(key.to_owned())),
            None if !before_sign.contains('[') => (before_sign.trim(), None),
            _ => return None,
        };
        let (table, column) = name.split_once('.')?;
        let number = number.trim();
        let (digits, is_percent) = number.strip_suffix('%').map_or((number, false), |digits| (digits, true));
        let is_change = digits.starts_with(['+', '-']);
        let measure = match (is_percent, is_change) {
            (true, _) => Measure::Percent,
            (false, true) => Measure::Change,
            (false, false) => Measure::After,
        };
        let number: f64 = digits.parse().ok().filter(|number: &f64| number.is_finite())?;
        let (table, column) = (table.to_owned(), column.to_owned());
        let is_named = !table.is_empty() && !column.is_empty();
        is_named.then(|| Self { text: text.to_owned(), table, column, key, relation, measure, number })
    }

    fn measured(&self, kind: ColumnKind, before: f64, after: f64) -> f64 {
        let change = exact::difference(kind, before, after);
        let unbounded = || if change == 0.0 { 0.0 } else { f64::INFINITY.copysign(change) };
        match self.measure {
            Measure::After => after,
            Measure::Change => change,
            // What was nothing before grew without bound.
            Measure::Percent => exact::percent(kind, before, after).unwrap_or_else(unbounded),
        }
    }

    fn column_of(&self, table: &Table) -> Result<Place, LimitError> {
        if self.column == ROWS {
            return Ok(Place::Rows);
        }
        let name = |place: usize| table.columns().get(place).map_or("", |column| column.name);
        let find = |is_it: &dyn Fn(&str) -> bool| table.number_columns().find(|place| is_it(name(*place)));
        let typed = words(&self.column);
        let found = find(&|known| known == self.column).or_else(|| find(&|known| words(known) == typed));
        found.map(Place::Column).ok_or_else(|| {
            let known: Vec<&str> = table.number_columns().map(name).chain([ROWS]).collect();
            LimitError::Column { table: self.table.clone(), column: self.column.clone(), known: known.join(", ") }
        })
    }
}

/// What of the rows is looked at.
#[derive(Clone, Copy)]
enum Place {
    Rows,
    Column(usize),
}

impl Place {
    fn kind(self, table: &Table) -> ColumnKind {
        match self {
            Self::Rows => ColumnKind::Count,
            Self::Column(place) => table.columns().get(place).map_or(ColumnKind::Real, |column| column.kind),
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "rows of a table are below 2^53")]
    fn of(self, sums: &Sums) -> Number {
        match self {
            Self::Rows => Number::Known(sums.rows as f64),
            Self::Column(place) => sums.number(place),
        }
    }
}

impl Relation {
    fn holds(self, value: f64, number: f64) -> bool {
        match self {
            Self::More => value > number,
            Self::AtLeast => value >= number,
            Self::Less => value < number,
            Self::AtMost => value <= number,
        }
    }
}

/// Returns the words of a name, without units.
fn words(name: &str) -> Vec<&str> {
    name.split(['.', '_']).filter(|word| !UNITS.contains(word)).collect()
}

/// The text that was read.
impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use etwkit_analysis::{Column, Value};

    use super::*;

    const COLUMNS: &[Column] = &[
        Column { name: "process", kind: ColumnKind::Text, about: "" },
        Column { name: "pause_ms_sum", kind: ColumnKind::Milliseconds, about: "" },
        Column { name: "pause_ms_mean", kind: ColumnKind::Milliseconds, about: "" },
    ];

    fn table(rows: &[(&str, f64)]) -> Table {
        let row = |(name, pause): &(&str, f64)| {
            vec![Value::Text((*name).to_owned()), Value::Real(*pause), Value::Real(*pause)]
        };
        let rows = rows.iter().map(row);
        Table::new("gc", COLUMNS, rows.collect())
    }

    fn is_breached(limit: &str, before: &[(&str, f64)], after: &[(&str, f64)]) -> bool {
        limit.parse::<Limit>().unwrap().judge(&table(before), &table(after)).unwrap().is_some()
    }

    #[test]
    fn changes_and_values_are_limited() {
        let (before, after) = ([("a", 10.0), ("b", 10.0)], [("a", 10.0), ("b", 12.5)]);
        for limit in ["gc.pause_ms_sum>+10%", "gc.pause.sum >= +12.5%", "gc.pause.sum>+2", "gc.pause_ms_sum>22"] {
            assert!(is_breached(limit, &before, &after), "{limit}");
        }
        for limit in ["gc.pause.sum>+13%", "gc.pause_ms_sum[a]>+0", "gc.rows>2", "gc.pause.sum<-1%", "gc.pause.sum<22"]
        {
            assert!(!is_breached(limit, &before, &after), "{limit}");
        }
        assert!(is_breached("gc.pause.sum[b]>+24%", &before, &after));
        assert!(is_breached("gc.pause.sum<=-10%", &after, &[("a", 1.0)]));
    }

    #[test]
    fn keys_may_contain_signs_and_brackets() {
        for key in ["a!List<int>.Add", "a[]>=b", "x]<y"] {
            let limit = format!("gc.pause.sum[{key}]>=+5%");
            assert!(is_breached(&limit, &[(key, 10.0), ("a", 1.0)], &[(key, 10.5), ("a", 1.0)]), "{limit}");
            assert!(!is_breached(&limit, &[(key, 10.0), ("a", 1.0)], &[(key, 10.0), ("a", 2.0)]), "{limit}");
        }
    }

    #[test]
    fn what_is_new_grew_without_bound() {
        assert!(is_breached("gc.pause.sum>+1000%", &[], &[("a", 1.0)]));
        assert!(!is_breached("gc.pause.sum[c]>+10%", &[("a", 1.0)], &[("a", 2.0)]));
        assert!(!is_breached("gc.pause.sum>+10%", &[("a", 0.0)], &[("a", 0.0)]));
    }

    #[test]
    fn what_cannot_be_judged_is_an_error() {
        for text in [
            "",
            "gc",
            "gc.pause_ms_sum",
            "gc>5",
            ".x>5",
            "gc.x>",
            "gc.x>+y%",
            "gc.x[a>5",
            "gc.x[a]b>5",
            "gc.x]>5",
            "gc.x>nan",
            "gc.x>inf",
        ] {
            assert!(text.parse::<Limit>().is_err(), "{text}");
        }
        let unknown = "gc.pauses>5".parse::<Limit>().unwrap().judge(&table(&[]), &table(&[])).unwrap_err();
        assert_eq!(
            unknown.to_string(),
            "the table gc has no column of numbers `pauses`; it has pause_ms_sum, pause_ms_mean, rows"
        );
    }

    #[test]
    fn a_mean_of_several_rows_is_not_known() {
        let judge = |limit: &str, before: &[(&str, f64)], after: &[(&str, f64)]| {
            limit.parse::<Limit>().unwrap().judge(&table(before), &table(after))
        };
        let (one, two) = ([("a", 16.0)], [("a", 16.0), ("a", 16.0)]);
        for limit in ["gc.pause.mean[a]>+10%", "gc.pause.mean[a]<-10%", "gc.pause.mean>+0"] {
            for (before, after) in [(&one[..], &two[..]), (&two, &one), (&two, &two)] {
                let unknown = LimitError::SeveralRows { limit: limit.to_owned(), rows: 2 };
                assert_eq!(judge(limit, before, after), Err(unknown), "{limit}");
            }
            assert_eq!(judge(limit, &one, &one), Ok(None), "{limit}");
        }
        // The value after does not need that before.
        assert_eq!(judge("gc.pause.mean[a]>16", &two, &one), Ok(None));
        assert_eq!(judge("gc.pause.mean[a]>15", &two, &one).unwrap().map(|breach| breach.before), Some(None));
        assert!(judge("gc.pause.mean[a]>15", &one, &two).is_err());
    }

    #[test]
    fn limits_of_rows_that_neither_trace_has_apply_to_nothing() {
        let rows = [("a", 1.0)];
        for (limit, applies) in [("gc.rows[b]>0", false), ("gc.pause.sum[b]>0", false), ("gc.pause.sum[a]>0", true)] {
            let limit: Limit = limit.parse().unwrap();
            assert_eq!(limit.applies(&table(&[]), &table(&rows)), applies, "{limit}");
            assert_eq!(limit.judge(&table(&[]), &table(&rows)).unwrap().is_some(), applies, "{limit}");
        }
        assert!(is_breached("gc.rows<1", &[], &[]));
    }
}
