//! `spans`: its tables and forms, and what it states when there is nothing to print.

use crate::common::Folder;

const TRACE: &str = "hello.etl";

#[test]
fn tables_lists_and_trees_have_the_same_spans() {
    let folder = Folder::with(&[TRACE]);
    let out = |arguments: &[&str]| folder.output(&[&["spans", TRACE][..], arguments].concat());
    let table = "provider,task,count,open,orphaned,sum_ms,p50_ms,p95_ms,p99_ms,max_ms\n\
                 Synth.Cafe,CoffeeOrder,2,0,0,60,30,30,30,30\n";
    assert_eq!(out(&["-f", "csv"]), table);
    let fields = ["-f", "csv", "--fields", "start,duration_ms,state", "--relative"];
    let list = "start,duration_ms,state\n+0.0200000s,30,complete\n+0.0600000s,30,complete\n";
    assert_eq!(out(&[&["--list"][..], &fields].concat()), list);
    assert_eq!(out(&[&["--tree"][..], &fields].concat()), list);
    assert_eq!(out(&["-f", "folded"]), "? (3400);Synth.Cafe/CoffeeOrder 60\n");
    let viewer: serde_json::Value = serde_json::from_str(&out(&["-f", "chrome"])).unwrap();
    let durations: Vec<_> =
        viewer["traceEvents"].as_array().unwrap().iter().filter_map(|e| e["dur"].as_f64()).collect();
    assert_eq!(durations, [30_000.0, 30_000.0]);
}

#[test]
fn pairs_and_filters_choose_spans() {
    let folder = Folder::with(&[TRACE]);
    let out = |arguments: &[&str]| folder.output(&[&["spans", TRACE, "-f", "csv"][..], arguments].concat());
    let pair = out(&["--pair", "1:2", "--where", "task = \"1:2\"", "--fields", "task,count,sum_ms"]);
    assert_eq!(pair, "task,count,sum_ms\n1:2,2,60\n");
    let activity = "c0ffee00-0000-4000-8000-000000000002";
    assert_eq!(out(&["--activity", activity, "--fields", "count"]), "count\n1\n");
    // Its start is before the window.
    assert_eq!(out(&["--since", "+70ms", "--fields", "count,open,orphaned"]), "count,open,orphaned\n0,0,1\n");
}

#[test]
fn pairs_without_events_are_warned_of() {
    let folder = Folder::with(&[TRACE]);
    let said = |pair: &str| folder.run(&["spans", TRACE, "--pair", pair]).err;
    assert_eq!(said("1:2"), "");
    assert_eq!(said("CoffeeOrder/Start:Stop"), "");
    assert_eq!(said("Nope:Never"), "warning: --pair Nope:Never: the trace has no events of either name\n");
    assert_eq!(said("Start:Never"), "warning: --pair Start:Never: the trace has no event that the stop names\n");
    assert_eq!(said("200:2"), "warning: --pair 200:2: the trace has no event that the start names\n");
}

#[test]
fn no_spans_have_a_reason() {
    let folder = Folder::with(&[TRACE, "kernel-stacks.etl"]);
    let run = folder.run(&["spans", TRACE, "--pid", "99"]);
    assert!(run.code == 0 && run.err.contains("no start or stop passes the filters"), "{}", run.err);
    let run = folder.run(&["spans", TRACE, "--tree", "--activity", "//9/9"]);
    assert!(run.err.contains("none is of this activity"), "{}", run.err);
    let run = folder.run(&["spans", "kernel-stacks.etl"]);
    assert!(run.err.contains("no event is a start or a stop; --pair names others"), "{}", run.err);
    // Without its first buffer nothing is known of its clock.
    let whole = std::fs::read(folder.path().join(TRACE)).unwrap();
    folder.write("headless.etl", &whole[8192..]);
    let run = folder.run(&["spans", "headless.etl", "--list"]);
    assert!(run.err.contains("no spans: no start or stop has a time that is known"), "{}", run.err);
    let run = folder.run(&["spans", TRACE, "--list", "-f", "folded"]);
    assert!(run.code == 2 && run.err.contains("--list writes rows, which this form does not have"), "{}", run.err);
    for form in ["svg", "speedscope"] {
        let run = folder.run(&["spans", TRACE, "--tree", "-f", form]);
        let hint = format!("`etwkit profile --by spans --format {form} FILE` writes it");
        assert!(run.code == 2 && run.err.contains(&hint), "{}", run.err);
    }
    let run = folder.run(&["profile", TRACE, "-f", "sgv"]);
    assert!(run.code == 2 && !run.err.contains("--by spans"), "{}", run.err);
    let run = folder.run(&["spans", TRACE, "--pair", "Parse"]);
    assert!(run.code == 2 && run.err.contains("a pair is START:STOP"), "{}", run.err);
}
