//! `read_etl`: the events of traces.

use std::ffi::CStr;

use etwkit::query::Expression;
use etwkit::trace::{Filter, Glob, RunOptions};
use etwkit_columns::{Batch, DataType, Table};

use crate::arguments;
use crate::descriptions::{self, Descriptions};
use crate::event_table::EventTable;
use crate::failure::Failure;
use crate::feed::{Feed, Plan};
use crate::fill::{fill, fill_nulls};
use crate::function::TableFunction;
use crate::host::{Binding, Chunk, Opening};
use crate::source::{Source, refuse_damage};

const EVENT: &CStr = c"event";
const PROVIDER: &CStr = c"provider";
const FILTER: &CStr = c"filter";
const MERGE: &CStr = c"merge";
const STRICT: &CStr = c"strict";
const THREADS: &CStr = c"threads";

/// The function.
#[derive(Debug)]
pub(crate) struct ReadEtl;

/// One execution.
#[derive(Debug)]
pub(crate) struct Scan {
    feed: Feed,
    /// The columns that are asked for: their places in batches, or what is not a column.
    places: Vec<Option<usize>>,
}

/// The batch of which a thread hands over rows, and the next row.
#[derive(Debug, Default)]
pub(crate) struct Local {
    batch: Option<Batch>,
    next: usize,
}

impl TableFunction for ReadEtl {
    const NAME: &'static CStr = c"read_etl";
    const PARAMETERS: &'static [(&'static CStr, DataType)] = &[
        (EVENT, DataType::Text),
        (PROVIDER, DataType::Text),
        (FILTER, DataType::Text),
        (MERGE, DataType::Bool),
        (STRICT, DataType::Bool),
        (THREADS, DataType::Signed(64)),
        descriptions::SCHEMAS,
        descriptions::SYMBOLS,
    ];
    type Bound = Plan;
    type Scan = Scan;
    type Local = Local;

    fn bind(binding: &Binding) -> Result<Plan, Failure> {
        let expression = arguments::filter(binding, FILTER)?;
        let threads = arguments::threads(binding, THREADS)?;
        let strict = arguments::flag(binding, STRICT, false);
        let merge = arguments::flag(binding, MERGE, true);
        let (event, provider) = (arguments::text(binding, EVENT), arguments::text(binding, PROVIDER));
        let sources = Source::all(arguments::files(binding)?, &Descriptions::of(binding), merge, threads)?;
        if let ([Source::Opened(trace)], true) = (sources.as_slice(), strict) {
            refuse_damage(trace)?;
        }
        let Chosen { table, filter, events } = choose(&sources, event.as_deref(), provider.as_deref())?;
        let is_whole = expression.is_none() && provider.is_none() && event.is_none();
        if let Some(events) = events {
            binding.expect_rows(events, expression.is_none() && provider.is_none());
        }
        table.columns().iter().try_for_each(|column| binding.add_column(&column.name, &column.data_type))?;
        let filter = with_expression(filter.providers(provider.as_deref().map(Glob::new)), expression);
        let options = RunOptions::default().threads(threads).filter(filter);
        Ok(Plan { sources, table, options, strict, is_whole })
    }

    fn open(bound: &Plan, opening: &Opening) -> Result<Scan, Failure> {
        let names: Vec<&str> = bound.table.columns().iter().map(|column| column.name.as_str()).collect();
        let mut wanted = Vec::new();
        let mut places = Vec::new();
        for number in opening.columns() {
            places.push(names.get(number).map(|name| {
                wanted.push(*name);
                wanted.len() - 1
            }));
        }
        opening.allow_threads(bound.options.threads);
        let table = bound.table.clone().project(wanted)?;
        Ok(Scan { feed: Feed::new(Plan { table, ..bound.clone() }), places })
    }

    fn rows(scan: &Scan, local: &mut Local, chunk: &mut Chunk) -> Result<usize, Failure> {
        loop {
            if let Some(batch) = &local.batch {
                let end = batch.rows.min(local.next + chunk.capacity());
                let rows = local.next..end;
                if !rows.is_empty() {
                    local.next = end;
                    write(scan, batch, rows.clone(), chunk)?;
                    return Ok(rows.len());
                }
            }
            *local = Local { batch: scan.feed.next()?, next: 0 };
            if local.batch.is_none() {
                return Ok(0);
            }
        }
    }
}

fn write(scan: &Scan, batch: &Batch, rows: std::ops::Range<usize>, chunk: &mut Chunk) -> Result<(), Failure> {
    for (number, place) in scan.places.iter().enumerate() {
        let mut column = chunk.column(number);
        match place.and_then(|place| batch.columns.get(place)) {
            Some(array) => fill(array, rows.clone(), &mut column)?,
            None => fill_nulls(rows.len(), &mut column),
        }
    }
    Ok(())
}

/// The columns of a call.
struct Chosen {
    table: Table,
    filter: Filter,
    /// How many events there are, if the traces are open.
    events: Option<u64>,
}

fn choose(sources: &[Source], event: Option<&str>, provider: Option<&str>) -> Result<Chosen, Failure> {
    let opened = match sources {
        [Source::Opened(trace)] => Some(trace),
        _ => None,
    };
    let Some(event) = event else {
        let events = opened.map(|trace| trace.events_total());
        return Ok(Chosen { table: Table::of_all_events(), filter: Filter::default(), events });
    };
    // Its columns are decided by all versions of the event.
    let trace =
        opened.ok_or_else(|| Failure::new("event := '…' of several files needs them as one trace: merge := true"))?;
    let EventTable { table, filter, events } = EventTable::find(trace, event, provider)?;
    Ok(Chosen { table, filter, events: Some(events) })
}

fn with_expression(filter: Filter, expression: Option<Expression>) -> Filter {
    match expression {
        Some(expression) => filter.expression(expression),
        None => filter,
    }
}
