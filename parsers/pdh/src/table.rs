//! A log as rows and columns.

use std::collections::HashMap;
use std::fmt::Write as _;

use etwkit::error::{Error, Result};
use etwkit::limits;
use etwkit::time::{Calendar, FileTime};

use crate::calculate::{Raw, calculate};
use crate::catalog::Catalog;
use crate::sample::{Record, Sample};
use crate::zone::Zone;

/// The calculated values of a log. Samples are to be added in their order in time.
#[derive(Debug)]
pub struct Table {
    catalog: Catalog,
    /// The columns of each counter: by instance where there are several, in the order in which they first came.
    columns: Vec<Columns>,
    rows: Vec<Row>,
    values: usize,
}

#[derive(Debug, Default)]
struct Columns {
    instances: Vec<String>,
    by_name: HashMap<String, usize>,
    last: Vec<Option<Raw>>,
}

#[derive(Debug)]
struct Row {
    time: FileTime,
    /// Values of each counter, by column.
    values: Vec<Vec<Option<f64>>>,
}

impl Table {
    /// An empty table of a log's counters.
    pub fn new(catalog: Catalog) -> Self {
        let columns = catalog.counters.iter().map(|_| Columns::default()).collect();
        Self { catalog, columns, rows: Vec::new(), values: 0 }
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
    /// A sample of another log, or with another number of records than there are counters, is an error.
    pub fn add(&mut self, time: FileTime, sample: &Sample) -> Result<()> {
        if sample.log != self.catalog.log || sample.records.len() != self.catalog.counters.len() {
            return Err(Error::invalid("number of records of a sample", sample.records.len() as u64));
        }
        let mut values = Vec::with_capacity(sample.records.len());
        for ((counter, columns), record) in self.catalog.counters.iter().zip(&mut self.columns).zip(&sample.records) {
            let calculated = |before, now| calculate(counter.kind, counter.time_base, before, now);
            let items = match record {
                Record::Single { raw, .. } => vec![("", *raw)],
                Record::Several { items, .. } => items.iter().map(|(name, raw)| (name.as_str(), *raw)).collect(),
            };
            values.push(columns.row(&items, calculated));
        }
        self.values += values.iter().map(Vec::len).sum::<usize>();
        if self.values > limits::MAX_COUNTER_VALUES {
            return Err(Error::limit("values of a performance log", limits::MAX_COUNTER_VALUES));
        }
        self.rows.push(Row { time, values });
        Ok(())
    }

    /// Returns the paths of all columns.
    pub fn paths(&self) -> impl Iterator<Item = String> {
        self.catalog.counters.iter().zip(&self.columns).flat_map(|(counter, columns)| {
            let paths = columns.instances.iter().map(|instance| match instance.as_str() {
                "" => counter.path(),
                instance => counter.path_of(instance),
            });
            paths.collect::<Vec<_>>()
        })
    }

    /// Returns local time and values of each sample, in the order of [`Table::paths`]. `None`: there is no value.
    pub fn rows(&self) -> impl Iterator<Item = (FileTime, Vec<Option<f64>>)> {
        self.rows.iter().map(|row| {
            let all = row.values.iter().zip(&self.columns).flat_map(|(values, columns)| {
                // An instance that came later has no value here.
                let missing = columns.instances.len() - values.len();
                values.iter().copied().chain(std::iter::repeat_n(None, missing))
            });
            (row.time, all.collect())
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
    /// Returns the values of one sample by column. Instances of one name are numbered from the second on, as in paths.
    fn row(&mut self, items: &[(&str, Raw)], calculated: impl Fn(Option<Raw>, Raw) -> Option<f64>) -> Vec<Option<f64>> {
        let mut seen: HashMap<&str, usize> = HashMap::new();
        let mut now = vec![None; self.instances.len()];
        for (name, raw) in items {
            let times = seen.entry(*name).or_insert(0);
            let full = if *times == 0 { (*name).to_owned() } else { format!("{name}#{times}") };
            *times += 1;
            let column = *self.by_name.entry(full).or_insert_with_key(|full| {
                self.instances.push(full.clone());
                self.instances.len() - 1
            });
            now.resize(now.len().max(column + 1), None);
            if let Some(slot) = now.get_mut(column) {
                *slot = Some(*raw);
            }
        }
        self.last.resize(now.len(), None);
        let values = now.iter().zip(&self.last).map(|(raw, before)| calculated(*before, (*raw)?)).collect();
        self.last = now;
        values
    }
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
