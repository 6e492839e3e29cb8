//! The tables of two traces, and what differs.

use etwkit::trace::{Filter, RunOptions};
use etwkit_analysis::{Together, Value, Values};
use etwkit_diff::{Change, Limit, Table, changes, events, schemas};

use crate::analyses::{Entry, analyses};
use crate::failure::Failure;
use crate::printer::Printer;
use crate::rows::Cell;
use crate::session::Session;
use crate::similarity::{asked_first, nearest};

use super::choice::{Choice, Omission, reasons};
use super::functions;

/// The names of the tables that are not analyses.
const EVENTS: &str = "events";
const SCHEMAS: &str = "schemas";

/// The tables of both traces, and the changes of each.
#[derive(Default)]
pub(super) struct Compared {
    tables: Vec<[Table; 2]>,
    parts: Vec<Part>,
    /// Of each trace, how many things had no room in the tables, by their names.
    excess: [Vec<(&'static str, u64)>; 2],
    /// The tables that limits name and whose events a trace does not have.
    unanswered: Vec<(&'static str, [bool; 2])>,
    /// The tables that are wanted and not compared.
    omitted: Vec<(&'static str, Omission)>,
}

/// The changes of a table.
struct Part {
    table: &'static str,
    changes: Vec<Change>,
    left_out: u64,
}

impl Compared {
    /// Makes the tables that are wanted and that both traces can answer; all if none is named. Those that limits name have
    /// no rows of a trace that cannot answer them.
    pub(super) fn of(choice: &Choice<'_>) -> Result<Self, Failure> {
        check_names(choice.only)?;
        check_limits(choice.limits)?;
        let [before, after] = choice.sessions;
        let mut compared = Self::default();
        if choice.is_wanted(EVENTS) {
            compared.add([events(before.trace(), choice.options)?, events(after.trace(), choice.options)?]);
        }
        if choice.is_wanted(SCHEMAS) {
            compared.part(SCHEMAS, schemas(before.trace(), after.trace()));
        }
        let mut entries: Vec<&'static Entry> = comparable().filter(|entry| choice.is_wanted(entry.name)).collect();
        entries.retain(|entry| !compared.omits(entry.name, choice.omission_of(entry)));
        for entry in &entries {
            compared.note_unanswered(entry.name, choice.answers(|session| (entry.is_answerable)(session.trace())));
        }
        let [mut before_tables, mut after_tables] =
            [tables(&entries, before, choice.options)?, tables(&entries, after, choice.options)?];
        let answers = choice.answers(functions::is_answerable);
        if choice.is_wanted(functions::NAME)
            && !compared.omits(functions::NAME, choice.omission(functions::NAME, answers))
        {
            compared.note_unanswered(functions::NAME, answers);
            before_tables.push(functions::table(before, choice.options)?);
            after_tables.push(functions::table(after, choice.options)?);
        }
        compared.excess = [&before_tables, &after_tables].map(|tables| excess(tables));
        before_tables.into_iter().zip(after_tables).for_each(|((before, _), (after, _))| compared.add([before, after]));
        Ok(compared)
    }

    /// Keeps why a table is omitted, and returns whether it is.
    fn omits(&mut self, table: &'static str, omission: Option<Omission>) -> bool {
        self.omitted.extend(omission.map(|omission| (table, omission)));
        omission.is_some()
    }

    /// Says which tables are not compared; an error if tables were named and none of them is.
    pub(super) fn say_omitted(&self, only: &[String], printer: Printer) -> Result<(), Failure> {
        let reasons = reasons(&self.omitted, !only.is_empty());
        if self.parts.is_empty() {
            return Err(Failure::new(format!("nothing to compare: {}", reasons.join("; "))));
        }
        for reason in reasons {
            printer.note(format_args!("not compared: {reason}"));
        }
        Ok(())
    }

    /// Notes which traces cannot answer a table.
    fn note_unanswered(&mut self, table: &'static str, answers: [bool; 2]) {
        if answers.contains(&false) {
            self.unanswered.push((table, answers));
        }
    }

    fn add(&mut self, tables: [Table; 2]) {
        let [before, after] = &tables;
        self.part(after.name(), changes(before, after));
        self.tables.push(tables);
    }

    fn part(&mut self, table: &'static str, changes: Vec<Change>) {
        self.parts.push(Part { table, changes, left_out: 0 });
    }

    /// Whether a limit is exceeded; each one that is becomes a warning, and what a limit has no rows of a note.
    pub(super) fn breaches(&self, limits: &[Limit], printer: Printer) -> Result<bool, Failure> {
        for (table, answers) in &self.unanswered {
            let lacks = match answers {
                [false, false] => "neither trace has",
                [false, true] => "the first trace does not have",
                _ => "the second trace does not have",
            };
            printer.note(format_args!("{lacks} the events of {table}: its limits take it for a table without rows"));
        }
        let mut is_any = false;
        for limit in limits {
            let Some([before, after]) = self.tables.iter().find(|[_, after]| after.name() == limit.table()) else {
                let what = format!("--fail-on {limit}: filters do not choose the rows of {}", limit.table());
                return Err(Failure::new(what).hint("leave the filters or the limit out"));
            };
            if !self.unanswered.contains(&(after.name(), [false; 2])) && !limit.applies(before, after) {
                printer.note(format_args!("{limit}: neither trace has such rows"));
            }
            let breach = limit.judge(before, after).map_err(|error| Failure::new(format!("--fail-on: {error}")))?;
            if let Some(breach) = breach {
                let shown = |side: Option<f64>| side.map_or_else(|| "no value".to_owned(), shown);
                let (before, after) = (shown(breach.before), shown(breach.after));
                printer.warning(format_args!("{limit}: {before} before, {after} after"));
                is_any = true;
            }
        }
        Ok(is_any)
    }

    /// Leaves out small changes, and those after the first ones of each table that are wanted.
    pub(super) fn cut(&mut self, min_percent: f64, most: usize, is_wanted: impl Fn(&Change) -> bool) {
        let is_large = |change: &Change| change.percent().is_none_or(|percent| percent.abs() >= min_percent);
        for part in &mut self.parts {
            let mut wanted = 0;
            part.changes.retain(|change| {
                if !is_wanted(change) {
                    return true;
                }
                let is_kept = is_large(change) && wanted < most;
                wanted += usize::from(is_kept);
                part.left_out += u64::from(!is_kept);
                is_kept
            });
        }
    }

    /// Of each trace, how many things had no room in the tables, by their names.
    pub(super) const fn excess(&self) -> &[Vec<(&'static str, u64)>; 2] {
        &self.excess
    }

    /// All changes.
    pub(super) fn changes(&self) -> impl Iterator<Item = &Change> {
        self.parts.iter().flat_map(|part| &part.changes)
    }

    /// The changes of each table that has any.
    pub(super) fn parts(&self) -> impl Iterator<Item = (&'static str, &[Change])> {
        self.parts.iter().map(|part| (part.table, &*part.changes)).filter(|(_, changes)| !changes.is_empty())
    }

    /// How many changes of each table were left out, where any were.
    pub(super) fn left_out(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.parts.iter().map(|part| (part.table, part.left_out)).filter(|(_, left_out)| *left_out > 0)
    }
}

/// The cell of a value.
pub(super) fn cell(value: &Value) -> Cell {
    match value {
        Value::Text(text) => Cell::Text(text.clone()),
        Value::Integer(number) => Cell::Integer(*number),
        Value::Real(number) => Cell::Measure(*number),
        _ => Cell::Absent,
    }
}

/// A number for people: with three decimals where it has a fraction.
pub(super) fn shown(number: f64) -> String {
    if number.fract() == 0.0 { format!("{number}") } else { format!("{number:.3}") }
}

/// A table, and how many things had no room in it.
type Counted = (Table, u64);

fn excess(tables: &[Counted]) -> Vec<(&'static str, u64)> {
    tables.iter().map(|(table, excess)| (table.name(), *excess)).collect()
}

/// The tables of analyses, by one pass of a trace.
fn tables(entries: &[&'static Entry], session: &Session, options: &RunOptions) -> Result<Vec<Counted>, Failure> {
    let trace = session.trace();
    let mut together = Together::new(trace);
    entries.iter().try_for_each(|entry| (entry.add)(&mut together, trace, &options.filter))?;
    if !together.is_empty() {
        session.run(&options.clone().filter(Filter::default()), &mut together)?;
    }
    let named =
        |(entry, Values { rows, excess }): (&&'static Entry, _)| (Table::new(entry.name, entry.columns, rows), excess);
    Ok(entries.iter().zip(together.finish()).map(named).collect())
}

/// The analyses whose tables can be compared.
fn comparable() -> impl Iterator<Item = &'static Entry> {
    analyses().filter(|entry| entry.is_comparable)
}

/// Refuses names of `--only` that no table has.
fn check_names(only: &[String]) -> Result<(), Failure> {
    let names: Vec<_> = only.iter().map(|name| (name.as_str(), format!("--only: no table `{name}`"))).collect();
    check_known(&names, &[EVENTS, SCHEMAS, functions::NAME])
}

/// Limits are for tables of numbers, whether or not the traces have rows of these.
fn check_limits(limits: &[Limit]) -> Result<(), Failure> {
    let what = |limit: &Limit| format!("--fail-on {limit}: no table of numbers `{}`", limit.table());
    let names: Vec<_> = limits.iter().map(|limit| (limit.table(), what(limit))).collect();
    check_known(&names, &[EVENTS, functions::NAME])
}

/// Refuses the first name that is neither of these tables nor of one that can be compared, in words that come with it.
fn check_known(names: &[(&str, String)], tables: &[&'static str]) -> Result<(), Failure> {
    let known = || tables.iter().copied().chain(comparable().map(|entry| entry.name));
    let is_unknown = |(name, _): &&(&str, String)| !known().any(|known| known == *name);
    let Some((unknown, what)) = names.iter().find(is_unknown) else { return Ok(()) };
    let near = asked_first(nearest(unknown, known()));
    let names = known().collect::<Vec<_>>().join(", ");
    Err(Failure::new(what.clone()).hint(format!("{near}the tables are {names}")))
}
