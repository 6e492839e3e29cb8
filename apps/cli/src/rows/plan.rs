//! What was typed, resolved for the columns of a table.

use std::cmp::Ordering;

use etwkit::query::{Expression, RowCondition};
use etwkit::select::Selector;

use crate::failure::Failure;

use super::cell::Cell;
use super::column::Column;
use super::names::{is_pattern, meant, place, places, unknown};
use super::options::{RowFormat, RowOptions};
use super::watch::Watch;

/// Which rows are printed, in which order, with which columns.
#[derive(Clone, Debug)]
pub(crate) struct RowPlan {
    pub(super) columns: Vec<Column>,
    /// The columns that are shown.
    pub(super) shown: Vec<usize>,
    pub(super) format: RowFormat,
    /// Columns, and whether the largest come first.
    pub(super) sort: Vec<(usize, bool)>,
    pub(super) first: usize,
    pub(super) last: Option<usize>,
    condition: Option<RowCondition>,
    /// Whether no columns were asked for.
    is_usual: bool,
    pub(super) watch: Watch,
}

impl RowPlan {
    /// Resolves the names that were typed.
    pub(crate) fn new(columns: Vec<Column>, options: &RowOptions) -> Result<Self, Failure> {
        let mut shown = shown(&columns, &options.fields)?;
        if options.fields.is_empty() {
            shown.extend((0..).zip(&columns).filter(|(_, column)| column.is_usual(options.format)).map(|(at, _)| at));
        }
        let mut sort = Vec::new();
        for name in options.sort.iter().map(|name| name.trim()) {
            let (is_down, name) = name.strip_prefix('-').map_or((false, name), |name| (true, name));
            sort.extend(places(&columns, "--sort", name)?.into_iter().map(|place| (place, is_down)));
        }
        let resolve = |expression: &Expression| expression.on_rows(|name| meant(&columns, name.spelling()));
        let no_column = |name: Selector| unknown(&columns, "--where", name.spelling());
        let condition = options.condition.as_ref().map(resolve).transpose().map_err(no_column)?;
        let watch = Watch::new(options.condition.as_ref(), &columns);
        let most = |rows: u64| usize::try_from(rows).unwrap_or(usize::MAX);
        let (first, last) = (options.first.map_or(usize::MAX, most), options.last.map(most));
        let is_usual = options.fields.is_empty();
        Ok(Self { columns, shown, format: options.format, sort, first, last, condition, is_usual, watch })
    }

    /// The form of the table.
    pub(crate) const fn format(&self) -> RowFormat {
        self.format
    }

    /// The columns for programs that are not shown because nothing was asked for.
    pub(crate) fn left_out(&self) -> impl Iterator<Item = &str> {
        let is_left_out = |at: &usize| !self.shown.contains(at);
        let columns = (0..).zip(&self.columns).filter(move |(at, _)| self.is_usual && is_left_out(at));
        columns.filter(|(_, column)| column.is_for_programs()).map(|(_, column)| &*column.name)
    }

    /// Whether all rows are needed before the first can be printed.
    pub(super) const fn sorts(&self) -> bool {
        !self.sort.is_empty()
    }

    /// Whether every row is printed, in the order in which they come.
    pub(super) fn prints_all(&self) -> bool {
        self.condition.is_none() && !self.sorts() && self.first == usize::MAX && self.last.is_none()
    }

    /// Whether a row is wanted.
    pub(crate) fn takes(&self, row: &[Cell]) -> bool {
        let value = |column: usize| row.get(column).and_then(Cell::value);
        self.condition.as_ref().is_none_or(|condition| condition.holds(value))
    }

    /// The order of two rows.
    pub(super) fn order(&self, a: &[Cell], b: &[Cell]) -> Ordering {
        let cells = |(place, is_down): &(usize, bool)| {
            let [a, b] = [a, b].map(|row| row.get(*place).unwrap_or(&Cell::Blank));
            a.order(b, *is_down)
        };
        self.sort.iter().map(cells).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    }
}

/// The columns of `--fields`. One that is named twice is a mistake; patterns leave out what is named or already there.
fn shown(columns: &[Column], fields: &[String]) -> Result<Vec<usize>, Failure> {
    let is_named = |name: &str| !is_pattern(name) || place(columns, name).is_some();
    let mut named: Vec<(usize, &str)> = Vec::new();
    for name in fields.iter().map(|name| name.trim()).filter(|name| is_named(name)) {
        for place in places(columns, "--fields", name)? {
            if let Some((_, first)) = named.iter().find(|(known, _)| *known == place) {
                let hint = if *first == name { "name it once".into() } else { format!("`{first}` means the same") };
                return Err(Failure::new(format!("--fields: `{name}` is given twice")).hint(hint));
            }
            named.push((place, name));
        }
    }
    let mut shown: Vec<usize> = Vec::new();
    for name in fields.iter().map(|name| name.trim()) {
        let found = places(columns, "--fields", name)?;
        let is_pattern = !is_named(name);
        let is_known = |place: &usize| shown.contains(place) || named.iter().any(|(known, _)| known == place);
        let new: Vec<usize> = found.into_iter().filter(|place| !(is_pattern && is_known(place))).collect();
        shown.extend(new);
    }
    Ok(shown)
}
