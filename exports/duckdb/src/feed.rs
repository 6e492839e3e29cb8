//! Batches of rows from threads of their own, in order.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::JoinHandle;

use etwkit::ErrorKind;
use etwkit::trace::RunOptions;
use etwkit_columns::{Batch, BatchSink, Table};

use crate::failure::Failure;
use crate::guard::guarded;
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
    run: OnceLock<Result<Run, Failure>>,
}

impl Feed {
    pub(crate) const fn new(plan: Plan) -> Self {
        Self { plan, run: OnceLock::new() }
    }

    /// Waits for the next batch; `None` at the end. Threads get batches in the order in which they ask.
    pub(crate) fn next(&self) -> Result<Option<Batch>, Failure> {
        match self.run.get_or_init(|| Run::start(self.plan.clone())) {
            Ok(run) => run.next(),
            Err(failure) => Err(failure.clone()),
        }
    }
}

/// A run on a thread. Dropped, it ends.
#[derive(Debug)]
struct Run {
    batches: Option<Mutex<Receiver<Result<Batch, Failure>>>>,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Run {
    fn start(plan: Plan) -> Result<Self, Failure> {
        let (sender, receiver) = sync_channel(WAITING);
        let is_over = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&is_over);
        let thread = std::thread::Builder::new().name("etwkit".to_owned()).spawn(move || {
            if let Err(failure) = guarded(|| run(&plan, &sender, &seen)) {
                // Nobody hears it if the statement is over.
                let _ = sender.send(Err(failure));
            }
        });
        let thread = thread.map_err(|error| Failure::new(format_args!("no thread: {error}")))?;
        Ok(Self { batches: Some(Mutex::new(receiver)), is_over, thread: Some(thread) })
    }

    fn next(&self) -> Result<Option<Batch>, Failure> {
        let Some(batches) = &self.batches else { return Ok(None) };
        batches.lock().unwrap_or_else(PoisonError::into_inner).recv().ok().transpose()
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        // A sender that waits fails.
        self.batches = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Reads the traces one after the other.
fn run(plan: &Plan, sender: &SyncSender<Result<Batch, Failure>>, is_over: &AtomicBool) -> Result<(), Failure> {
    for source in &plan.sources {
        if is_over.load(Ordering::Relaxed) {
            return Ok(());
        }
        let trace = source.open(plan.options.threads)?;
        if plan.strict {
            refuse_damage(&trace)?;
        }
        if let Some(batches) = plan.table.rows_of_types(&trace).filter(|_| plan.is_whole) {
            for batch in batches {
                if is_over.load(Ordering::Relaxed) || sender.send(Ok(batch)).is_err() {
                    return Ok(());
                }
            }
            continue;
        }
        let mut sink = BatchSink::new([plan.table.clone()], |_, batch| {
            let is_heard = batch.rows == 0 || sender.send(Ok(batch)).is_ok();
            Ok(if is_heard { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        });
        let mut go_on =
            |_, _| if is_over.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        match trace.run_with(&plan.options, &mut sink, &mut go_on) {
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
