//! The columns of a table that are shown.

use std::sync::Arc;

use crate::rows::plan::RowPlan;
use crate::rows::{Cell, Column};

/// The columns that are shown, with their places in a row.
#[derive(Clone, Debug)]
pub(super) struct ShownColumns {
    columns: Arc<[(usize, Column)]>,
    /// Whether they are in the order of the cells.
    is_ordered: bool,
}

impl ShownColumns {
    pub(super) fn new(plan: &RowPlan) -> Self {
        let column = |place: &usize| Some((*place, plan.columns.get(*place)?.clone()));
        let columns: Arc<[(usize, Column)]> = plan.shown.iter().filter_map(column).collect();
        let is_ordered = columns.is_sorted_by_key(|(place, _)| *place);
        Self { columns, is_ordered }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Column> {
        self.columns.iter().map(|(_, column)| column)
    }

    /// Returns the places of those columns that a row of so many cells may have. The others are blank, and if they are the
    /// last ones, left out.
    pub(super) fn places(&self, cells: usize) -> impl Iterator<Item = usize> {
        let shown = if self.is_ordered {
            self.columns.partition_point(|(place, _)| *place < cells)
        } else {
            self.columns.len()
        };
        self.columns.iter().take(shown).map(|(place, _)| *place)
    }

    /// Returns the cells of a row.
    pub(super) fn cells<'c>(&'c self, row: &'c [Cell]) -> impl Iterator<Item = (&'c Column, &'c Cell)> + Clone {
        self.columns.iter().map(|(place, column)| (column, row.get(*place).unwrap_or(&Cell::Blank)))
    }

    /// As [`ShownColumns::cells`], without blank ones at the end.
    pub(super) fn cells_there<'c>(&'c self, row: &'c [Cell]) -> impl Iterator<Item = (&'c Column, &'c Cell)> {
        self.cells(row).take(self.places(row.len()).count())
    }
}
