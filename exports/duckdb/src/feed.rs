//! Batches of rows from threads of their own, in order.

use std::ops::ControlFlow;
use std::sync::{Mutex, OnceLock, PoisonError};

use etwkit::ErrorKind;
use etwkit::sink::{self, Outlet};
use etwkit::trace::RunOptions;
use etwkit_columns::{Batch, BatchSink, Table};

use crate::failure::Failure;
use crate::guard::bug;
use crate::source::{Source, refuse_damage};

/// Batches that wait to be fetched. Whoever makes more waits.
const WAITING: usize = 4;

/// What a run of events is to be.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// The traces, one after the other.
    pub(crate) sources: Vec<Source>,
    /// The columns of the rows.
    pub(crate) table: Table,
    /// Which events, and how many threads decode them.
    pub(crate) options: RunOptions,
    /// Damage is an error.
    pub(crate) strict: bool,
    /// All events are wanted.
    pub(crate) is_whole: bool,
}

/// Batches that come, once they are asked for: a statement may begin many scans and read one after the other.
#[derive(Debug)]
pub(crate) struct Feed {
    plan: Plan,
    run: OnceLock<Result<Mutex<Run>, Failure>>,
}

/// A run on a thread, which ends with it.
#[derive(Debug)]
struct Run(sink::Feed<Outcome>);

/// A batch, or why there is none.
type Outcome = Result<Batch, Failure>;

impl Feed {
    pub(crate) const fn new(plan: Plan) -> Self {
        Self { plan, run: OnceLock::new() }
    }

    /// Waits for the next batch; `None` at the end. Threads get batches in the order in which they ask.
    pub(crate) fn next(&self) -> Result<Option<Batch>, Failure> {
        match self.run.get_or_init(|| Run::start(self.plan.clone()).map(Mutex::new)) {
            Ok(run) => run.lock().unwrap_or_else(PoisonError::into_inner).next(),
            Err(failure) => Err(failure.clone()),
        }
    }
}

impl Run {
    fn start(plan: Plan) -> Result<Self, Failure> {
        let feed = sink::Feed::start("etwkit", WAITING, move |outlet| {
            if let Err(failure) = run(&plan, outlet) {
                // Nobody hears it if the statement is over.
                let _ = outlet.send(Err(failure));
            }
        });
        feed.map(Self).map_err(|error| Failure::new(format_args!("no thread: {error}")))
    }

    fn next(&mut self) -> Result<Option<Batch>, Failure> {
        self.0.next().map_err(|panicked| bug(&panicked))?.transpose()
    }
}

impl Drop for Run {
    /// The host may unload the extension.
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Reads the traces one after the other.
fn run(plan: &Plan, outlet: &Outlet<Outcome>) -> Result<(), Failure> {
    for source in &plan.sources {
        if outlet.is_wanted().is_break() {
            return Ok(());
        }
        let trace = source.open(plan.options.threads)?;
        if plan.strict {
            refuse_damage(&trace)?;
        }
        if let Some(batches) = plan.table.rows_of_types(&trace).filter(|_| plan.is_whole) {
            for batch in batches {
                if outlet.is_wanted().is_break() || outlet.send(Ok(batch)).is_break() {
                    return Ok(());
                }
            }
            continue;
        }
        let mut sink = BatchSink::new([plan.table.clone()], |_, batch| {
            Ok(if batch.rows == 0 { ControlFlow::Continue(()) } else { outlet.send(Ok(batch)) })
        });
        match trace.run_with(&plan.options, &mut sink, &mut |_, _| outlet.is_wanted()) {
            Err(error) if matches!(error.kind(), ErrorKind::Cancelled) => return Ok(()),
            done => done?,
        };
        if plan.strict {
            // What somebody wrote to the file meanwhile.
            refuse_damage(&trace)?;
        }
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]
mod tests {
    use etwkit_columns::Values;

    use super::*;
    use crate::descriptions::Descriptions;

    fn plan(names: &[&str], strict: bool) -> Plan {
        let fixture = |name: &&str| std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(name);
        let sources = Source::all(names.iter().map(fixture).collect(), &Descriptions::default(), false, 1).unwrap();
        Plan {
            sources,
            table: Table::of_all_events(),
            options: RunOptions::default().threads(2),
            strict,
            is_whole: false,
        }
    }

    #[test]
    fn traces_come_one_after_the_other() {
        let feed = Feed::new(plan(&["hello.etl", "many-processors.etl"], false));
        let rows: Vec<usize> = std::iter::from_fn(|| feed.next().unwrap()).map(|batch| batch.rows).collect();
        let events = |name| plan(&[name], false).sources[0].open(1).unwrap().events_total() as usize;
        assert_eq!(rows.iter().sum::<usize>(), events("hello.etl") + events("many-processors.etl"));
    }

    #[test]
    fn names_of_events_need_no_run() {
        let counts = |is_whole| {
            let table = Table::of_all_events().project(["provider", "event"]).unwrap();
            let feed = Feed::new(Plan { table, is_whole, ..plan(&["hello.etl", "many-processors.etl"], false) });
            let mut counts = std::collections::BTreeMap::new();
            for batch in std::iter::from_fn(|| feed.next().unwrap()).map(Batch::expanded) {
                for row in 0..batch.rows {
                    let text = |column: usize| match batch.columns[column].values() {
                        Values::Codes { codes, texts } if batch.columns[column].validity().is_valid(row) => {
                            texts.get(codes[row]).map(<[u8]>::to_vec)
                        }
                        _ => None,
                    };
                    *counts.entry((text(0), text(1))).or_insert(0) += 1;
                }
            }
            counts
        };
        assert_eq!(counts(true), counts(false));
    }

    #[test]
    fn a_count_needs_neither_columns_nor_a_run() {
        let names = ["hello.etl", "many-processors.etl"];
        let rows = |is_whole| {
            let table = Table::of_all_events().project([""; 0]).unwrap();
            let feed = Feed::new(Plan { table, is_whole, ..plan(&names, false) });
            let batches = std::iter::from_fn(|| feed.next().unwrap());
            batches.inspect(|batch| assert!(batch.columns.is_empty())).map(|batch| batch.rows as u64).sum::<u64>()
        };
        let traces = names.map(|name| plan(&[name], false).sources[0].open(1).unwrap());
        let events = traces.iter().map(|trace| trace.events_total()).sum();
        assert_eq!((rows(true), rows(false)), (events, events));
        let table = Table::of_all_events().project([""; 0]).unwrap();
        assert!(traces.iter().all(|trace| table.rows_of_types(trace).is_some()));
    }

    #[test]
    fn damage_is_an_error_if_asked_for() {
        let feed = Feed::new(plan(&["damaged-event-size.etl"], true));
        let failure = feed.next().unwrap_err().to_string();
        assert!(failure.contains("damaged-event-size.etl: ") && failure.contains(" at 0x"), "{failure}");
        let feed = Feed::new(plan(&["damaged-event-size.etl"], false));
        assert!(feed.next().unwrap().is_some());
    }

    #[test]
    fn a_feed_that_nobody_reads_ends() {
        drop(Feed::new(plan(&["many-processors.etl"], false)));
        let many: Vec<&str> = vec!["many-processors.etl"; 200];
        let feed = Feed::new(plan(&many, false));
        assert!(feed.next().unwrap().is_some());
        drop(feed);
    }
}
