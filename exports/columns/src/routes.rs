//! Which table takes an event.

use std::sync::{Arc, OnceLock};

use etwkit::bytes::PointerSize;
use etwkit::event::EventTypeId;

use crate::field_columns::TypeOps;
use crate::payload_op::PayloadOp;
use crate::plan::Plan;
use crate::program::Program;
use crate::table::Table;
use crate::walk::WalkStep;

/// The tables of a run, and which of them takes the events of a type.
#[derive(Debug)]
pub(crate) struct Routes {
    pub(crate) plans: Box<[Plan]>,
    by_type: Vec<Option<Route>>,
    /// The first table that takes all.
    others: Option<Route>,
}

/// Where the events of a type go.
#[derive(Debug)]
pub(crate) struct Route {
    /// The number of the table.
    pub(crate) table: usize,
    pub(crate) key: Option<EventTypeId>,
    /// The fields of the first layout in columns.
    pub(crate) ops: Box<[PayloadOp]>,
    walk: Option<Box<[WalkStep]>>,
    /// By the size of addresses, once an event has come.
    programs: [OnceLock<Option<Arc<Program>>>; 2],
}

impl Routes {
    pub(crate) fn new(tables: &[Table]) -> Self {
        let mut by_type: Vec<Option<Route>> = Vec::new();
        for (number, table) in tables.iter().enumerate() {
            for of_type in table.types.iter().flatten() {
                let place = of_type.key.0 as usize;
                if by_type.len() <= place {
                    by_type.resize_with(place + 1, || None);
                }
                if let Some(slot) = by_type.get_mut(place) {
                    slot.get_or_insert_with(|| Route::new(number, table, of_type));
                }
            }
        }
        let plans = tables.iter().map(Plan::new).collect();
        let others = tables.iter().position(|table| table.types.is_none()).map(Route::of_all);
        Self { plans, by_type, others }
    }

    /// Looks whether payloads fit, although no column shows it.
    pub(crate) fn with_fits(mut self) -> Self {
        self.plans.iter_mut().for_each(Plan::show_misfits);
        self
    }

    /// Returns where the events of a type go; `None` if they are not wanted.
    #[inline]
    pub(crate) fn of(&self, key: Option<EventTypeId>) -> Option<&Route> {
        let own = key.and_then(|key| self.by_type.get(key.0 as usize)?.as_ref());
        own.or(self.others.as_ref())
    }
}

impl Route {
    fn new(table: usize, of: &Table, TypeOps { key, ops, walk }: &TypeOps) -> Self {
        let programs = [OnceLock::new(), OnceLock::new()];
        Self { table, key: Some(*key), ops: of.shown(ops), walk: walk.clone(), programs }
    }

    fn of_all(table: usize) -> Self {
        Self { table, key: None, ops: Box::default(), walk: None, programs: [OnceLock::new(), OnceLock::new()] }
    }

    /// Returns how payloads with addresses of a size are read; `None` if the engine must locate their fields.
    #[inline]
    pub(crate) fn program(&self, pointer: PointerSize) -> Option<&Arc<Program>> {
        let [four, eight] = &self.programs;
        let slot = if pointer == PointerSize::Four { four } else { eight };
        slot.get_or_init(|| Program::new(self.walk.as_deref()?, &self.ops, pointer).map(Arc::new)).as_ref()
    }
}
