//! `diff`: what it compares, and what it states.

use crate::common::Folder;

const FILES: [&str; 2] = ["hello.etl", "kernel-stacks.etl"];

#[test]
fn a_trace_is_equal_to_itself() {
    let run = Folder::with(&FILES).run(&["diff", FILES[0], FILES[0], "--format", "csv"]);
    assert_eq!((run.code, &*run.out), (0, "table,key,column,before,after,change,percent\n"));
    assert!(run.err.contains("no change in what is compared"), "{}", run.err);
}

#[test]
fn events_of_either_trace_are_listed_with_their_numbers() {
    let folder = Folder::with(&FILES);
    let run =
        folder.run(&["diff", FILES[0], FILES[1], "--only", "events", "--format", "json", "--where", "table == events"]);
    let rows: Vec<serde_json::Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for (file, side, other) in [(FILES[0], "before", "after"), (FILES[1], "after", "before")] {
        let counts = folder.run(&["count", file, "--group-by", "provider,event", "--format", "json"]);
        for group in counts.out.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()) {
            let text = |key: &str| group["keys"][key].as_str().unwrap().to_owned();
            let key = format!("{} {}", text("provider"), text("event"));
            let Some(row) = rows.iter().find(|row| row["key"] == key && row["column"] == "events") else { continue };
            assert_eq!(row[side], group["events"].as_f64().unwrap(), "{key}");
            assert!(row[other].is_null() || row[other] != row[side], "{key}");
        }
    }
    assert!(rows.len() > 2 && rows.iter().all(|row| row["table"] == "events"), "{}", run.out);
}

#[test]
fn limits_decide_the_exit_code() {
    let folder = Folder::with(&FILES);
    let run = |limit: &str| folder.run(&["diff", FILES[0], FILES[1], "--only", "events", "--fail-on", limit]);
    assert_eq!(run("events.events>1000000").code, 0);
    let exceeded = run("events.events>0");
    assert_eq!((exceeded.code, exceeded.err.contains("events.events>0: ")), (1, true), "{}", exceeded.err);
    let unknown = run("gcs.pause.sum>5");
    let names_it = unknown.err.contains("no table of numbers `gcs`") && unknown.err.contains("did you mean `gc`?");
    assert_eq!((unknown.code, names_it), (2, true), "{}", unknown.err);
    assert_eq!(run("events>5").code, 2);
    // Only the second trace has CPU samples: the first one counts as a table without rows.
    let new = run("cpu.samples>0");
    assert_eq!((new.code, new.err.contains("cpu.samples>0: no value before, ")), (1, true), "{}", new.err);
    assert!(new.err.contains("the first trace does not have the events of cpu"), "{}", new.err);
    assert_eq!(run("cpu.samples>1000000").code, 0);
}

#[test]
fn tables_of_limits_are_compared_whatever_the_traces_have() {
    let folder = Folder::with(&FILES);
    let run = |limit: &str| folder.run(&["diff", FILES[0], FILES[1], "--only", "cpu", "--fail-on", limit]);
    for limit in ["events.events>0", "functions.exclusive>0"] {
        let exceeded = run(limit);
        assert_eq!((exceeded.code, exceeded.err.contains(&format!("{limit}: "))), (1, true), "{}", exceeded.err);
    }
    let neither = run("exceptions.rows>0");
    assert_eq!(
        (neither.code, neither.err.contains("neither trace has the events of exceptions")),
        (0, true),
        "{}",
        neither.err
    );
    let nothing = run("events.events[no such event]>0");
    assert_eq!((nothing.code, nothing.err.contains("neither trace has such rows")), (0, true), "{}", nothing.err);
    let several = run("events.rate>+10%");
    assert_eq!((several.code, several.err.contains("of several rows is not known")), (2, true), "{}", several.err);
}

#[test]
fn a_table_for_pull_requests_and_names_that_are_wrong() {
    let folder = Folder::with(&FILES);
    let run = folder.run(&["diff", FILES[0], FILES[1], "--format", "markdown", "--most", "1"]);
    assert!(run.out.starts_with("### events\n\n| key | column | before | after |"), "{}", run.out);
    assert!(run.err.contains("more changes of events"), "{}", run.err);
    let run = folder.run(&["diff", FILES[0], FILES[1], "--only", "event"]);
    assert!(run.err.contains("did you mean `events`?"), "{}", run.err);
    let run = folder.run(&["diff", FILES[0], FILES[1], "--format", "markdown", "--first", "3"]);
    assert_eq!((run.code, run.err.contains("use --only, --most")), (2, true), "{}", run.err);
}

#[test]
fn neither_trace_is_overwritten() {
    let folder = Folder::with(&FILES);
    let whole = FILES.map(|name| std::fs::read(folder.path().join(name)).unwrap());
    for (file, format) in [(FILES[0], "text"), (FILES[1], "text"), (FILES[1], "markdown"), (FILES[1], "json")] {
        let run = folder.run(&["diff", FILES[0], FILES[1], "--format", format, "-o", file]);
        assert!(run.code == 2 && run.err.contains("would overwrite an input"), "{file} {format}: {}", run.err);
    }
    assert_eq!(FILES.map(|name| std::fs::read(folder.path().join(name)).unwrap()), whole);
}

#[test]
fn files_of_columns_have_all_changes() {
    let folder = Folder::with(&["http-sys.etl", "iisnode.etl"]);
    let run = |options: &[&str]| folder.run(&[&["diff", "http-sys.etl", "iisnode.etl"], options].concat());
    assert!(run(&[]).err.contains("more changes"));
    let file = run(&["-o", "changes.parquet"]);
    assert!(file.code == 0 && !file.err.contains("more changes"), "{}", file.err);
}

#[test]
fn who_chooses_rows_chooses_among_all() {
    let folder = Folder::with(&["http-sys.etl", "iisnode.etl"]);
    let run = |options: &[&str]| folder.run(&[&["diff", "http-sys.etl", "iisnode.etl"], options].concat());
    let rows =
        |options: &[&str]| run(&[options, &["--format", "csv", "--most", "100000"]].concat()).out.lines().count();
    // A line for the header in both forms.
    for choice in [&["--sort", "change", "--first", "50"][..], &["--where", "table == events"], &["--last", "30"]] {
        let text = run(choice);
        assert_eq!(text.out.lines().count(), rows(choice), "{choice:?}");
        assert!(text.out.lines().count() > 21 && !text.err.contains("more changes"), "{choice:?}: {}", text.err);
    }
    let most = run(&["--where", "change < 0 and table == events", "--most", "2"]);
    assert_eq!(most.out.lines().count(), 3, "conditions are checked before changes count: {}", most.out);
    assert!(most.err.contains("more changes of events"), "{}", most.err);
}

#[test]
fn tables_that_are_not_compared_are_named() {
    let folder = Folder::with(&FILES);
    let run = |options: &[&str]| folder.run(&[&["diff", FILES[0], FILES[1]], options].concat());
    let note = "note: not compared: the first trace does not have the events for ";
    assert!(run(&[]).err.lines().any(|line| line.starts_with(note) && line.ends_with(", functions")));
    let some = run(&["--only", "events,cpu,functions,gc"]);
    assert_eq!(some.code, 0);
    assert!(some.err.contains(&format!("{note}cpu, functions\n")), "{}", some.err);
    assert!(some.err.contains("note: not compared: neither trace has the events for gc\n"), "{}", some.err);
    let none = run(&["--only", "cpu,gc"]);
    let why = "error: nothing to compare: the first trace does not have the events for cpu; neither trace has the events for gc";
    assert_eq!((none.code, none.err.lines().next()), (2, Some(why)));
    let filtered = run(&["--only", "processes,events", "--provider", "*"]);
    assert!(filtered.err.contains("not compared: filters do not choose the rows of processes\n"), "{}", filtered.err);
}

#[test]
fn counted_things_change_by_integers() {
    let run = Folder::with(&FILES).run(&["diff", FILES[0], FILES[1], "--only", "events", "--format", "json"]);
    let rows = run.out.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let counts: Vec<_> = rows.filter(|row| row["column"] == "events").map(|row| row["change"].clone()).collect();
    assert!(!counts.is_empty() && counts.iter().all(serde_json::Value::is_i64), "{counts:?}");
}

#[test]
fn changes_that_are_left_out_are_changes() {
    let folder = Folder::with(&["http-sys.etl", "iisnode.etl"]);
    let run = |options: &[&str]| folder.run(&[&["diff", "http-sys.etl", "iisnode.etl"], options].concat());
    let none = run(&["--most", "0"]);
    assert!(none.code == 0 && none.err.contains("more changes") && !none.err.contains("no change"), "{}", none.err);
    for percent in ["nan", "inf", "-1"] {
        assert_eq!(run(&[&format!("--min-percent={percent}")]).code, 2, "{percent}");
    }
    let twice = folder.run(&["diff", "-", "-"]);
    assert!(twice.code == 2 && twice.err.contains("can be read once"), "{}", twice.err);
}
