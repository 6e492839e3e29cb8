//! Names of columns that were typed.

use etwkit::query::{Expression, SplitExpression};
use etwkit::select::Selector;
use etwkit::trace::Trace;

use crate::failure::Failure;
use crate::similarity::changes;

use super::column::Column;

/// The place of the column of a name: as it is written, else in any letter case, else the end of it after a backslash, if
/// one column has that, as paths of counters have.
pub(super) fn place(columns: &[Column], name: &str) -> Option<usize> {
    let find = |is_it: &dyn Fn(&str) -> bool| {
        let mut places = columns.iter().enumerate().filter(|(_, column)| column.is_named() && is_it(&column.name));
        let found = places.next().map(|(place, _)| place);
        found.filter(|_| places.next().is_none())
    };
    find(&|known| known == name)
        .or_else(|| find(&|known| known.eq_ignore_ascii_case(name)))
        .or_else(|| find(&|known| known.rsplit('\\').next().is_some_and(|end| known != end && end == name)))
}

/// The places of the columns of a name, which may have `*` and `?`.
pub(super) fn places(columns: &[Column], option: &str, name: &str) -> Result<Vec<usize>, Failure> {
    if let Some(place) = place(columns, name) {
        return Ok(vec![place]);
    }
    let glob = etwkit::trace::Glob::new(name);
    let matches =
        |(place, column): (usize, &Column)| (column.is_named() && glob.matches(&column.name)).then_some(place);
    let found: Vec<usize> = columns.iter().enumerate().filter_map(matches).collect();
    if found.is_empty() { Err(unknown(columns, option, name)) } else { Ok(found) }
}

/// Columns that are listed where a name is none of them.
const LISTED: usize = 20;

fn unknown(columns: &[Column], option: &str, name: &str) -> Failure {
    let names = || columns.iter().filter(|column| column.is_named()).map(|column| &*column.name);
    let near = names().filter_map(|known| Some((changes(name, known)?, known))).min_by_key(|(changes, _)| *changes);
    let meant = near.map_or_else(String::new, |(_, near)| format!("did you mean `{near}`? "));
    let listed: Vec<&str> = names().take(LISTED).collect();
    let more = if names().count() > LISTED { " ..." } else { "" };
    Failure::new(format!("{option}: there is no column `{name}`"))
        .hint(format!("{meant}the columns are {}{more}", listed.join(", ")))
}

/// Takes the conditions on columns out of a filter's condition. What has the name of a column is the column, in another
/// letter case only if the events have nothing of that name. The file is that of the events.
pub(crate) fn split_condition(
    condition: &mut Option<Expression>,
    columns: &[Column],
    trace: &Trace,
) -> Result<Option<Expression>, Failure> {
    let is_column = |name: &Selector| {
        let is_of_events = || {
            let schemas = trace.types().iter().filter_map(|row| row.schema());
            name.header().is_some() || schemas.into_iter().any(|schema| name.is_field_of(schema))
        };
        let is_exact = || columns.iter().any(|column| column.is_named() && column.name == name.spelling());
        let is_prefixed = ["header.", "fields.", "payload."].iter().any(|prefix| name.to_string().starts_with(prefix));
        let column = place(columns, name.spelling()).and_then(|place| columns.get(place));
        !is_prefixed && column.is_some_and(|column| !column.is_of_events()) && (is_exact() || !is_of_events())
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
