//! Numbers of a real trace that a second program found. Skipped loudly where the corpus is absent.
#![allow(clippy::unwrap_used, reason = "a test")]

use etwkit::trace::{RunOptions, Trace};
use etwkit_analysis::{Analysis, rows};
use etwkit_dotnet_analyses::{GcByProcess, GcEach, JitByProcess, JitEach};

fn found<A: Analysis>(threads: usize) -> Option<Vec<A::Row>> {
    let file = etwkit_corpus::path("perfview/net.4.5.2.x64.etl")?;
    let trace = Trace::open(file, etwkit_parsers::standard()).unwrap();
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
    assert!(is_near(application.pause_ms_sum, 28.971) && is_near(application.pause_ms_max, 1.418), "{application:?}");
    let viewer = of(3988);
    assert_eq!((viewer.gcs, viewer.gen1), (1, 1));
    assert!(is_near(viewer.pause_ms_max, 10.877), "{viewer:?}");
    assert_eq!(found::<GcByProcess>(2).unwrap(), rows);
    assert_eq!(found::<GcEach>(1).unwrap().len(), 264);
}

#[test]
fn compilations_are_those_of_the_runtime() {
    let Some(rows) = found::<JitByProcess>(1) else { return };
    let application = rows.iter().find(|row| row.pid == Some(3676)).unwrap();
    assert_eq!(application.methods, 288);
    assert!(is_near(application.time_ms_sum, 218.008), "{application:?}");
    assert_eq!(found::<JitByProcess>(2).unwrap(), rows);
    assert_eq!(found::<JitEach>(1).unwrap().len(), 290);
}
