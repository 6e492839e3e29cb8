//! Numbers of a real trace that a second program found. Skipped loudly where the corpus is absent.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

use etwkit::trace::{RunOptions, Trace};
use etwkit_analysis::{Analysis, rows};
use etwkit_dotnet_analyses::{
    ExceptionsByType, ExceptionsEach, GcByProcess, GcEach, GcEachRow, JitByProcess, JitEach, LoaderByProcess,
    LoaderEach, TasksByScheduler, TasksEach, ThreadPoolByProcess,
};

const NET: &str = "perfview/net.4.5.2.x64.etl";
const DIAGHUB: &str = "diaghub/diaghub.user_paged.1.etl";

fn found<A: Analysis>(threads: usize) -> Option<Vec<A::Row>> {
    found_in::<A>(NET, threads)
}

fn found_in<A: Analysis>(file: &str, threads: usize) -> Option<Vec<A::Row>> {
    let trace = Trace::open(etwkit_corpus::path(file)?, etwkit_parsers::standard()).unwrap();
    Some(rows::<A>(&trace, &RunOptions::default().threads(threads)).unwrap())
}

fn is_near(found: f64, expected: f64) -> bool {
    (found - expected).abs() < 0.0015
}

#[test]
fn collections_are_those_of_the_runtime() {
    let Some(rows) = found::<GcByProcess>(1) else { return };
    let of = |pid| rows.iter().find(|row| row.pid == Some(pid)).unwrap();
    let application = of(3676);
    assert_eq!((application.gcs, application.alloc_bytes), (263, 1_107_714_400));
    assert!(
        is_near(application.pause_ms_sum, 28.971) && is_near(application.pause_ms_max.unwrap(), 1.418),
        "{application:?}"
    );
    let viewer = of(3988);
    assert_eq!((viewer.gcs, viewer.gen1), (1, 1));
    assert!(is_near(viewer.pause_ms_max.unwrap(), 10.877), "{viewer:?}");
    assert_eq!(found::<GcByProcess>(2).unwrap(), rows);
    assert_eq!(found::<GcEach>(1).unwrap().len(), 264);
}

#[test]
fn compilations_are_those_of_the_runtime() {
    let Some(rows) = found::<JitByProcess>(1) else { return };
    let application = rows.iter().find(|row| row.pid == Some(3676)).unwrap();
    assert_eq!((application.methods, application.foreground, application.allocated_bytes), (288, 288, None));
    assert!(is_near(application.time_ms_sum, 218.008), "{application:?}");
    assert_eq!(found::<JitByProcess>(2).unwrap(), rows);
    assert_eq!(found::<JitEach>(1).unwrap().len(), 290);
}

#[test]
fn collections_have_the_columns_of_perfview() {
    let Some(rows) = found::<GcByProcess>(1) else { return };
    let of = |pid| rows.iter().find(|row| row.pid == Some(pid)).unwrap();
    let application = of(3676);
    assert!(is_near(application.pause_percent.unwrap(), 0.5836), "{application:?}");
    assert!(is_near(application.alloc_mb_s_max.unwrap(), 238.4693), "{application:?}");
    assert_eq!((application.promoted_bytes, application.pinned_objects_max), (18_736, Some(1)));
    assert_eq!((application.gc_handles_max, application.induced, application.background), (Some(34), 0, 0));
    assert_eq!((of(3988).promoted_bytes, of(3988).gc_handles_max), (5_185_412, Some(8630)));
    let each = found::<GcEach>(1).unwrap();
    let second = each.iter().filter(|row| row.pid == Some(3676)).nth(1).unwrap();
    assert_eq!((second.alloc_bytes, second.reason_name), (4_161_640, Some("AllocSmall")));
    // 4.161640 MB in 18.8119 ms, with a pause of 0.1252 ms.
    assert!(is_near(second.alloc_mb_s.unwrap(), 221.2238), "{second:?}");
    assert!(is_near(second.pause_percent.unwrap(), 0.6611), "{second:?}");
}

#[test]
fn induced_collections_have_times_of_marking() {
    let Some(each) = found_in::<GcEach>("perfview/gcevents.etl", 1) else { return };
    let [first, second] = &*each else { panic!("{each:?}") };
    let marks = [first.mark_stack_ms, first.mark_finalizer_ms, first.mark_handles_ms, first.mark_older_ms];
    let expected = [0.0340, 0.0016, 0.0140, 0.1071];
    assert!(marks.into_iter().zip(expected).all(|(ms, expected)| (ms.unwrap() - expected).abs() < 1e-6), "{marks:?}");
    assert_eq!(second.mark_older_ms, None);
    assert_eq!((first.alloc_bytes, first.poh_bytes, first.finalization_bytes), (1_449_944, Some(16_368), Some(13_948)));
    let process = found_in::<GcByProcess>("perfview/gcevents.etl", 1).unwrap().remove(0);
    assert_eq!((process.induced, process.promoted_bytes), (2, 730_576));
}

#[test]
fn collections_have_cpu_time_by_samples() {
    let Some(rows) = found::<GcByProcess>(1) else { return };
    let of = |pid| rows.iter().find(|row| row.pid == Some(pid)).unwrap();
    // 28 of 5,129 samples, and 10 of 356.
    assert_eq!((of(3676).gc_cpu_ms, of(3988).gc_cpu_ms), (Some(28.0), Some(10.0)));
    assert!(is_near(of(3676).gc_cpu_percent.unwrap(), 0.5459) && is_near(of(3988).gc_cpu_percent.unwrap(), 2.8090));
    let each = found::<GcEach>(2).unwrap();
    let percent = each.iter().filter(|row| row.pid == Some(3676)).filter_map(|row| row.gc_cpu_percent).sum();
    assert!(is_near(percent, 147.2900), "{percent}");
    let Some(without) = found_in::<GcByProcess>("perfview/gcevents.etl", 1) else { return };
    assert_eq!((without.first().unwrap().gc_cpu_ms, without.first().unwrap().gc_cpu_percent), (None, None));
}

#[test]
fn generations_have_survivors_and_free_bytes() {
    let Some(each) = found_in::<GcEach>("perfview/gcevents.etl", 1) else { return };
    let of = |row: &GcEachRow| {
        let numbers = [row.gen0_survival_percent, row.gen1_survival_percent, row.loh_survival_percent];
        (row.before_bytes, numbers.map(|number| number.map(|number| (number * 1e4).round() / 1e4)))
    };
    let expected =
        [(Some(1_468_104), [Some(27.6235), None, None]), (Some(657_192), [Some(100.0), Some(100.0), Some(33.3358)])];
    assert_eq!(each.iter().map(of).collect::<Vec<_>>(), expected);
    let free = |row: &GcEachRow| (row.gen0_free_percent.unwrap(), row.gen1_free_percent, row.loh_free_percent.unwrap());
    let first = free(each.first().unwrap());
    assert!(is_near(first.0, 82.1918) && is_near(first.1.unwrap(), 1.0618) && is_near(first.2, 0.0196), "{first:?}");
    // .NET Framework 4.5.2 writes them with its private provider.
    let framework = found::<GcEach>(1).unwrap();
    let application = || framework.iter().filter(|row| row.pid == Some(3676));
    assert!(is_near(application().filter_map(|row| row.gen0_survival_percent).sum(), 0.4467));
    assert!(is_near(application().filter_map(|row| row.gen1_free_percent).sum(), 3856.9505));
    let most = |pid| found::<GcByProcess>(2).unwrap().iter().find(|row| row.pid == Some(pid)).unwrap().before_bytes_max;
    assert_eq!((most(3676), most(3988)), (Some(4_253_048), Some(25_299_472)));
}

#[test]
fn modules_are_those_of_loads_and_rundowns() {
    let Some(rows) = found::<LoaderByProcess>(1) else { return };
    let numbers = |row: &etwkit_dotnet_analyses::LoaderRow| {
        (row.app_domains, row.assemblies, row.modules, row.loaded, row.dynamic, row.precompiled)
    };
    let of = |pid| numbers(rows.iter().find(|row| row.pid == Some(pid)).unwrap());
    assert_eq!((of(3676), of(3988)), ((2, 2, 2, 2, 0, 0), (2, 27, 27, 0, 0, 0)));
    assert_eq!(found::<LoaderByProcess>(2).unwrap(), rows);
    let diaghub = found_in::<LoaderByProcess>(DIAGHUB, 1).unwrap();
    assert_eq!(diaghub.iter().map(numbers).collect::<Vec<_>>(), [(1, 56, 56, 56, 1, 34)]);
    let each = found_in::<LoaderEach>(DIAGHUB, 1).unwrap();
    assert_eq!(each.iter().filter(|row| row.precompiled == Some("ReadyToRun")).count(), 34);
    assert!(each.iter().all(|row| row.loaded.is_some() && row.assembly.is_some()));
}

#[test]
fn tasks_and_work_items_have_delays() {
    let Some(rows) = found::<TasksByScheduler>(1) else { return };
    let [row] = &*rows else { panic!("{rows:?}") };
    assert_eq!((row.tasks, row.scheduled, row.started, row.completed), (3, 3, 3, 1));
    assert!(is_near(row.delay_ms_sum.unwrap(), 1.2407) && is_near(row.run_ms_sum.unwrap(), 0.3458), "{row:?}");
    let diaghub = found_in::<TasksByScheduler>(DIAGHUB, 2).unwrap().remove(0);
    assert_eq!((diaghub.tasks, diaghub.completed), (6, 6));
    assert!(
        is_near(diaghub.delay_ms_sum.unwrap(), 7.7470) && is_near(diaghub.run_ms_sum.unwrap(), 163.3745),
        "{diaghub:?}"
    );
    assert_eq!(found_in::<TasksEach>(DIAGHUB, 1).unwrap().len(), 6);
    let pool = found::<ThreadPoolByProcess>(1).unwrap().remove(0);
    assert_eq!((pool.worker_starts, pool.workers_max, pool.enqueued, pool.dequeued), (2, Some(5), 3, 2));
    assert!(is_near(pool.queue_ms_mean.unwrap(), 0.3202) && is_near(pool.queue_ms_max.unwrap(), 0.6112), "{pool:?}");
}

#[test]
fn exceptions_have_type_and_message() {
    let Some(rows) = found::<ExceptionsByType>(1) else { return };
    let [row] = &*rows else { panic!("{rows:?}") };
    assert_eq!((row.pid, &*row.exception, row.count), (Some(3988), "System.IO.FileNotFoundException", 1));
    assert_eq!(row.message, "The session PerfViewSessionHeap is not active.");
    assert_eq!(found::<ExceptionsEach>(1).unwrap().len(), 1);
}
