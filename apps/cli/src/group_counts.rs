//! Events counted in groups: `count`, and `dump --count` and `--group-by`.

use std::io::Write;
use std::num::NonZero;

use etwkit::FileTime;
use etwkit::output::{Group, Groups, Tally};
use etwkit::render::Zone;
use etwkit::render::time::TimeCache;
use etwkit::select::{HeaderField, Selector};
use etwkit::trace::{Filter, RunOptions, Summary, Trace};

use crate::args::{FailOn, TimePoint};
use crate::exit_status::Status;
use crate::failure::Failure;
use crate::largest_groups::{largest, largest_over_time};
use crate::output::Output;
use crate::rows::{Cell, Column, Outcome, RowFormat, RowOptions, RowPlan, RowWriter, split_condition};
use crate::selectors;
use crate::session::Session;
use crate::text::{counted, grouped};

/// What is counted, and how it is shown.
#[derive(Debug)]
pub(crate) struct GroupCounts {
    keys: Vec<Selector>,
    rows: RowOptions,
    /// Only the largest groups.
    top: Option<usize>,
    /// 100 ns units of the spans that are counted apart.
    step: Option<NonZero<u64>>,
    zone: Zone,
}

impl GroupCounts {
    /// In groups of equal values of these; one group of all events if there are none.
    pub(crate) fn by(keys: &[String], rows: RowOptions, top: Option<usize>) -> Result<Self, Failure> {
        let keys = selectors::distinct(OPTION, keys)?;
        Ok(Self { keys, rows, top, step: None, zone: Zone::default() })
    }

    /// Whether one of the values is of the stack.
    pub(crate) fn name_stack(&self) -> bool {
        selectors::name_stack(&self.keys)
    }

    /// Counts each span of time apart; `None` counts all of them together.
    pub(crate) fn by_time(mut self, step: Option<NonZero<u64>>) -> Self {
        self.step = step;
        self
    }

    /// Prints the starts of spans in a zone.
    pub(crate) fn zone(mut self, zone: Zone) -> Self {
        self.zone = zone;
        self
    }

    /// Counts, prints, states what is missing, and ends the session.
    pub(crate) fn run(
        mut self,
        mut session: Session,
        mut options: RunOptions,
        output: &Output,
    ) -> Result<Status, Failure> {
        let columns = self.columns();
        self.refuse_own_names(&columns, session.trace())?;
        if self.step.is_some() && self.keys.iter().any(|key| key.header() == Some(HeaderField::Time)) {
            return Err(Failure::new(format!("{OPTION}: with --by-time, the time is that of the span")));
        }
        // One number for all events has no rows to choose.
        if self.step.is_some() || !self.keys.is_empty() {
            self.rows.condition = split_condition(&mut options.filter.expression, &columns, session.trace())?;
        }
        session.check_names_beside(&columns, &[(OPTION, &self.keys)], &options.filter)?;
        let plan = RowPlan::new(columns, &self.rows)?;
        let out = output.open(session.trace())?;
        let mut tally = Tally::new(self.keys.clone())?;
        if let Some(step) = self.step {
            tally = tally.by_time(origin(session.trace(), &self.zone), step);
        }
        let is_grouped = tally.has_keys();
        // Without a look at the payloads, only events without a schema are known not to be decoded in full.
        let (summary, missing) = match counted_types(&session, &options, &mut tally) {
            Some(summary) => (summary, "have no schema"),
            None => (session.run(&options, &mut tally)?, "could not be decoded in full"),
        };
        let groups = tally.into_groups();
        if groups.other > 0 {
            let events = counted(groups.other, "event");
            let printer = session.printer();
            printer.note(format_args!("{events} are of more groups than are counted separately: see `other`"));
        }
        if is_grouped {
            let groups = match (self.top, self.step) {
                (Some(top), Some(_)) if !self.keys.is_empty() => largest_over_time(groups, top),
                (Some(top), _) => largest(groups, top),
                (None, _) => groups,
            };
            let is_local = session.trace().has_local_times();
            let outcome = self.print(groups, is_local, plan, std::io::BufWriter::new(out))?;
            if summary.events > 0 {
                outcome.say(session.printer());
            }
        } else {
            total(summary.events, plan, out)?;
        }
        session.report_run(&summary, &options);
        let undecoded = session.found_undecoded(&summary);
        if undecoded > 0 {
            let events = counted(summary.events, "event");
            session.printer().note(format_args!("{} of {events} {missing}", grouped(undecoded)));
        }
        Ok(session.finish())
    }

    /// Refuses keys that are called as what is counted.
    fn refuse_own_names(&self, columns: &[Column], trace: &Trace) -> Result<(), Failure> {
        for key in self.keys.iter().filter(|key| key.header().is_none()) {
            let name = key.to_string();
            if columns.iter().any(|column| !column.is_of_events() && column.name == name) {
                let failure = Failure::new(format!("{OPTION}: `{name}` is a column of the counts themselves"));
                let hint = format!("`fields.{name}` is the field of this name");
                return Err(failure.hint_if(trace.has_field(key).then_some(hint)));
            }
        }
        Ok(())
    }

    fn columns(&self) -> Vec<Column> {
        let mut columns =
            vec![Column::count("events"), Column::number("percent").for_people(), Column::text("other").for_json()];
        columns.extend(self.step.map(|_| Column::text("time").within(KEYS)));
        columns.extend(self.keys.iter().map(|key| Column::text(key.to_string()).within(KEYS).of_events().of_numbers()));
        columns
    }

    /// Whether a group is what `--top` left out in a span of time.
    fn is_rest_of_span(&self, group: &Group) -> bool {
        self.step.is_some() && group.values.len() <= self.keys.len()
    }

    fn print(
        &self,
        mut groups: Groups,
        is_local: bool,
        plan: RowPlan,
        out: impl Write + Send,
    ) -> Result<Outcome, Failure> {
        let all = groups.list.iter().map(|group| group.events).sum::<u64>() + groups.other;
        if self.step.is_some() {
            groups.list.sort_by_key(|group| start(group).map(|time| time.0));
        }
        let mut writer = RowWriter::new(plan, out)?;
        let numbers = |events: u64| [Cell::Integer(events.into()), Cell::Share(events, all)];
        let mut time = TimeCache::new(self.zone.clone());
        for group in &groups.list {
            let mut row = Vec::from(numbers(group.events));
            row.push(if self.is_rest_of_span(group) { Cell::Flag } else { Cell::Absent });
            let mut values = group.values.iter();
            if self.step.is_some() {
                let start = start(group).map(|start| Cell::time(start, is_local, &mut time, String::new()));
                values.next();
                row.push(start.unwrap_or(Cell::Absent));
            }
            if self.is_rest_of_span(group) {
                row.push(Cell::Mark("(other)"));
            }
            let keys = values.enumerate().map(|(key, value)| {
                let is_time = self.keys.get(key).is_some_and(|key| key.header() == Some(HeaderField::Time));
                let point = value.as_deref().filter(|_| is_time).and_then(point);
                match point {
                    Some((point, is_local)) => Cell::time(point, is_local, &mut time, String::new()),
                    None => Cell::optional(value.as_deref().map(str::to_owned)),
                }
            });
            row.extend(keys);
            writer.push(row)?;
        }
        if groups.other > 0 {
            writer.push_rest(
                Vec::from(numbers(groups.other)).into_iter().chain([Cell::Flag, Cell::Mark("(other)")]).collect(),
            );
        }
        writer.finish()
    }
}

/// What the first pass has counted, if that is all that is wanted.
fn counted_types(session: &Session, options: &RunOptions, tally: &mut Tally) -> Option<Summary> {
    let is_all = options.filter == Filter::default() && options.first.is_none() && options.last.is_none();
    (is_all && !session.fails_on(FailOn::Undecoded)).then(|| tally.count_types(session.trace()))?
}

/// The option that takes keys.
const OPTION: &str = "--group-by";
/// The object of keys in JSON.
const KEYS: &str = "keys";

/// What spans of time are counted from: the whole second before the first event, which is mostly the header of a file, or
/// where times are relative the time that they count from.
fn origin(trace: &Trace, zone: &Zone) -> FileTime {
    if let Some(start) = zone.start() {
        return start;
    }
    let first = trace.first_and_last().map(|(first, _)| first);
    let start = first.into_iter().chain(trace.start()).min().unwrap_or_default();
    FileTime(start.0.saturating_sub(start.0.rem_euclid(10_000_000)))
}

/// The start of a group's span.
fn start(group: &Group) -> Option<FileTime> {
    group.values.first()?.as_deref()?.parse().ok().map(FileTime)
}

/// The point in time that a text of the header's `time` states, and whether it is in local time.
fn point(text: &str) -> Option<(FileTime, bool)> {
    let civil = text.trim_end_matches('Z');
    let point: TimePoint = format!("{civil}Z").parse().ok()?;
    Some((FileTime(point.floor()), civil.len() == text.len()))
}

/// One number for all events.
fn total(events: u64, plan: RowPlan, mut out: impl Write + Send) -> Result<(), Failure> {
    match plan.format() {
        RowFormat::Text => writeln!(out, "{events}")?,
        RowFormat::Csv => writeln!(out, "events\n{events}")?,
        RowFormat::Jsonl => writeln!(out, "{{\"events\":{events},\"keys\":{{}}}}")?,
        RowFormat::File(_) => {
            let mut writer = RowWriter::new(plan, out)?;
            writer.push(vec![Cell::Integer(events.into())])?;
            return writer.finish().map(drop);
        }
    }
    Ok(out.flush()?)
}
