//! `export`: Parquet files that another reader reads.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Row;

use crate::common::Folder;

fn open(path: &Path) -> SerializedFileReader<File> {
    SerializedFileReader::new(File::open(path).unwrap()).unwrap()
}

fn rows(path: &Path) -> Vec<Row> {
    open(path).get_row_iter(None).unwrap().map(Result::unwrap).collect()
}

fn columns(path: &Path) -> Vec<String> {
    let reader = open(path);
    reader.metadata().file_metadata().schema().get_fields().iter().map(|field| field.name().to_owned()).collect()
}

fn metadata(path: &Path) -> BTreeMap<String, Option<String>> {
    let reader = open(path);
    let pairs = reader.metadata().file_metadata().key_value_metadata().unwrap().iter();
    pairs.map(|pair| (pair.key.clone(), pair.value.clone())).collect()
}

/// The files below a folder, by their paths in it.
fn files(folder: &Path) -> BTreeMap<String, PathBuf> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for path in std::fs::read_dir(next).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(path.strip_prefix(folder).unwrap().display().to_string(), path);
            }
        }
    }
    found
}

#[test]
fn a_file_has_all_events_and_says_what_the_trace_is() {
    let folder = Folder::with(&["hello.etl"]);
    let run = folder.run(&["export", "hello.etl", "-o", "all.parquet"]);
    assert_eq!((run.code, run.out.as_str()), (0, ""), "{}", run.err);
    let path = folder.path().join("all.parquet");
    assert_eq!(rows(&path).len(), folder.events(&["hello.etl"]));
    let metadata = metadata(&path);
    assert_eq!(metadata["etwkit.session"].as_deref(), Some("HelloSession"));
    assert_eq!(metadata["etwkit.events_lost"].as_deref(), Some("0"));
}

#[test]
fn columns_and_filters_choose() {
    let folder = Folder::with(&["hello.etl"]);
    let arguments =
        ["export", "hello.etl", "-o", "part.parquet", "--columns", "event,time", "--event", "CoffeeOrder/*"];
    assert_eq!(folder.run(&arguments).code, 0);
    let path = folder.path().join("part.parquet");
    assert_eq!(columns(&path), ["event", "time"]);
    assert_eq!(rows(&path).len(), folder.events(&["hello.etl", "--event", "CoffeeOrder/*"]));
    let run = folder.run(&["export", "hello.etl", "-o", "part.parquet", "--columns", "colour"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("there is no column colour") && run.err.contains("provider_guid"), "{}", run.err);
    // What was there stays.
    assert_eq!(columns(&path), ["event", "time"]);
    let run = folder.run(&["export", "hello.etl", "-o", "hello.etl"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("would overwrite an input"), "{}", run.err);
}

#[test]
fn the_file_can_go_to_stdout() {
    use std::process::Stdio;
    let folder = Folder::with(&["hello.etl"]);
    let child = folder.command(&["export", "hello.etl", "-o", "-"]).stdout(Stdio::piped()).spawn().unwrap();
    let bytes = child.wait_with_output().unwrap().stdout;
    let path = folder.path().join("piped.parquet");
    std::fs::write(&path, bytes).unwrap();
    assert_eq!(rows(&path).len(), folder.events(&["hello.etl"]));
}

#[test]
fn each_event_has_a_table_of_its_fields() {
    let folder = Folder::with(&["hello.etl"]);
    let run = folder.run(&["export", "hello.etl", "-o", "tables", "--by-event"]);
    assert_eq!((run.code, run.out.as_str()), (0, ""), "{}", run.err);
    let files = files(&folder.path().join("tables"));
    assert!(run.err.contains(&format!("{} files written", files.len())), "{}", run.err);
    assert_eq!(files.values().map(|path| rows(path).len()).sum::<usize>(), folder.events(&["hello.etl"]));
    let orders = &files["provider=Synth.Cafe/event=CoffeeOrder%2FStart/events.parquet"];
    assert_eq!(columns(orders).split_off(23), ["OrderId", "Item", "Status"]);
    let order = rows(orders).remove(0).to_string();
    assert!(order.contains("Drink"), "{order}");
}

#[test]
fn destinations_that_mix_or_lose_something_are_refused() {
    let folder = Folder::with(&["hello.etl"]);
    let export = |output: &str| folder.run(&["export", "hello.etl", "--by-event", "-o", output]);
    assert_eq!(export("tables").code, 0);
    for (output, complaint) in [
        ("tables", "the folder has tables of another export"),
        ("hello.etl", "this is a file"),
        ("-", "--by-event writes files"),
    ] {
        let run = export(output);
        assert_eq!(run.code, 2, "{output}");
        assert!(run.err.contains(complaint), "{output}: {}", run.err);
    }
    let run = folder.run(&["export", "hello.etl", "-o", "twice.parquet", "--columns", "time, TIME"]);
    assert!(run.code == 2 && run.err.contains("the column time is named twice"), "{}", run.err);
}

#[test]
fn what_cannot_be_decoded_is_there() {
    let folder = Folder::with(&["append-sessions.etl"]);
    let run = folder.run(&["export", "append-sessions.etl", "-o", "all.parquet", "--columns", "extra,fields"]);
    assert!(run.err.contains("without a schema: the payload is in the column `extra`"), "{}", run.err);
    let rows = rows(&folder.path().join("all.parquet"));
    assert!(
        rows.iter().any(|row| row.to_string().contains("fields: null") && !row.to_string().contains("extra: null"))
    );
}

#[test]
fn what_does_not_fit_is_said_whatever_the_columns_are() {
    let folder = Folder::with(&["values.etl", "packets-ndis.etl"]);
    let run = |options: &[&str]| folder.run(&[&["export", "values.etl", "-o", "v.parquet"], options].concat());
    for columns in ["time,pid,event", "fields", "problem"] {
        let failed = run(&["--columns", columns, "--fail-on", "undecoded"]);
        assert_eq!(failed.code, 1, "{columns}: {}", failed.err);
        assert!(failed.err.contains("with a field that does not fit the schema"), "{columns}: {}", failed.err);
        assert!(!failed.err.contains("`extra`"), "{columns}: {}", failed.err);
    }
    // Without a reason to look, nothing is said.
    assert_eq!(run(&["--columns", "time"]).code, 0);
    let whole = folder.run(&["export", "packets-ndis.etl", "-o", "p.parquet"]);
    assert_eq!(whole.code, 0);
    assert!(whole.err.contains("2 of") && whole.err.contains("in the column `extra`"), "{}", whole.err);
    // Some events are looked at for the process that they are about, and their number would not be that of all.
    let brief = folder.run(&["export", "packets-ndis.etl", "-o", "p.parquet", "--columns", "time,pid,event"]);
    assert!(brief.code == 0 && !brief.err.contains("does not fit"), "{}", brief.err);
}

#[test]
fn events_without_a_table_of_their_own_are_a_table_as_the_others() {
    use etwkit_synth::{Buffer, Guid, LogfileHeader, ModernEvent, TraceBuilder};
    let (named, more) = (u16::try_from(etwkit_columns::MOST_TABLES).unwrap(), 3);
    let header = LogfileHeader::default();
    let provider = Guid::new(0x2d1c_7a40_5f1e_4b7a_9a3b_0c5d_6e7f_8091);
    let event = |id: u16| ModernEvent::new(provider).id(id).at(header.t0 + 1000 + i64::from(id)).by(400, 404);
    let ids: Vec<u16> = (1..=named + more).collect();
    let buffers = ids.chunks(30).map(|ids| Buffer::on(0).events(ids.iter().map(|id| event(*id)).collect::<Vec<_>>()));
    let trace = TraceBuilder::new(header.clone()).buffers(buffers.collect::<Vec<_>>()).build();
    let folder = Folder::with(&[]);
    folder.write("many.etl", &trace.bytes);
    let run = folder.run(&["export", "many.etl", "-o", "tables", "--by-event"]);
    assert!(run.code < 2, "{}", run.err);
    let files = files(&folder.path().join("tables"));
    // Readers of such a folder refuse one in which a file is not as deep as the others, or has a column of a folder's name.
    let is_in_place = |path: &String| {
        let parts: Vec<&str> = path.split('/').collect();
        matches!(parts.as_slice(), [provider, event, file]
            if provider.starts_with("provider=") && event.starts_with("event=") && file.ends_with(".parquet"))
    };
    assert!(files.keys().all(is_in_place), "{:?}", files.keys().find(|path| !is_in_place(path)));
    assert!(
        files.values().all(|path| !columns(path).iter().any(|name| ["provider", "event"].contains(&name.as_str())))
    );
    let others = &files["provider=_other/event=_other/events.parquet"];
    let names: Vec<String> = rows(others).iter().map(|row| row_text(row, "event_name")).collect();
    assert!(names.len() >= usize::from(more) && names.iter().all(|name| !name.is_empty()), "{names:?}");
    assert_eq!(files.values().map(|path| rows(path).len()).sum::<usize>(), folder.events(&["many.etl"]));
}

#[cfg(unix)]
#[test]
fn more_tables_than_may_be_open_are_written() {
    use etwkit_synth::{Buffer, Guid, LogfileHeader, ModernEvent, TraceBuilder};
    let header = LogfileHeader::default();
    let provider = Guid::new(0x2d1c_7a40_5f1e_4b7a_9a3b_0c5d_6e7f_8091);
    let event = |id: u16| ModernEvent::new(provider).id(id).at(header.t0 + 1000 + i64::from(id)).by(400, 404);
    let buffers = (0..20).map(|n| Buffer::on(0).events((10 * n..10 * n + 10).map(event).collect::<Vec<_>>()));
    let folder = Folder::with(&[]);
    folder.write("many.etl", &TraceBuilder::new(header.clone()).buffers(buffers.collect::<Vec<_>>()).build().bytes);
    let mut shell = std::process::Command::new("sh");
    let line = format!("ulimit -n 100; exec {} export many.etl -o tables --by-event", env!("CARGO_BIN_EXE_etwkit"));
    let done = shell.current_dir(folder.path()).args(["-c", &line]).output().unwrap();
    assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
    let files = files(&folder.path().join("tables"));
    assert!(files.len() > 200);
    assert_eq!(files.values().map(|path| rows(path).len()).sum::<usize>(), folder.events(&["many.etl"]));
}

#[test]
fn the_metadata_state_the_end_of_what_was_not_stopped_and_the_files_of_problems() {
    let names = ["unfinalised.etl", "damaged-zero-page.etl", "damaged-event-size.etl"];
    let folder = Folder::with(&names);
    let metadata = |files: &[&str], output: &str| {
        let run = folder.run(&[&["export", "-o", output], files].concat());
        assert!(run.code < 2, "{}", run.err);
        metadata(&folder.path().join(output))
    };
    let one = metadata(&names[..1], "one.parquet");
    assert_eq!(one["etwkit.end"].as_deref(), Some("2026-01-02T03:04:05.0180000Z"));
    let several = metadata(&names[1..], "several.parquet");
    let problems: Vec<serde_json::Value> =
        serde_json::from_str(several["etwkit.problems"].as_deref().unwrap()).unwrap();
    let files: Vec<&str> = problems.iter().map(|problem| problem["file"].as_str().unwrap()).collect();
    assert!(names[1..].iter().all(|name| files.contains(name)), "{files:?}");
}

/// The text of a column in a row.
fn row_text(row: &Row, column: &str) -> String {
    let found = row.get_column_iter().find(|(name, _)| *name == column);
    found.map(|(_, value)| value.to_string()).unwrap()
}

#[test]
fn a_column_without_a_name_is_refused() {
    let folder = Folder::with(&["hello.etl"]);
    for columns in ["", ",", "time,,pid", "time, ,pid", "time,"] {
        let run = folder.run(&["export", "hello.etl", "-o", "out.parquet", "--columns", columns]);
        assert!(
            run.code == 2 && run.err.contains("--columns: a name is empty"),
            "{columns:?}: {} {}",
            run.code,
            run.err
        );
        assert!(!folder.path().join("out.parquet").exists(), "{columns:?}");
    }
    let run = folder.run(&["export", "hello.etl", "-o", "out.parquet", "--columns", "time, pid"]);
    assert_eq!((run.code, columns(&folder.path().join("out.parquet"))), (0, vec!["time".to_owned(), "pid".to_owned()]));
}
