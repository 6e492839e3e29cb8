//! Names of columns that were typed.

use etwkit::FileTime;
use etwkit::query::{Expression, SplitExpression};
use etwkit::select::{Selector, same};
use etwkit::trace::{Glob, Trace};

use crate::args::TimePoint;
use crate::failure::Failure;
use crate::similarity::{asked_first, changes};

use super::column::Column;

/// The place of the column of a name: as it is written, else in any letter case, else as the path of a counter, if one
/// column has that.
pub(super) fn place(columns: &[Column], name: &str) -> Option<usize> {
    let find = |is_it: &dyn Fn(&str) -> bool| {
        let mut places = columns.iter().enumerate().filter(|(_, column)| column.is_named() && is_it(&column.name));
        let found = places.next().map(|(place, _)| place);
        found.filter(|_| places.next().is_none())
    };
    let typed = name.trim_start_matches('\\');
    find(&|known| known == name)
        .or_else(|| find(&|known| same(known, name)))
        .or_else(|| find(&|known| path_forms(known).any(|form| form == typed)))
        .or_else(|| find(&|known| path_forms(known).any(|form| same(form, typed))))
}

/// The forms in which the path of a counter may be typed: whole, without the machine, and its last part. Backslashes
/// before it do not matter: two may have become one in quotes.
fn path_forms(known: &str) -> impl Iterator<Item = &str> {
    let whole = known.strip_prefix("\\\\");
    let without_machine = whole.and_then(|path| path.split_once('\\')).map(|(_, path)| path);
    let last = known.rsplit_once('\\').map(|(_, last)| last);
    [whole, without_machine, last].into_iter().flatten()
}

/// The places of the columns that a name means: one, or all that match if it has `*` or `?`. Empty if there is none.
pub(super) fn meant(columns: &[Column], name: &str) -> Vec<usize> {
    if let Some(place) = place(columns, name) {
        return vec![place];
    }
    if !is_pattern(name) {
        return Vec::new();
    }
    let (glob, path) = (Glob::new(name), Glob::new(name.trim_start_matches('\\')));
    let is_meant = |known: &str| glob.matches(known) || path_forms(known).any(|form| path.matches(form));
    let matches = |(place, column): (usize, &Column)| (column.is_named() && is_meant(&column.name)).then_some(place);
    columns.iter().enumerate().filter_map(matches).collect()
}

/// Whether a name may stand for several columns.
pub(super) fn is_pattern(name: &str) -> bool {
    name.contains(['*', '?'])
}

/// The places of the columns of a name, which may have `*` and `?`.
pub(super) fn places(columns: &[Column], option: &str, name: &str) -> Result<Vec<usize>, Failure> {
    let found = meant(columns, name);
    if found.is_empty() { Err(unknown(columns, option, name)) } else { Ok(found) }
}

/// How many columns are listed for a name that is not one of them.
const LISTED: usize = 20;

/// Why a name is not a column, and what may be meant.
pub(super) fn unknown(columns: &[Column], option: &str, name: &str) -> Failure {
    let names = || columns.iter().filter(|column| column.is_named()).map(|column| &*column.name);
    let typed = name.trim_start_matches('\\');
    let so_called: Vec<&str> = names().filter(|known| path_forms(known).any(|form| same(form, typed))).collect();
    if so_called.len() > 1 {
        let more = if so_called.len() > LISTED { " ..." } else { "" };
        let listed = so_called.into_iter().take(LISTED).collect::<Vec<_>>().join(", ");
        return Failure::new(format!("{option}: several columns end with `{name}`"))
            .hint(format!("name one of {listed}{more}, or all with a `*` before it"));
    }
    let meant = asked_first(near(name, names()));
    let listed: Vec<&str> = names().take(LISTED).collect();
    let more = if names().count() > LISTED { " ..." } else { "" };
    Failure::new(format!("{option}: there is no column `{name}`"))
        .hint(format!("{meant}the columns are {}{more}", listed.join(", ")))
}

/// The column that is most like a name; of counters, by any form of their paths.
fn near<'c>(name: &str, columns: impl Iterator<Item = &'c str>) -> Option<&'c str> {
    let typed = name.trim_start_matches('\\');
    let forms = columns.flat_map(|known| path_forms(known).map(move |form| (form, known)).chain([(known, known)]));
    let ranked = forms.filter_map(|(form, known)| Some((changes(typed, form)?, known)));
    ranked.min_by_key(|(changes, _)| *changes).map(|(_, known)| known)
}

/// Takes the conditions on columns out of a filter's condition. What has the name of a column is the column, in another
/// letter case only if the events have nothing of that name. The file is that of the events.
pub(crate) fn split_condition(
    condition: &mut Option<Expression>,
    columns: &[Column],
    trace: &Trace,
) -> Result<Option<Expression>, Failure> {
    let rows = split_condition_of(condition, columns, &[trace])?;
    Ok(rows.map(|rows| rows.with_times(|text| point_in_time(text, trace))))
}

/// Refuses a condition on columns for a form that has none; the hint is what else there is.
pub(crate) fn refuse_condition(condition: Option<&Expression>, hint: &str) -> Result<(), Failure> {
    let what = "--where: conditions on columns choose rows, which this form does not have";
    condition.map_or(Ok(()), |_| Err(Failure::new(what).hint(hint)))
}

/// As [`split_condition`] for the events of several traces, where no column is a time.
pub(crate) fn split_condition_of(
    condition: &mut Option<Expression>,
    columns: &[Column],
    traces: &[&Trace],
) -> Result<Option<Expression>, Failure> {
    let is_column = |name: &Selector| {
        let is_of_events = || traces.iter().any(|trace| trace.has_field(name));
        let is_exact = || columns.iter().any(|column| column.is_named() && column.name == name.spelling());
        let is_of_event = name.is_written_as_field() || name.to_string().starts_with("header.");
        let own = |place: usize| columns.get(place).is_some_and(|column| !column.is_of_events());
        let is_own = meant(columns, name.spelling()).into_iter().any(own);
        !is_of_event && is_own && (is_exact() || !is_of_events())
    };
    let Some(expression) = condition.take() else { return Ok(None) };
    match expression.split(is_column) {
        Ok(SplitExpression { rows, events, .. }) => {
            *condition = events;
            Ok(rows)
        }
        Err(part) => Err(Failure::new(format!("--where: `{part}` is about columns and about events at once"))
            .hint("join conditions on columns and conditions on events by `and`")),
    }
}

/// A text that is a point in time, as `--since` takes it.
fn point_in_time(text: &str, trace: &Trace) -> Option<FileTime> {
    let point: TimePoint = text.parse().ok()?;
    let start = match point {
        TimePoint::Absolute(_) => 0,
        TimePoint::Relative(_) => trace.start()?.0,
    };
    Some(FileTime(start.checked_add(point.floor())?))
}
