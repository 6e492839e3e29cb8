//! Numbers of real traces that a second program found, over `etwkit dump -f jsonl`: pairs by provider, stem, and activity
//! id or thread. Skipped loudly where the corpus is absent.
#![allow(clippy::unwrap_used, reason = "a test")]

use etwkit::trace::{RunOptions, Trace};
use etwkit_spans::{Keep, SpanOptions, Spans, State, TableRow};

/// Complete, open, orphaned; then sum, percentiles 50, 95, 99 and the longest in units of 100 ns.
type Numbers = (u64, u64, u64, u64, u64, u64, u64, u64);

fn found(file: &str, options: SpanOptions, threads: usize) -> Option<Spans> {
    let trace = Trace::open(etwkit_corpus::path(file)?, etwkit_parsers::standard()).unwrap();
    Some(etwkit_spans::spans(&trace, options, &RunOptions::default().threads(threads)).unwrap())
}

fn numbers(row: &TableRow) -> Numbers {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole numbers that are not negative")]
    let units = |ms: Option<f64>| (ms.unwrap_or(0.0) * 10_000.0).round() as u64;
    let TableRow { count, open, orphaned, p50_ms, p95_ms, p99_ms, max_ms, .. } = row;
    let sum = units(Some(row.sum_ms));
    (*count, *open, *orphaned, sum, units(*p50_ms), units(*p95_ms), units(*p99_ms), units(*max_ms))
}

fn check(file: &str, pairs: &[&str], expected: &[(&str, Numbers)]) {
    let pairs: Vec<_> = pairs.iter().map(|pair| pair.parse().unwrap()).collect();
    let options = || SpanOptions { pairs: pairs.clone(), ..SpanOptions::default() };
    let Some(spans) = found(file, options(), 1) else { return };
    let table = spans.table();
    for (task, expected) in expected {
        let row = table.iter().find(|row| row.task == *task).unwrap();
        assert_eq!(numbers(row), *expected, "{file}: {task}");
    }
    assert_eq!(found(file, options(), 2).unwrap().table(), table, "{file}: with two threads");
    let list = found(file, SpanOptions { keep: Keep::Tree, ..options() }, 1).unwrap();
    assert_eq!(list.table(), table, "{file}: with the spans kept");
    let complete = list.list().iter().filter(|span| span.state() == State::Complete).count() as u64;
    assert_eq!(complete, table.iter().map(|row| row.count).sum::<u64>(), "{file}");
}

#[test]
fn commands_of_powershell() {
    let command = (47, 4, 3, 1_386_980_537, 88_004, 272_991_019, 405_039_258, 405_039_258);
    let none = (0, 6, 0, 0, 0, 0, 0, 0);
    check("misc/powershell.etl", &[], &[("Command", command), ("Provider", none)]);
}

#[test]
fn tasks_of_msbuild() {
    let items = (1047, 0, 0, 1_816_823, 70, 1011, 56_983, 206_812);
    let tasks = (674, 4, 4, 6_874_492, 450, 24_199, 223_429, 944_699);
    let targets = (390, 3, 3, 7_918_401, 919, 83_715, 546_530, 1_029_370);
    let expected = [("ApplyLazyItemOperations", items), ("ExecuteTask", tasks), ("Target", targets)];
    check("misc/msbuild-compressed32.etl", &[], &expected);
}

#[test]
fn requests_by_a_pair() {
    let fast = (289, 2, 0, 580_135, 1837, 3185, 4856, 8739);
    let complete = (2, 289, 0, 11_710, 5418, 6292, 6292, 6292);
    let expected = [("Parse:FastSend", fast), ("Parse:SendComplete", complete)];
    check("tx/HTTP_Server.etl", &["Parse:FastSend", "Parse:SendComplete"], &expected);
}

#[test]
fn suspensions_of_the_runtime() {
    let suspend = (265, 0, 0, 10_198, 30, 59, 249, 601);
    let finalizers = (268, 0, 0, 6496, 6, 9, 14, 2996);
    // Each collection has a start of version 1 and one of version 2.
    let gc = (264, 0, 0, 357_778, 803, 1533, 5056, 108_275);
    let expected = [("GC/SuspendEE", suspend), ("GC/Finalizers", finalizers), ("GC", gc)];
    check("perfview/net.4.5.2.x64.etl", &[], &expected);
}

#[test]
fn messages_of_ebpf() {
    let messages = (986, 5148, 0, 857_316, 28, 8947, 11_695, 40_051);
    check("misc/ebpforwindows.etl", &[], &[("EbpfGenericMessage", messages)]);
}

#[test]
fn activities_of_a_diagnostic_source() {
    let second = (52, 58, 3, 738_439, 2435, 32_021, 411_402, 411_402);
    let first = (1, 0, 1, 2_192_799, 2_192_799, 2_192_799, 2_192_799, 2_192_799);
    let file = "diaghub/diaghub.user_paged.1.etl";
    check(file, &[], &[("Activity2", second), ("Activity1", first)]);
    let Some(all) = found(file, SpanOptions { keep: Keep::Tree, ..SpanOptions::default() }, 1) else { return };
    let parents = all.list().iter().filter(|span| span.parent.is_some()).count();
    // Those whose start names the activity of the transaction as related.
    assert_eq!(parents, 8);
    assert_eq!(all.tree().folded().lines().count(), 4);
    let activity = Some("//1/1".parse().unwrap());
    let within = found(file, SpanOptions { keep: Keep::Tree, activity, ..SpanOptions::default() }, 1).unwrap();
    let mut rows = Vec::new();
    within.tree().rows(|row| rows.push(row));
    let root = rows.first().unwrap();
    assert_eq!((&*root.task, root.path.as_deref(), root.depth), ("Activity1", Some("//1/1"), 0));
    assert_eq!(rows.iter().filter(|row| row.task == "Activity2").count(), 8);
}
