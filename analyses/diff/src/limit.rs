//! Conditions on changes, for scripts: `gc.pause_ms_sum>+10%`.

use std::fmt;
use std::str::FromStr;

use crate::Table;
use crate::change::ROWS;
use crate::totals::{Sums, Totals};

/// A limit for a number of a table: `TABLE.COLUMN[KEY] > NUMBER`.
///
/// `>` may be `>=`, `<` or `<=`. A number with a sign is a change, with `%` one in per cent of the value before;
/// without a sign it is the value after. `[KEY]` chooses the rows with a key, such as a process; without it all rows
/// are added up. In columns, units and the separator may be left out: `gc.pause.sum` is `gc.pause_ms_sum`.
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
    /// The value in the first trace; `None` if it has none.
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
    /// Returns an error if the table has no such column.
    pub fn judge(&self, before: &Table, after: &Table) -> Result<Option<Breach>, LimitError> {
        let column = self.column_of(after)?;
        let value = |table: &Table| {
            let sums = match &self.key {
                Some(key) => Totals::of(table).0.remove(key)?,
                None => Totals::of_all(table),
            };
            Some(sums).filter(|sums| sums.rows > 0).and_then(|sums| column.of(&sums))
        };
        let (before, after) = (value(before), value(after));
        let is_breached = (before.is_some() || after.is_some())
            && self.relation.holds(self.measured(before.unwrap_or(0.0), after.unwrap_or(0.0)), self.number);
        Ok(is_breached.then(|| Breach { limit: self.text.clone(), before, after }))
    }

    fn read(text: &str) -> Option<Self> {
        let (sign, relation) = RELATIONS.into_iter().find(|(sign, _)| text.contains(sign))?;
        let (name, number) = text.split_once(sign)?;
        let (name, key) = match name.trim().split_once('[') {
            Some((name, key)) => (name, Some(key.strip_suffix(']')?.to_owned())),
            None => (name.trim(), None),
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

    fn measured(&self, before: f64, after: f64) -> f64 {
        let change = after - before;
        match self.measure {
            Measure::After => after,
            Measure::Change => change,
            // What was nothing before grew without bound.
            Measure::Percent if before == 0.0 && change != 0.0 => f64::INFINITY.copysign(change),
            Measure::Percent if before == 0.0 => 0.0,
            Measure::Percent => change * 100.0 / before.abs(),
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
    #[expect(clippy::cast_precision_loss, reason = "rows of a table are below 2^53")]
    fn of(self, sums: &Sums) -> Option<f64> {
        match self {
            Self::Rows => Some(sums.rows as f64),
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
    use etwkit_analysis::{Column, ColumnKind, Value};

    use super::*;

    const COLUMNS: &[Column] = &[
        Column { name: "process", kind: ColumnKind::Text, about: "" },
        Column { name: "pause_ms_sum", kind: ColumnKind::Real, about: "" },
    ];

    fn table(rows: &[(&str, f64)]) -> Table {
        let rows = rows.iter().map(|(name, pause)| vec![Value::Text((*name).to_owned()), Value::Real(*pause)]);
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
    fn what_is_new_grew_without_bound() {
        assert!(is_breached("gc.pause.sum>+1000%", &[], &[("a", 1.0)]));
        assert!(!is_breached("gc.pause.sum[c]>+10%", &[("a", 1.0)], &[("a", 2.0)]));
        assert!(!is_breached("gc.pause.sum>+10%", &[("a", 0.0)], &[("a", 0.0)]));
    }

    #[test]
    fn what_cannot_be_judged_is_an_error() {
        for text in
            ["", "gc", "gc.pause_ms_sum", "gc>5", ".x>5", "gc.x>", "gc.x>+y%", "gc.x[a>5", "gc.x>nan", "gc.x>inf"]
        {
            assert!(text.parse::<Limit>().is_err(), "{text}");
        }
        let unknown = "gc.pauses>5".parse::<Limit>().unwrap().judge(&table(&[]), &table(&[])).unwrap_err();
        assert_eq!(unknown.to_string(), "the table gc has no column of numbers `pauses`; it has pause_ms_sum, rows");
    }
}
