//! Numbers of a real trace that others found, too: baselines of TraceEvent, and a second program. Skipped loudly where
//! the corpus is absent.
#![allow(clippy::unwrap_used, reason = "a test")]

use etwkit::trace::{RunOptions, Trace};
use etwkit_analysis::{Analysis, rows};
use etwkit_kernel_analyses::{CpuSamples, Processes, ThreadList};

fn found<A: Analysis>(threads: usize) -> Option<Vec<A::Row>> {
    let file = etwkit_corpus::path("perfview/net.4.5.2.x64.etl")?;
    let trace = Trace::open(file, etwkit_parsers::standard()).unwrap();
    Some(rows::<A>(&trace, &RunOptions::default().threads(threads)).unwrap())
}

#[test]
fn samples_are_those_of_the_baseline() {
    let Some(rows) = found::<CpuSamples>(1) else { return };
    assert_eq!(rows.iter().map(|row| row.samples).sum::<u64>(), 6_320);
    let first = rows.first().unwrap();
    assert_eq!((first.pid, first.samples, first.cpu_ms), (Some(3676), 5_129, Some(5_129.0)));
    assert_eq!(found::<CpuSamples>(2).unwrap(), rows);
}

#[test]
fn processes_are_those_of_the_kernel() {
    let Some(rows) = found::<Processes>(1) else { return };
    let application = rows.iter().find(|row| row.pid == 3676).unwrap();
    assert!(application.start.is_some() && application.end.is_some() && application.command_line.is_some());
    assert_eq!(rows.iter().filter(|row| row.pid == 3988).count(), 1);
}

#[test]
fn threads_are_those_that_a_script_counts() {
    // A script over `etwkit dump -f jsonl --event 'Thread/*'`: ids of threads but 0, again after each end.
    let Some(rows) = found::<ThreadList>(1) else { return };
    let started = rows.iter().filter(|row| row.start.is_some()).count();
    let ended = rows.iter().filter(|row| row.end.is_some()).count();
    assert_eq!((rows.len(), started, ended), (671, 9, 15));
    assert!(rows.iter().all(|row| row.run_ms.is_none() && row.pid.is_some() && row.start_address.is_some()));
    let system = rows.iter().find(|row| row.tid == 8).unwrap();
    assert_eq!(
        (system.process.as_deref(), system.start_address.as_deref()),
        (Some("System"), Some("ntoskrnl.exe+0x4fcb60"))
    );
}
