//! Which table takes an event.

use etwkit::event::KeyId;

use crate::payload_op::PayloadOp;
use crate::plan::Plan;
use crate::table::Table;

/// The tables of a run, and which of them takes the events of a type.
#[derive(Debug)]
pub(crate) struct Routes {
    pub(crate) plans: Box<[Plan]>,
    by_type: Vec<Option<Route>>,
    /// The first table that takes all.
    others: Option<usize>,
}

/// Where the events of a type go.
#[derive(Debug)]
struct Route {
    table: usize,
    /// The fields of the first layout in columns.
    ops: Box<[PayloadOp]>,
}

impl Routes {
    pub(crate) fn new(tables: &[Table]) -> Self {
        let mut by_type: Vec<Option<Route>> = Vec::new();
        for (number, table) in tables.iter().enumerate() {
            for (key, ops) in table.types.iter().flatten() {
                let place = key.0 as usize;
                if by_type.len() <= place {
                    by_type.resize_with(place + 1, || None);
                }
                if let Some(slot) = by_type.get_mut(place) {
                    slot.get_or_insert_with(|| Route { table: number, ops: table.shown(ops) });
                }
            }
        }
        let plans = tables.iter().map(Plan::new).collect();
        Self { plans, by_type, others: tables.iter().position(|table| table.types.is_none()) }
    }

    /// Returns the number of the table that takes the events of a type, and their fields in its columns; `None` if they are
    /// not wanted.
    #[inline]
    pub(crate) fn of(&self, key: Option<KeyId>) -> Option<(usize, &[PayloadOp])> {
        let own = key.and_then(|key| self.by_type.get(key.0 as usize)?.as_ref());
        own.map_or_else(|| Some((self.others?, &[][..])), |route| Some((route.table, &*route.ops)))
    }
}
