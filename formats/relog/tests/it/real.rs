//! Copies of real traces.

use std::path::{Path, PathBuf};

use etwkit::FileId;
use etwkit::trace::{Filter, Glob, TimeRange};
use etwkit::{FileTime, Problem, Severity, Trace};
use etwkit_relog::CopyOptions;

use crate::copies::{copied, difference, parsers};

#[test]
fn copies_of_real_traces_have_the_same_events() {
    let small = |path: &PathBuf| std::fs::metadata(path).unwrap().len() <= MOST_BYTES;
    check(etwkit_corpus::traces().into_iter().filter(|(_, path)| small(path)));
}

#[test]
fn copies_of_fixtures_have_the_same_events() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let traces = files.filter(|path| path.extension().is_some_and(|extension| extension == "etl"));
    // Damage is not copied, and what it costs is not an event.
    let whole = traces.map(|path| (path.display().to_string(), path)).filter(|(name, _)| !name.contains("damaged"));
    assert!(check(whole) > 30);
}

/// Copies traces with several filters; returns how many there were.
fn check(traces: impl Iterator<Item = (String, PathBuf)>) -> usize {
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (name, path) in traces {
        let Ok(trace) = Trace::open(&path, parsers()) else { continue };
        count += 1;
        for (number, filter) in filters(&trace).into_iter().enumerate() {
            let options = CopyOptions::default().filter(filter.clone(), "test").compress(number % 2 == 1);
            let Some(copy) = copied(&trace, &options) else { continue };
            let difference = difference(&trace, &copy, &filter)
                .or_else(|| Some(copy.problems().iter().find(|problem| !is_loss(problem))?.to_string()))
                .or_else(|| more_inversions(&trace, &copy));
            wrong.extend(difference.map(|what| format!("{name}, filter {number}: {what}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    count
}

/// A copy has its events in the order of time.
fn more_inversions(trace: &Trace, copy: &Trace) -> Option<String> {
    let count = |trace: &Trace| {
        trace.files_with_ids().filter_map(|(id, _)| trace.counts(id)).map(|counts| counts.time_inversions).sum::<u64>()
    };
    let (old, new) = (count(trace), count(copy));
    (new > old).then(|| format!("{new} events are earlier than those before them, {old} in the trace"))
}

/// What the session lost stays lost.
fn is_loss(problem: &Problem) -> bool {
    problem.severity == Severity::Loss
}

/// Larger files take minutes.
const MOST_BYTES: u64 = 8 << 20;

/// Filters that choose stacks which the CLR writes after its events, and not all of these events.
fn clr_filters() -> [Filter; 2] {
    let some = Filter::default().names([Glob::new("GC/AllocationTick"), Glob::new("ClrStack/Walk")]);
    [Filter::default().level(4).providers([Glob::new("*DotNETRuntime")]), some]
}

/// The whole, a level, names, a provider, the middle third of the time, stacks of the CLR with some of their events, and a process.
fn filters(trace: &Trace) -> Vec<Filter> {
    let times = trace.counts(FileId::FIRST).and_then(|counts| counts.first_time.zip(counts.last_time));
    let span = trace.clock(FileId::FIRST).zip(times);
    let middle = span.and_then(|(clock, (first, last))| {
        let (first, last) = (clock.filetime(first)?, clock.filetime(last)?);
        let third = (last.0 - first.0) / 3;
        Some(TimeRange::default().since(FileTime(first.0 + third)).until(FileTime(last.0 - third)))
    });
    let some = Filter::default;
    let mut filters = vec![some(), some().level(2), some().names([Glob::new("*Start*"), Glob::new("*Sample*")])];
    // What merging adds has times of events of the CLR.
    filters.push(some().providers([Glob::new("KernelTraceControl")]));
    filters.extend(clr_filters());
    filters.extend(middle.map(|window| some().time(window)));
    filters.extend(trace.system().processes.list().last().map(|(_, process)| some().pids([process.facts.pid])));
    filters
}
