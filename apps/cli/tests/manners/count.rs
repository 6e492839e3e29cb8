//! `etwkit count`.

use serde_json::Value;

use super::Folder;

fn rows(folder: &Folder, arguments: &[&str]) -> Vec<Value> {
    let out = folder.output(&[&["count", "--format", "jsonl"], arguments].concat());
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn events(rows: &[Value]) -> u64 {
    rows.iter().map(|row| row["events"].as_u64().unwrap()).sum()
}

#[test]
fn tables_look_like_this() {
    let folder = Folder::with(&["hello.etl", "tracelogging-structs.etl"]);
    let table = folder.output(&["count", "hello.etl"]);
    insta::assert_snapshot!("count_hello", table);
    let keys = "header.provider,event,pid,Item,level";
    insta::assert_snapshot!("count_csv", folder.output(&["count", "hello.etl", "--group-by", keys, "--format", "csv"]));
    insta::assert_snapshot!(
        "count_jsonl",
        folder.output(&["count", "hello.etl", "--group-by", keys, "--format", "jsonl"])
    );
    let top = folder.output(&["count", "hello.etl", "--top", "2", "--group-by", "event,tid"]);
    insta::assert_snapshot!("count_top", top);
}

/// A condition on a key is about the events that are counted, not about the rows of the table.
#[test]
fn conditions_on_keys_choose_events() {
    let folder = Folder::with(&["hello.etl"]);
    let count = |arguments: &[&str]| folder.output(&[&["count", "-q", "hello.etl"], arguments].concat());
    let one = count(&["-w", "pid == 3400", "-g", "pid,event", "--top", "1"]);
    assert_eq!(
        one,
        "events  percent  pid      event\n     2     50.0  3400     CoffeeOrder/Start\n     2     50.0  (other)\n"
    );
    let levels = count(&["-w", "level >= verbose and events > 1", "-g", "level"]);
    assert_eq!(levels, "events  percent  level\n     4    100.0  5\n");
}

/// The counts are those of the lines that `dump` writes.
#[test]
fn counts_are_those_of_the_events() {
    let folder = Folder::with(&["hello.etl", "many-processors.etl", "kernel-stacks.etl"]);
    for name in ["hello.etl", "many-processors.etl", "kernel-stacks.etl"] {
        let dump = folder.output(&["dump", "-q", name]);
        let lines: Vec<Value> = dump.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        for key in ["provider", "process", "pid", "cpu", "tid"] {
            let rows = rows(&folder, &["-q", name, "--group-by", &format!("header.{key}")]);
            assert_eq!(events(&rows), lines.len() as u64, "{name} {key}");
            for row in &rows {
                let value = row["keys"][format!("header.{key}")].as_str();
                let text = |line: &Value| match &line[key] {
                    Value::Null if key == "provider" => line["provider_guid"].as_str().map(str::to_owned),
                    Value::Null => None,
                    Value::String(text) => Some(text.clone()),
                    other => Some(other.to_string()),
                };
                let same = lines.iter().filter(|line| text(line).as_deref() == value).count();
                assert_eq!(row["events"], same, "{name} {key} {value:?}");
            }
        }
    }
}

#[test]
fn the_order_is_by_count_and_then_by_key() {
    let folder = Folder::with(&["many-processors.etl"]);
    let rows = rows(&folder, &["-q", "many-processors.etl", "--group-by", "cpu"]);
    let key = |row: &Value| {
        let cpu: u64 = row["keys"]["cpu"].as_str().unwrap().parse().unwrap();
        (std::cmp::Reverse(row["events"].as_u64().unwrap()), cpu)
    };
    assert!(rows.len() == 7 && rows.is_sorted_by_key(key), "{rows:?}");
}

#[test]
fn filters_and_threads_and_several_files() {
    let folder = Folder::with(&["hello.etl", "many-processors.etl"]);
    assert_eq!(events(&rows(&folder, &["hello.etl", "--where", "provider ~ 'synth.cafe'"])), 4);
    assert_eq!(events(&rows(&folder, &["hello.etl", "--provider", "synth.*", "--level", "info"])), 4);
    assert_eq!(events(&rows(&folder, &["hello.etl", "--since", "+10ms"])), 8);
    let all = ["-q", "hello.etl", "many-processors.etl", "--group-by", "event,cpu,pid"];
    let one = folder.output(&[&["count", "--threads", "1"], &all[..]].concat());
    for threads in ["2", "7"] {
        assert_eq!(folder.output(&[&["count", "--threads", threads], &all[..]].concat()), one);
    }
}

#[test]
fn values_that_are_not_there_and_values_that_are_empty() {
    let folder = Folder::with(&["hello.etl"]);
    let text = folder.output(&["count", "-q", "hello.etl", "--group-by", "NoSuchField"]);
    assert_eq!(text, "events  percent  NoSuchField\n    11    100.0  -\n");
    assert_eq!(
        folder.output(&["count", "-q", "hello.etl", "--group-by", "Nothing", "--format", "csv"]),
        "events,Nothing\n11,\n"
    );
    let rows = rows(&folder, &["-q", "hello.etl", "--group-by", "Nothing"]);
    assert_eq!(rows, [serde_json::json!({"events": 11, "keys": {}})]);
}

#[test]
fn dump_counts_as_count_does() {
    let folder = Folder::with(&["hello.etl", "many-processors.etl"]);
    for options in [
        &["--group-by", "provider,event", "hello.etl"][..],
        &["--group-by", "cpu,pid", "hello.etl", "many-processors.etl", "--format", "csv"],
        &["--group-by", "Item", "--provider", "synth.*", "hello.etl", "--format", "jsonl"],
    ] {
        let dump = folder.output(&[&["dump", "-q"], options].concat());
        assert_eq!(dump, folder.output(&[&["count", "-q"], options].concat()), "{options:?}");
        let file = folder.path().join("counts");
        assert_eq!(folder.output(&[&["dump", "-q", "-o", "counts"], options].concat()), "");
        assert_eq!(std::fs::read_to_string(file).unwrap(), dump);
    }
    assert_eq!(folder.output(&["dump", "hello.etl", "--count"]), "11\n");
    assert_eq!(folder.output(&["dump", "hello.etl", "--count", "--where", "level <= info", "--first", "3"]), "3\n");
    assert_eq!(folder.output(&["dump", "hello.etl", "--count", "--format", "csv"]), "events\n11\n");
    assert_eq!(folder.output(&["dump", "hello.etl", "--count", "--format", "jsonl"]), "{\"events\":11,\"keys\":{}}\n");
    assert_eq!(folder.output(&["dump", "-q", "hello.etl", "--count", "--id", "999"]), "0\n");
}

#[test]
fn events_tell_their_process() {
    let folder = Folder::with(&["kernel-stacks.etl"]);
    let counts = folder.output(&["count", "-q", "kernel-stacks.etl", "--group-by", "process", "--format", "csv"]);
    assert_eq!(counts, "events,process\n8,app.exe\n7,\n");
    let is_app = ["--where", "process == 'APP.EXE'", "--event", "Process/*"];
    let lines =
        folder.output(&[&["dump", "-q", "kernel-stacks.etl", "--fields", "process,pid,event"], &is_app[..]].concat());
    assert_eq!(lines.lines().next(), Some(r#"{"process":"app.exe","pid":5200,"event":"Process/DCStart"}"#));
    assert_eq!(lines.lines().count(), 2);
    let all = folder.output(&["dump", "-q", "kernel-stacks.etl"]);
    assert_eq!(all.matches(r#""process":"app.exe""#).count(), 8);
}

#[test]
fn times_as_keys_are_in_the_zone_that_is_wanted() {
    let folder = Folder::with(&["hello.etl"]);
    let first = |options: &[&str]| {
        let csv =
            folder.output(&[&["count", "hello.etl", "-g", "time", "-f", "csv", "--sort", "time"], options].concat());
        csv.lines().nth(1).unwrap().split_once(',').unwrap().1.to_owned()
    };
    let dumped = |options: &[&str]| {
        let csv =
            folder.output(&[&["dump", "hello.etl", "-f", "csv", "--fields", "time", "-n", "1"], options].concat());
        csv.lines().nth(1).unwrap().to_owned()
    };
    for options in [&[][..], &["--relative"], &["--time-zone", "+02:00"]] {
        assert_eq!(first(options), dumped(options), "{options:?}");
    }
}

#[test]
fn keys_called_as_what_is_counted_are_refused() {
    let run = Folder::with(&["hello.etl"]).run(&["count", "hello.etl", "-g", "provider,events"]);
    assert!(run.code == 2 && run.err.contains("`events` is a column of the counts themselves"), "{}", run.err);
}
