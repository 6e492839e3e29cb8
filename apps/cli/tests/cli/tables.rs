//! Tables of all commands as files of typed columns.

use std::collections::BTreeMap;
use std::fs::File;

use parquet::basic::{LogicalType, Type as Physical};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Row;
use serde_json::Value;

use crate::common::Folder;

fn open(folder: &Folder, name: &str) -> SerializedFileReader<File> {
    SerializedFileReader::new(File::open(folder.path().join(name)).unwrap()).unwrap()
}

fn rows(folder: &Folder, name: &str) -> Vec<Row> {
    open(folder, name).get_row_iter(None).unwrap().map(Result::unwrap).collect()
}

/// The physical types of columns, and whether they have logical ones.
fn types(folder: &Folder, name: &str) -> BTreeMap<String, (Physical, Option<LogicalType>)> {
    let reader = open(folder, name);
    let fields = reader.metadata().file_metadata().schema().get_fields().iter();
    fields
        .map(|field| {
            (field.name().to_owned(), (field.get_physical_type(), field.get_basic_info().logical_type_ref().cloned()))
        })
        .collect()
}

fn json_lines(out: &str) -> Vec<Value> {
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_table_is_a_file_with_as_many_rows() {
    let folder = Folder::with(&["hello.etl", "http-sys.etl", "kernel-stacks.etl", "scheduling.etl"]);
    for (number, command) in [
        &["count", "hello.etl"][..],
        &["count", "hello.etl", "--by-time", "1s", "--group-by", "level"],
        &["analyze", "hello.etl"],
        &["analyze", "processes", "scheduling.etl"],
        &["analyze", "cpu", "scheduling.etl"],
        &["requests", "http-sys.etl"],
        &["table", "http-sys.etl"],
        &["profile", "kernel-stacks.etl", "--by", "event"],
        &["spans", "scheduling.etl", "--list"],
        &["symbols", "kernel-stacks.etl"],
        &["diff", "hello.etl", "http-sys.etl", "--most", "1000000"],
    ]
    .into_iter()
    .enumerate()
    {
        let json = folder.run(&[command, &["--format", "jsonl"]].concat());
        assert_ne!(json.code, 2, "{command:?}: {}", json.err);
        for end in ["parquet", "arrow"] {
            let name = format!("{number}.{end}");
            let run = folder.run(&[command, &["-o", &name]].concat());
            assert_eq!((run.code, run.out.as_str()), (json.code, ""), "{command:?}: {}", run.err);
        }
        let (lines, rows) = (json_lines(&json.out), rows(&folder, &format!("{number}.parquet")));
        assert!(!lines.is_empty(), "{command:?}");
        assert_eq!(rows.len(), lines.len(), "{command:?}");
        assert!(std::fs::read(folder.path().join(format!("{number}.arrow"))).unwrap().starts_with(b"ARROW1"));
        // What JSON has under a name, the column has.
        for (row, line) in rows.iter().zip(&lines) {
            let cells: BTreeMap<&String, String> =
                row.get_column_iter().map(|(name, cell)| (name, cell.to_string())).collect();
            for (name, value) in line.as_object().unwrap() {
                let Some(cell) = cells.get(name) else {
                    assert!(value.is_object(), "{command:?}: no column {name}");
                    continue;
                };
                match value {
                    Value::Number(number) => {
                        // A column with texts beside numbers is one of text.
                        let own = cell.trim_matches('"').parse::<f64>().unwrap();
                        let other = number.as_f64().unwrap();
                        assert!((own - other).abs() <= other.abs() * 1e-12, "{command:?}: {name}: {cell} and {value}");
                    }
                    Value::Bool(is) => assert_eq!(*cell, is.to_string(), "{command:?}: {name}"),
                    _ => assert_ne!(cell, "null", "{command:?}: {name}"),
                }
            }
        }
    }
}

#[test]
fn numbers_stay_numbers_and_times_times() {
    let folder = Folder::with(&["hello.etl", "scheduling.etl"]);
    let run = folder.run(&["count", "hello.etl", "--group-by", "pid,event", "--top", "2", "-o", "counts.parquet"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let counts = types(&folder, "counts.parquet");
    assert_eq!(counts["events"].0, Physical::INT64);
    assert_eq!(counts["pid"].0, Physical::INT64);
    assert_eq!(counts["event"], (Physical::BYTE_ARRAY, Some(LogicalType::String)));
    // The sum of what --top leaves out is marked, as in JSON.
    assert_eq!(counts["other"].0, Physical::BOOLEAN);
    assert_eq!(folder.run(&["analyze", "processes", "scheduling.etl", "-o", "processes.parquet"]).code, 0);
    let processes = types(&folder, "processes.parquet");
    let time = |name: &str| matches!(processes[name].1, Some(LogicalType::Timestamp { .. }));
    assert!(processes.keys().any(|name| time(name)), "{processes:?}");
    assert!(processes.keys().any(|name| name.ends_with("_100ns")), "{processes:?}");
}

#[test]
fn a_named_format_wins_and_one_number_is_a_table() {
    let folder = Folder::with(&["hello.etl"]);
    assert_eq!(folder.run(&["count", "hello.etl", "--format", "csv", "-o", "counts.parquet"]).code, 0);
    assert!(std::fs::read_to_string(folder.path().join("counts.parquet")).unwrap().starts_with("events,provider"));
    assert_eq!(folder.run(&["count", "hello.etl", "-o", "COUNTS.PARQUET"]).code, 0);
    assert!(std::fs::read(folder.path().join("COUNTS.PARQUET")).unwrap().starts_with(b"PAR1"));
    assert_eq!(folder.run(&["dump", "hello.etl", "--count", "-o", "all.parquet"]).code, 0);
    assert!(std::fs::read(folder.path().join("all.parquet")).unwrap().starts_with(b"PAR1"));
}

#[test]
fn the_name_of_the_output_decides_its_form() {
    let folder = Folder::with(&["hello.etl"]);
    let begins = |arguments: &[&str], name: &str, with: &str| {
        let run = folder.run(&[arguments, &["hello.etl", "-o", name]].concat());
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{arguments:?} {name}");
        let text = std::fs::read_to_string(folder.path().join(name)).unwrap();
        assert!(text.starts_with(with), "{arguments:?} {name}: {text}");
    };
    for (name, with) in [("a.csv", "time,"), ("a.XML", "<Events>"), ("a.jsonl", "{"), ("a.json", "{"), ("a.out", "{")] {
        begins(&["dump"], name, with);
    }
    begins(&["dump", "--format", "jsonl"], "b.csv", "{");
    for (name, with) in [("c.csv", "events,"), ("c.ndjson", "{"), ("c.txt", "events  ")] {
        begins(&["count"], name, with);
    }
    begins(&["analyze", "events"], "d.csv", "provider,");
    for (arguments, what) in [
        (["dump", "hello.etl", "-o", "e.parquet"], "dump writes no Parquet files"),
        (["export", "hello.etl", "-o", "e.csv"], "export writes no CSV"),
    ] {
        let run = folder.run(&arguments);
        assert!(run.code == 2 && run.err.contains(what) && run.err.contains("hint: "), "{}", run.err);
    }
}

#[test]
fn events_become_arrow_files_and_folders_of_them() {
    let folder = Folder::with(&["hello.etl"]);
    for arguments in [
        &["-o", "all.arrow"][..],
        &["-o", "all.feather"],
        &["-o", "other.parquet", "--format", "arrow"],
        &["-o", "tables", "--by-event", "--format", "arrow"],
    ] {
        let run = folder.run(&[&["export", "hello.etl"], arguments].concat());
        assert_eq!(run.code, 0, "{arguments:?}: {}", run.err);
    }
    for name in [
        "all.arrow",
        "all.feather",
        "other.parquet",
        "tables/provider=Synth.Cafe/event=CoffeeOrder%2FStart/events.arrow",
    ] {
        let bytes = std::fs::read(folder.path().join(name)).unwrap();
        assert!(bytes.starts_with(b"ARROW1") && bytes.ends_with(b"ARROW1"), "{name}");
    }
    let run = folder.run(&["export", "hello.etl", "-o", "tables", "--by-event"]);
    assert!(run.code == 2 && run.err.contains("tables of another export"), "{}", run.err);
}
