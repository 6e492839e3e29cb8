//! A log as rows and columns.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write as _;

use etwkit::error::{Error, Result};
use etwkit::time::{Calendar, FileTime};

use crate::calculate::{Raw, calculate};
use crate::catalog::Catalog;
use crate::sample::{Record, Sample};
use crate::zone::Zone;

/// The calculated values of a log. Samples are to be added in their order in time.
///
/// It takes memory for what samples have, not for blanks: instances come and go.
#[derive(Debug)]
pub struct Table {
    catalog: Catalog,
    /// The columns of each counter: by instance where there are several, in the order in which they first came.
    columns: Vec<Columns>,
    /// Columns of all counters.
    width: usize,
    rows: Vec<Row>,
    /// The values of all rows, one after the other, by the number of their column: columns are numbered as they come.
    values: Vec<(u32, f64)>,
    /// Values of samples, also those from which nothing can be calculated.
    sampled: usize,
}

#[derive(Debug, Default)]
struct Columns {
    instances: Vec<Instance>,
    by_name: HashMap<String, usize>,
}

#[derive(Debug)]
struct Instance {
    /// Its name; empty for a counter of one value.
    name: String,
    /// The number of its column.
    column: u32,
    /// Its last value and the row of it: a change is calculated from the row before.
    last: Option<(usize, Raw)>,
}

#[derive(Debug)]
struct Row {
    time: FileTime,
    /// Where its values end.
    end: usize,
}

impl Table {
    /// An empty table of a log's counters.
    pub fn new(catalog: Catalog) -> Self {
        let columns = catalog.counters.iter().map(|_| Columns::default()).collect();
        Self { catalog, columns, width: 0, rows: Vec::new(), values: Vec::new(), sampled: 0 }
    }

    /// Returns the counters.
    pub const fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// Returns how many samples were added.
    pub const fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Adds a sample; `time` is that of its event, which performance logs have in local time.
    ///
    /// # Errors
    ///
    /// For a sample of another log, or with another number of records than there are counters, and for one that would
    /// make the table too large: 2^24 values, 2^18 columns, and 64 blanks for each value besides 2^18. It is not added.
    pub fn add(&mut self, time: FileTime, sample: &Sample) -> Result<()> {
        if sample.log != self.catalog.log || sample.records.len() != self.catalog.counters.len() {
            return Err(Error::invalid("number of records of a sample", sample.records.len() as u64));
        }
        let items: Vec<_> = sample.records.iter().map(named).collect();
        self.room(&items)?;
        let row = self.rows.len();
        for ((counter, columns), items) in self.catalog.counters.iter().zip(&mut self.columns).zip(&items) {
            for (name, raw) in items {
                let Some(instance) = columns.instance(name, &mut self.width) else { continue };
                let before = instance.last.replace((row, *raw)).filter(|(at, _)| at + 1 == row);
                let value = calculate(counter.kind, counter.time_base, before.map(|(_, raw)| raw), *raw);
                self.values.extend(value.map(|value| (instance.column, value)));
            }
            self.sampled += items.len();
        }
        self.rows.push(Row { time, end: self.values.len() });
        Ok(())
    }

    /// An error if there is no room for a sample.
    fn room(&self, items: &[Vec<(Cow<'_, str>, Raw)>]) -> Result<()> {
        let values = self.sampled + items.iter().map(Vec::len).sum::<usize>();
        if values > MAX_VALUES {
            return Err(Error::limit("values of a performance log", MAX_VALUES));
        }
        let new = |(columns, items): (&Columns, &Vec<(Cow<'_, str>, Raw)>)| {
            items.iter().filter(|(name, _)| !columns.by_name.contains_key(&**name)).count()
        };
        let width = self.width + self.columns.iter().zip(items).map(new).sum::<usize>();
        if width > MAX_COLUMNS {
            return Err(Error::limit("columns of a performance log", MAX_COLUMNS));
        }
        // Each row is printed with a blank for each column that it lacks.
        let most = MAX_BLANKS.saturating_add(values.saturating_mul(BLANKS_PER_VALUE));
        if width.saturating_mul(self.rows.len() + 1) > most {
            return Err(Error::limit("blanks of a performance log", most));
        }
        Ok(())
    }

    /// Returns the paths of all columns.
    pub fn paths(&self) -> impl Iterator<Item = String> {
        self.catalog.counters.iter().zip(&self.columns).flat_map(|(counter, columns)| {
            columns.instances.iter().map(move |instance| match instance.name.as_str() {
                "" => counter.path(),
                name => counter.path_of(name),
            })
        })
    }

    /// Returns local time and values of each sample, in the order of [`Table::paths`]. `None`: there is no value.
    pub fn rows(&self) -> impl Iterator<Item = (FileTime, Vec<Option<f64>>)> {
        let mut places = vec![0; self.width];
        let columns = self.columns.iter().flat_map(|columns| &columns.instances).map(|instance| instance.column);
        for (place, column) in columns.enumerate() {
            if let Some(slot) = places.get_mut(column as usize) {
                *slot = place;
            }
        }
        let mut start = 0;
        self.rows.iter().map(move |Row { time, end }| {
            let mut row = vec![None; places.len()];
            for (column, value) in self.values.get(start..*end).unwrap_or_default() {
                let slot = places.get(*column as usize).and_then(|place| row.get_mut(*place));
                if let Some(slot) = slot {
                    *slot = Some(*value);
                }
            }
            start = *end;
            (*time, row)
        })
    }

    /// The table as `relog` writes it: `separator` is a comma (`-f CSV`) or a tab (`-f TSV`).
    pub fn print(&self, out: &mut impl std::io::Write, separator: char, zone: Zone<'_>) -> Result<()> {
        let kind = if separator == '\t' { "TSV" } else { "CSV" };
        let mut line = format!("\"(PDH-{kind} 4.0) ({})({})\"", zone.name, zone.bias);
        for path in self.paths() {
            let _ = write!(line, "{separator}\"{}\"", path.replace('"', "\"\""));
        }
        writeln!(out, "{line}")?;
        for (time, values) in self.rows() {
            line.clear();
            push_time(&mut line, time);
            for value in values {
                line.push(separator);
                match value {
                    Some(value) => line.extend(["\"", &general(value), "\""]),
                    None => line.push_str("\" \""),
                }
            }
            writeln!(out, "{line}")?;
        }
        Ok(())
    }
}

impl Columns {
    /// Returns the instance of a name, a new one in a column of its own.
    fn instance(&mut self, name: &str, width: &mut usize) -> Option<&mut Instance> {
        let at = self.by_name.get(name).copied().unwrap_or(self.instances.len());
        if at == self.instances.len() {
            self.by_name.insert(name.to_owned(), at);
            let column = u32::try_from(*width).unwrap_or(u32::MAX);
            self.instances.push(Instance { name: name.to_owned(), column, last: None });
            *width += 1;
        }
        self.instances.get_mut(at)
    }
}

/// Returns the values of a record with their names. Instances of one name are numbered from the second on, as in paths.
fn named(record: &Record) -> Vec<(Cow<'_, str>, Raw)> {
    let items = match record {
        Record::Single { raw, .. } => return vec![("".into(), *raw)],
        Record::Several { items, .. } => items,
    };
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let mut named = Vec::with_capacity(items.len());
    for (name, raw) in items {
        let times = seen.entry(name).or_insert(0);
        named.push((if *times == 0 { Cow::from(name) } else { format!("{name}#{times}").into() }, *raw));
        *times += 1;
    }
    named
}

/// Appends `"month/day/year hour:minute:second.millisecond"`.
fn push_time(line: &mut String, time: FileTime) {
    let Some(Calendar { year, month, day, hour, minute, second, millisecond }) = time.to_calendar() else {
        // Before the year 0: no date that a reader of the table takes.
        return line.push_str("\" \"");
    };
    let _ = write!(line, "\"{month:02}/{day:02}/{year:04} {hour:02}:{minute:02}:{second:02}.{millisecond:03}\"");
}

/// Returns a number as C's `%.17g` prints it.
fn general(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let scientific = format!("{value:.16e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if !(-4..17).contains(&exponent) {
        let mantissa = trimmed(mantissa);
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{mantissa}e{sign}{:02}", exponent.abs());
    }
    let decimals = usize::try_from(16 - exponent).unwrap_or(0);
    trimmed(&format!("{value:.decimals$}")).to_owned()
}

fn trimmed(number: &str) -> &str {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number }
}

/// Counter values of a performance log that are kept for a table.
const MAX_VALUES: usize = 1 << 24;
/// Columns of a table.
const MAX_COLUMNS: usize = 1 << 18;
/// Cells of a table, besides [`BLANKS_PER_VALUE`]: a crafted log has many instances in one sample, and many samples
/// without them.
const MAX_BLANKS: usize = 1 << 18;
/// The same for each value.
const BLANKS_PER_VALUE: usize = 64;

#[cfg(test)]
#[expect(clippy::unreadable_literal, clippy::excessive_precision, reason = "as Windows printed them")]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_printed_as_by_c() {
        for (value, wanted) in [
            (0.0, "0"),
            (7.0, "7"),
            (86.93735103284412, "86.93735103284412"),
            (0.1, "0.10000000000000001"),
            (1e-5, "1.0000000000000001e-05"),
            (1e17, "1e+17"),
            (12_345_678_901_234_567.0, "12345678901234568"),
            (0.33300142472592542, "0.33300142472592542"),
        ] {
            assert_eq!(general(value), wanted);
        }
    }

    #[test]
    fn dates() {
        let text = |time| {
            let mut line = String::new();
            push_time(&mut line, FileTime(time));
            line
        };
        assert_eq!(text(0), "\"01/01/1601 00:00:00.000\"");
        assert_eq!(text(131_246_415_908_740_000), "\"11/26/2016 13:46:30.874\"");
        assert_eq!(text(i64::MIN), "\" \"");
    }
}
