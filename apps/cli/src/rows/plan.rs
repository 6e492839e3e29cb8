//! What was typed, resolved for the columns of a table.

use std::cmp::Ordering;

use etwkit::query::{Expression, RowCondition};

use crate::failure::Failure;

use super::cell::Cell;
use super::column::Column;
use super::names::{place, places};
use super::options::{RowFormat, RowOptions};

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
}

impl RowPlan {
    /// Resolves the names that were typed.
    pub(crate) fn new(columns: Vec<Column>, options: &RowOptions) -> Result<Self, Failure> {
        let mut shown = Vec::new();
        for name in &options.fields {
            shown.extend(places(&columns, "--fields", name.trim())?);
        }
        if options.fields.is_empty() {
            shown.extend((0..).zip(&columns).filter(|(_, column)| column.is_usual(options.format)).map(|(at, _)| at));
        }
        let mut sort = Vec::new();
        for name in options.sort.iter().map(|name| name.trim()) {
            let (is_down, name) = name.strip_prefix('-').map_or((false, name), |name| (true, name));
            sort.extend(places(&columns, "--sort", name)?.into_iter().map(|place| (place, is_down)));
        }
        let resolve = |expression: &Expression| expression.on_rows(|name| place(&columns, name.spelling()));
        let no_column = |name| Failure::new(format!("--where: there is no column `{name}`"));
        let condition = options.condition.as_ref().map(resolve).transpose().map_err(no_column)?;
        let most = |rows: u64| usize::try_from(rows).unwrap_or(usize::MAX);
        let (first, last) = (options.first.map_or(usize::MAX, most), options.last.map(most));
        Ok(Self { columns, shown, format: options.format, sort, first, last, condition })
    }

    /// Whether all rows are needed before the first can be printed.
    pub(super) const fn sorts(&self) -> bool {
        !self.sort.is_empty()
    }

    /// Whether a row is wanted.
    pub(super) fn takes(&self, row: &[Cell]) -> bool {
        let value = |column: usize| row.get(column).and_then(Cell::value);
        self.condition.as_ref().is_none_or(|condition| condition.holds(value))
    }

    /// The order of two rows.
    pub(super) fn order(&self, a: &[Cell], b: &[Cell]) -> Ordering {
        let cells = |(place, is_down): &(usize, bool)| match (a.get(*place), b.get(*place)) {
            (Some(a), Some(b)) => a.order(b, *is_down),
            _ => Ordering::Equal,
        };
        self.sort.iter().map(cells).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    }
}
