//! How many events there are of each kind.

use etwkit::error::Result;
use etwkit::output::Tally;
use etwkit::select::Selector;
use etwkit::trace::{Filter, RunOptions, Trace};
use etwkit_analysis::{Column, ColumnKind, Value, chosen_seconds, per_second};

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
    let seconds = chosen_seconds(trace, &options.filter.time)?;
    let rows = tally.into_groups().list.into_iter().map(|group| {
        let mut row: Vec<Value> = group
            .values
            .iter()
            .map(|text| text.as_deref().map_or(Value::Absent, |text| Value::Text(text.into())))
            .collect();
        row.push(Value::Integer(group.events.into()));
        row.push(seconds.map_or(Value::Absent, |seconds| Value::Real(per_second(group.events, seconds))));
        row
    });
    Ok(Table::new("events", COLUMNS, rows.collect()))
}
