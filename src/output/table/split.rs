//! A table for each type of event, with a column for each of its fields.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Arc;

use hashbrown::HashMap;

use crate::decode::{Event, LayoutId};
use crate::error::Result;
use crate::limits;
use crate::output::names::names_of_type;
use crate::render::json::next_name;
use crate::render::time::TimeCache;
use crate::render::{Zone, csv};
use crate::schema::Schema;
use crate::select::HeaderField;
use crate::sink::{Sink, Worker};
use crate::trace::Trace;

use crate::output::line_sink::OVERFULL;

use super::Column;
use super::cell::{Cells, is_shown};
use super::column::field_name;
use super::format::push_csv;

/// Bytes of rows that are handed over together: each table takes a write.
const FULL: usize = 4 << 20;

/// A table that events may go to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TableInfo {
    /// Provider name, or its GUID. Empty for the table of all that have none of their own.
    pub provider: String,
    /// Event name, or what numbers it has.
    pub event: String,
    /// Version of the event.
    pub version: u8,
    /// The header line.
    pub header: Vec<u8>,
}

impl TableInfo {
    /// Describes a table of a provider's event, for version 0, without a header line.
    pub fn new(provider: impl Into<String>, event: impl Into<String>) -> Self {
        Self { provider: provider.into(), event: event.into(), version: 0, header: Vec::new() }
    }
}

/// Where the rows of tables go.
pub trait TableWriter {
    /// Appends whole rows to a table, for the first time after its header line.
    fn append(&mut self, number: usize, table: &TableInfo, rows: &[u8]) -> Result<()>;
}

/// Writes each event as a CSV row of the table of its type.
///
/// Types are known from the first pass: provider, event and version, and the columns. Events beyond
/// [`limits::MAX_TABLES`] types, and those whose key is not known, share the first table, which has the usual columns.
#[derive(Debug)]
pub struct SplitRows<T> {
    plan: Arc<Plan>,
    zone: Zone,
    tables: T,
}

/// All tables, and which event goes where.
#[derive(Debug)]
struct Plan {
    tables: Vec<TableInfo>,
    of: HashMap<LayoutId, Rows>,
    /// Of the first table, which all events without a table of their own share.
    usual: Rows,
}

/// Where the rows of a layout go, and how their cells are found: layouts of one table have the same fields at different
/// places.
#[derive(Clone, Debug)]
struct Rows {
    table: usize,
    columns: Arc<[Column]>,
}

impl Plan {
    fn new(trace: &Trace) -> Self {
        let usual = Column::usual_of(trace);
        let other = TableInfo {
            provider: String::new(),
            event: "other events".to_owned(),
            version: 0,
            header: csv::row(usual.iter().map(Column::name)),
        };
        let usual = Rows { table: 0, columns: usual.into() };
        let mut plan = Self { tables: vec![other], of: HashMap::new(), usual };
        let mut known = BTreeMap::new();
        for row in trace.types() {
            let (provider, event) = names_of_type(row);
            let schemas = row.schema().into_iter().flat_map(Schema::with_alternatives);
            let schemas = (0_u16..).zip(schemas.map(Some));
            let none = row.schema().is_none().then_some((u16::MAX, None));
            for (alternative, schema) in none.into_iter().chain(schemas) {
                let (names, columns) = columns(trace, schema);
                let header = csv::row(names);
                let name = (provider.clone(), event.clone(), row.key().version, header);
                let table = match known.get(&name) {
                    Some(table) => *table,
                    None if plan.tables.len() > limits::MAX_TABLES => continue,
                    None => {
                        let table = plan.tables.len();
                        let (provider, event, version, header) = name.clone();
                        plan.tables.push(TableInfo { provider, event, version, header });
                        known.insert(name, table);
                        table
                    }
                };
                let rows = Rows { table, columns: columns.into() };
                plan.of.insert(LayoutId { key: Some(row.id()), alternative }, rows);
            }
        }
        plan
    }

    fn rows(&self, event: &Event<'_>) -> &Rows {
        self.of.get(&event.layout()).unwrap_or(&self.usual)
    }
}

/// Names and columns of a table: some of the header, the fields, the bytes outside the fields.
fn columns(trace: &Trace, schema: Option<&Schema>) -> (Vec<String>, Vec<Column>) {
    let mut columns = Column::header(trace);
    let mut names: Vec<String> = columns.iter().map(Column::name).collect();
    let fields = || schema.into_iter().flat_map(Schema::top_level).filter(|(_, field)| is_shown(field.display));
    let own: BTreeSet<&str> = fields().map(|(_, field)| &*field.name).collect();
    let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
    for (index, field) in fields() {
        names.push(field_name(&next_name(&field.name, seen.entry(&field.name).or_default(), &own)));
        columns.push(Column::Index(index));
    }
    let extra = Column::of(HeaderField::Extra);
    names.push(extra.name());
    columns.push(extra);
    (names, columns)
}

impl<T: TableWriter> SplitRows<T> {
    /// Hands rows to `tables`.
    pub fn new(trace: &Trace, tables: T) -> Self {
        Self { plan: Arc::new(Plan::new(trace)), zone: Zone::default(), tables }
    }

    /// Writes times of events in a zone.
    #[must_use]
    pub fn zone(mut self, zone: Zone) -> Self {
        self.zone = zone;
        self
    }

    /// Returns where the rows went.
    pub fn into_inner(self) -> T {
        self.tables
    }
}

impl<T: TableWriter> Sink for SplitRows<T> {
    type Worker = SplitWorker;

    fn worker(&self) -> SplitWorker {
        let cells = Cells::new(TimeCache::new(self.zone.clone()), false);
        let (rows, bytes, cell) = <_>::default();
        SplitWorker { plan: Arc::clone(&self.plan), cells, rows, bytes, cell }
    }

    fn accept(&mut self, batch: BTreeMap<usize, Vec<u8>>) -> Result<ControlFlow<()>> {
        for (number, rows) in batch {
            if let Some(table) = self.plan.tables.get(number) {
                self.tables.append(number, table, &rows)?;
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// Makes the rows of one thread.
#[derive(Debug)]
pub struct SplitWorker {
    plan: Arc<Plan>,
    cells: Cells,
    rows: BTreeMap<usize, Vec<u8>>,
    /// Bytes of all rows.
    bytes: usize,
    cell: Vec<u8>,
}

impl Worker for SplitWorker {
    /// Rows by the number of their table.
    type Batch = BTreeMap<usize, Vec<u8>>;

    fn event(&mut self, event: &Event<'_>) -> Result<()> {
        let Rows { table, columns } = self.plan.rows(event);
        let rows = self.rows.entry(*table).or_default();
        let before = rows.len();
        push_csv(rows, &mut self.cell, columns.len(), &mut self.cells.of(event, columns));
        self.bytes += rows.len() - before;
        Ok(())
    }

    fn is_full(&self) -> bool {
        self.bytes >= FULL
    }

    fn is_overfull(&self) -> bool {
        self.bytes >= OVERFULL
    }

    fn take(&mut self) -> BTreeMap<usize, Vec<u8>> {
        self.bytes = 0;
        std::mem::take(&mut self.rows)
    }
}
