//! Two windows of time that cover a trace have what the whole has, wherever one ends and the other begins: each thing is
//! in one of them, with all its events. Skipped loudly where the corpus is absent.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

use std::fmt::Debug;

use etwkit::FileTime;
use etwkit::trace::{Filter, RunOptions, TimeRange, Trace};
use etwkit_analysis::{Analysis, Row, Together, Values, rows};
use etwkit_dotnet_analyses::{
    ContentionEach, ExceptionsEach, GcByProcess, GcEach, JitEach, LoaderByProcess, LoaderEach, TasksEach,
    ThreadPoolByProcess, ThreadPoolEach,
};

const NET: &str = "perfview/net.4.5.2.x64.etl";
const GC: &str = "perfview/gcevents.etl";
const DIAGHUB: &str = "diaghub/diaghub.user_paged.1.etl";

fn open(file: &str) -> Option<Trace> {
    Some(Trace::open(etwkit_corpus::path(file)?, etwkit_parsers::standard()).unwrap())
}

fn in_window<A: Analysis>(trace: &Trace, time: TimeRange) -> Vec<A::Row> {
    rows::<A>(trace, &RunOptions::default().threads(2).filter(Filter::default().time(time))).unwrap()
}

/// The rows of both windows, where the second begins at a time.
fn halves<A: Analysis>(trace: &Trace, cut: FileTime) -> [Vec<A::Row>; 2] {
    let before = FileTime(cut.0 - 1);
    [TimeRange::default().until(before), TimeRange::default().since(cut)].map(|time| in_window::<A>(trace, time))
}

/// Compares the rows as texts, without regard to their order. Returns how many rows the halves had.
fn check<A: Analysis<Row: Debug>>(trace: &Trace, cut: FileTime) -> [usize; 2] {
    let sorted = |rows: Vec<A::Row>| {
        let mut texts: Vec<String> = rows.iter().map(|row| format!("{row:?}")).collect();
        texts.sort_unstable();
        texts
    };
    let [first, second] = halves::<A>(trace, cut);
    let found = [first.len(), second.len()];
    let whole = sorted(in_window::<A>(trace, TimeRange::default()));
    assert!(sorted(first.into_iter().chain(second).collect()) == whole, "{} at {cut:?}", std::any::type_name::<A>());
    found
}

#[test]
fn a_window_that_ends_within_a_collection_has_all_of_it() {
    for file in [NET, GC] {
        let Some(trace) = open(file) else { return };
        let all = in_window::<GcEach>(&trace, TimeRange::default());
        for row in all.iter().step_by(50) {
            // In the middle of it, and at its first event.
            for cut in [FileTime(row.start.0.0 + 5), row.start.0] {
                let found = check::<GcEach>(&trace, cut);
                assert_eq!(found.iter().sum::<usize>(), all.len());
            }
        }
    }
}

#[test]
fn sums_of_collections_add_up() {
    let Some(trace) = open(NET) else { return };
    let each = in_window::<GcEach>(&trace, TimeRange::default());
    let cut = FileTime(each[each.len() / 2].start.0.0 + 5);
    let sums = |rows: &[etwkit_dotnet_analyses::GcRow]| {
        let pause: f64 = rows.iter().map(|row| row.pause_ms_sum).sum();
        let cpu: f64 = rows.iter().filter_map(|row| row.gc_cpu_ms).sum();
        let of = |of: fn(&etwkit_dotnet_analyses::GcRow) -> u64| rows.iter().map(of).sum::<u64>();
        (of(|row| row.gcs), of(|row| row.alloc_bytes), of(|row| row.promoted_bytes), pause, cpu)
    };
    let [first, second] = halves::<GcByProcess>(&trace, cut).map(|rows| sums(&rows));
    let whole = sums(&in_window::<GcByProcess>(&trace, TimeRange::default()));
    assert!(first.0 > 100 && second.0 > 100, "{first:?} {second:?}");
    assert_eq!((first.0 + second.0, first.1 + second.1, first.2 + second.2), (whole.0, whole.1, whole.2));
    assert!((first.3 + second.3 - whole.3).abs() < 1e-6 && (first.4 + second.4 - whole.4).abs() < 1e-6);
}

#[test]
fn compilations_modules_and_tasks_are_in_one_window() {
    for file in [NET, DIAGHUB] {
        let Some(trace) = open(file) else { return };
        let (first, last) = trace.first_and_last().unwrap();
        for part in 1..5 {
            let cut = FileTime(first.0 + (last.0 - first.0) / 5 * part);
            check::<JitEach>(&trace, cut);
            check::<ContentionEach>(&trace, cut);
            check::<TasksEach>(&trace, cut);
            check::<ThreadPoolEach>(&trace, cut);
            check::<LoaderEach>(&trace, cut);
            let modules = |rows: &[etwkit_dotnet_analyses::LoaderRow]| {
                rows.iter().map(|row| row.modules + row.assemblies + row.app_domains).sum::<u64>()
            };
            let [before, after] = halves::<LoaderByProcess>(&trace, cut).map(|rows| modules(&rows));
            assert_eq!(before + after, modules(&in_window::<LoaderByProcess>(&trace, TimeRange::default())));
            let items = |rows: &[etwkit_dotnet_analyses::ThreadPoolRow]| {
                rows.iter().map(|row| row.enqueued + row.dequeued + row.worker_starts).sum::<u64>()
            };
            let [before, after] = halves::<ThreadPoolByProcess>(&trace, cut).map(|rows| items(&rows));
            assert_eq!(before + after, items(&in_window::<ThreadPoolByProcess>(&trace, TimeRange::default())));
        }
    }
}

#[test]
fn a_compilation_that_began_before_a_window_is_not_in_it() {
    let Some(trace) = open(NET) else { return };
    let all = in_window::<JitEach>(&trace, TimeRange::default());
    let long = all.iter().find(|row| row.time_ms.is_some_and(|ms| ms > 5.0)).unwrap();
    let begin = FileTime(long.end.0.0 - (long.time_ms.unwrap() * 10_000.0) as i64 + 10);
    let [first, second] = halves::<JitEach>(&trace, begin);
    assert!(first.contains(long) && !second.contains(long), "{long:?}");
}

#[test]
fn analyses_together_have_the_rows_of_each() {
    let Some(trace) = open(NET) else { return };
    let cut = trace.first_and_last().map(|(first, last)| FileTime(first.0.midpoint(last.0)));
    let window = Filter::default().time(TimeRange::default().until(cut));
    for filter in [Filter::default(), Filter::default().pids([3676]), window] {
        for threads in [1, 2] {
            let options = RunOptions::default().threads(threads);
            let mut together = Together::new(&trace);
            together.add::<GcByProcess>(&filter).unwrap();
            together.add::<JitEach>(&filter).unwrap();
            together.add::<ExceptionsEach>(&filter).unwrap();
            trace.run(&options, &mut together).unwrap();
            let options = options.filter(filter.clone());
            let alone = [
                values(&rows::<GcByProcess>(&trace, &options).unwrap()),
                values(&rows::<JitEach>(&trace, &options).unwrap()),
                values(&rows::<ExceptionsEach>(&trace, &options).unwrap()),
            ];
            assert!(alone[1].rows.len() > 5, "{filter:?}");
            assert_eq!(together.finish(), alone, "{filter:?}");
        }
    }
}

fn values<R: Row>(rows: &[R]) -> Values {
    Values { rows: rows.iter().map(Row::values).collect(), excess: 0 }
}
