//! Every format of `dump` over all fixtures and all traces of the corpus: whole, well-formed, the same for any number of
//! threads.
//!
//! The corpus lies in `ETWKIT_SHARED`, or in `shared` beside the repository.

#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

mod classic;
#[path = "../common/formats.rs"]
mod formats;
mod grammar;
mod looks;
mod mof_names;
mod numbers;
mod surrogates;
mod user_data;
mod values;

use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

fn etwkit(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_etwkit")).current_dir(folder).args(arguments).output().unwrap()
}

fn count_lines(bytes: &[u8]) -> usize {
    String::from_utf8_lossy(bytes).lines().count()
}

/// A folder with all fixtures that are traces, and their names.
fn fixtures() -> (TempDir, Vec<&'static str>) {
    let folder = tempfile::tempdir().unwrap();
    let mut names = Vec::new();
    for fixture in etwkit_synth::fixtures().into_iter().filter(|fixture| fixture.expected.is_trace()) {
        std::fs::write(folder.path().join(fixture.name), &fixture.bytes).unwrap();
        names.push(fixture.name);
    }
    (folder, names)
}

/// File and number of events of each real trace.
fn truth(corpus: &Path) -> Vec<(String, u64)> {
    let text = std::fs::read_to_string(corpus.join("truth.jsonl")).unwrap();
    let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    rows.map(|row| (row["file"].as_str().unwrap().to_owned(), row["events"].as_u64().unwrap())).collect()
}

/// Checks the XML of a trace while it is made; returns its number of events.
fn check_xml(folder: &Path, file: &str) -> u64 {
    let mut child = Command::new(env!("CARGO_BIN_EXE_etwkit"))
        .current_dir(folder)
        .args(["dump", "-q", "--format", "xml", file])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let events = grammar::check(BufReader::new(child.stdout.take().unwrap()), file);
    let code = child.wait().unwrap().code();
    assert_eq!(code, Some(i32::from(file.starts_with("damaged-"))), "{file}");
    events
}

#[test]
fn xml_of_every_fixture_follows_the_grammar() {
    let (folder, names) = fixtures();
    for name in names {
        let lines = etwkit(folder.path(), &["dump", "-q", name]).stdout;
        let records = count_lines(&lines) as u64;
        assert_eq!(check_xml(folder.path(), name), records, "{name}");
    }
}

#[test]
fn xml_of_every_real_trace_follows_the_grammar() {
    let Some(corpus) = etwkit_corpus::folder() else { return };
    let mut all = 0;
    for (file, events) in truth(&corpus) {
        assert_eq!(check_xml(&corpus, &file), events, "{file}");
        all += events;
    }
    let _ = writeln!(std::io::stderr(), "{all} events follow the grammar");
}

#[test]
fn every_format_is_the_same_for_any_number_of_threads() {
    let (folder, names) = fixtures();
    let mut inputs: Vec<(PathBuf, String)> = names.iter().map(|name| (folder.path().into(), (*name).into())).collect();
    if let Some(corpus) = etwkit_corpus::folder() {
        inputs.extend(truth(&corpus).into_iter().map(|(file, _)| (corpus.clone(), file)));
    }
    let formats = formats::formats();
    for (folder, file) in &inputs {
        let large = folder.join(file).metadata().unwrap().len() > 3 << 20;
        // Of large traces two formats are enough; `truth.rs` compares JSON lines.
        for format in formats.iter().filter(|format| !large || ["xml", "csv"].contains(&format.as_str())) {
            let run = |threads| etwkit(folder, &["dump", "-q", "--format", format, "--threads", threads, file]);
            let (one, two) = (run("1"), run("2"));
            assert_eq!(one.status.code(), Some(i32::from(file.starts_with("damaged-"))), "{file} {format}");
            assert!(one.stderr.is_empty(), "{file} {format}: {}", String::from_utf8_lossy(&one.stderr));
            assert_eq!(one.status.code(), two.status.code(), "{file} {format}");
            assert!(one.stdout == two.stdout, "{file} {format} differs");
        }
    }
}

#[test]
fn lines_and_rows_are_one_an_event() {
    let (folder, names) = fixtures();
    for name in names {
        let run = |format: &str| etwkit(folder.path(), &["dump", "-q", "--format", format, name]).stdout;
        let events = count_lines(&run("jsonl"));
        assert_eq!(count_lines(&run("text")), events + 1, "{name}");
        assert_eq!(count_lines(&run("tracerpt-csv")), events + 1, "{name}");
        for format in ["csv", "twapi"] {
            let table = run(format);
            let mut reader = csv::Reader::from_reader(&table[..]);
            let columns = reader.headers().unwrap().len();
            assert!(reader.records().all(|row| row.unwrap().len() == columns));
            assert_eq!(csv::Reader::from_reader(&table[..]).records().count(), events, "{name} {format}");
        }
    }
}

#[test]
fn a_table_for_each_type_holds_every_event_once() {
    let (folder, names) = fixtures();
    for name in names {
        let tables = |threads: &str| {
            let target = folder.path().join(format!("tables-{name}-{threads}"));
            let output = format!("{}/", target.display());
            let arguments = ["dump", "-q", "--format", "csv", "--threads", threads, "-o", &output, name];
            assert!(etwkit(folder.path(), &arguments).status.code().unwrap() < 2, "{name}");
            let mut files: Vec<(String, Vec<u8>)> = std::fs::read_dir(&target)
                .unwrap()
                .map(|entry| entry.unwrap().path())
                .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(path).unwrap()))
                .collect();
            files.sort();
            files
        };
        let one = tables("1");
        assert!(one == tables("2"), "{name}");
        let rows: usize = one.iter().map(|(_, file)| csv::Reader::from_reader(&file[..]).records().count()).sum();
        let lines = etwkit(folder.path(), &["dump", "-q", name]).stdout;
        assert_eq!(rows, count_lines(&lines), "{name}");
    }
}

#[test]
fn more_tables_than_open_files_lose_nothing() {
    let Some(corpus) = etwkit_corpus::folder() else { return };
    let folder = tempfile::tempdir().unwrap();
    let output = format!("{}/", folder.path().join("tables").display());
    let file = "perfview/net.4.5.2.x64.etl";
    let run = etwkit(&corpus, &["dump", "-q", "--format", "csv", "-o", &output, file]);
    assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stderr));
    let files: Vec<_> = std::fs::read_dir(&output).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(files.len() > 64, "{} files", files.len());
    let rows = |path: &PathBuf| csv::Reader::from_path(path).unwrap().records().map(Result::unwrap).count() as u64;
    let all: u64 = files.iter().map(rows).sum();
    assert_eq!(Some(all), truth(&corpus).into_iter().find(|(name, _)| name == file).map(|(_, events)| events));
}
