//! How many events there are of each kind.

use etwkit::FileTime;
use etwkit::error::Result;
use etwkit::output::Tally;
use etwkit::select::Selector;
use etwkit::trace::{Filter, RunOptions, TimeRange, Trace};
use etwkit_analysis::{Column, ColumnKind, Value};

use crate::Table;

const COLUMNS: &[Column] = &[
    Column { name: "provider", kind: ColumnKind::Text, about: "Provider." },
    Column { name: "event", kind: ColumnKind::Text, about: "Name of the event." },
    Column { name: "events", kind: ColumnKind::Count, about: "Events." },
    Column {
        name: "rate",
        kind: ColumnKind::Real,
        about: "Events per second, over the time of all events of the trace, as far as it was chosen.",
    },
];

/// Returns the kinds of events of a trace that pass the filter, with their number and rate.
///
/// # Errors
///
/// Returns an error if the trace cannot be read.
pub fn events(trace: &Trace, options: &RunOptions) -> Result<Table> {
    let keys = ["provider", "event"].map(str::parse::<Selector>);
    let mut tally = Tally::new(keys.into_iter().filter_map(std::result::Result::ok).collect())?;
    let counted = if options.filter == Filter::default() { tally.count_types(trace) } else { None };
    if counted.is_none() {
        trace.run(options, &mut tally)?;
    }
    let seconds = seconds(trace, &options.filter.time);
    let rows = tally.into_groups().list.into_iter().map(|group| {
        let mut row: Vec<Value> = group
            .values
            .iter()
            .map(|text| text.as_deref().map_or(Value::Absent, |text| Value::Text(text.into())))
            .collect();
        row.push(Value::Integer(group.events.into()));
        row.push(seconds.map_or(Value::Absent, |seconds| Value::Real(real(group.events) / seconds)));
        row
    });
    Ok(Table::new("events", COLUMNS, rows.collect()))
}

/// Returns the seconds from the first to the last event, as far as they are in a range; `None` if there is no time between
/// them.
fn seconds(trace: &Trace, range: &TimeRange) -> Option<f64> {
    let (first, last) = trace.first_and_last()?;
    let (since, until) = range.bounds(trace.start());
    let (first, last) = (since.map_or(first, |since| first.max(since)), until.map_or(last, |until| last.min(until)));
    let units = u64::try_from(last.0.checked_sub(first.0)?).ok().filter(|units| *units > 0)?;
    Some(real(units) / FileTime::UNITS_PER_SECOND as f64)
}

#[expect(clippy::cast_precision_loss, reason = "numbers of a trace are below 2^53")]
const fn real(number: u64) -> f64 {
    number as f64
}
