//! `info --json` against the counts of an independent walker, over the corpus of real traces.
//!
//! The corpus lies in `ETWKIT_SHARED`, or in `shared` beside the repository.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// Keys whose values are equal as they are.
const PLAIN: [&str; 13] = [
    "file",
    "bytes",
    "sha256",
    "buffers",
    "compressed_buffers",
    "events",
    "by_header",
    "payload_bytes",
    "raw_time_min",
    "raw_time_max",
    "processors_seen",
    "by_kernel_hook",
    "by_extended_item",
];

#[test]
fn every_count_of_every_real_trace_is_right() {
    let Some(corpus) = etwkit_corpus::folder() else { return };
    let truth = std::fs::read_to_string(corpus.join("truth.jsonl")).unwrap();
    let truth: Vec<Value> = truth.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let files: Vec<&str> = truth.iter().map(|row| row["file"].as_str().unwrap()).collect();
    let output = etwkit(&corpus, &[&["info", "--json", "--sha256"], files.as_slice()].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let found: Vec<Value> =
        String::from_utf8(output.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(found.len(), truth.len());
    let wrong: Vec<String> = truth.iter().zip(&found).flat_map(|(truth, found)| differences(truth, found)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let _ =
        writeln!(std::io::stderr(), "{} files, {} values equal", truth.len(), truth.iter().map(values).sum::<usize>());
}

#[test]
fn what_is_no_trace_fails_with_one_line() {
    let Some(corpus) = etwkit_corpus::folder() else { return };
    for (file, reason) in [("CorruptBlg.blg", "text"), ("EmptyETL.etl", "empty")] {
        for command in ["info", "dump", "buffers"] {
            let output = etwkit(&corpus, &[command, &format!("negative/{file}")]);
            let message = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{command} {file}: {message}");
            assert_eq!(message.lines().count(), 1, "{message}");
            assert!(message.starts_with("error: negative/") && message.contains(reason), "{message}");
            assert!(output.stdout.is_empty());
        }
    }
}

#[test]
fn dumps_are_complete_ordered_and_the_same_for_any_number_of_threads() {
    let Some(corpus) = etwkit_corpus::folder() else { return };
    let truth = std::fs::read_to_string(corpus.join("truth.jsonl")).unwrap();
    for row in truth.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        let file = row["file"].as_str().unwrap();
        let one = etwkit(&corpus, &["dump", file, "--threads", "1"]);
        assert_eq!(one.status.code(), Some(0), "{file}: {}", String::from_utf8_lossy(&one.stderr));
        for threads in ["2", "8"] {
            assert!(etwkit(&corpus, &["dump", file, "--threads", threads]).stdout == one.stdout, "{file} {threads}");
        }
        let text = String::from_utf8(one.stdout).unwrap();
        assert_eq!(text.lines().count() as u64, row["events"].as_u64().unwrap(), "{file}");
        let times: Vec<i64> = text.lines().map(raw_time).collect();
        assert!(times.is_sorted(), "{file}");
    }
}

/// Every value that differs, by its path.
fn differences(truth: &Value, found: &Value) -> Vec<String> {
    let file = truth["file"].as_str().unwrap();
    let differs = |key: &str, truth: &Value, found: &Value| {
        (truth != found).then(|| format!("{file}: {key}: {found} should be {truth}"))
    };
    let plain = PLAIN.iter().filter_map(|key| differs(key, &truth[key], &found[key]));
    let header = truth["header"].as_object().unwrap().iter();
    let header = header.filter_map(|(key, value)| differs(&format!("header.{key}"), value, &found["header"][key]));
    let providers: BTreeMap<&String, &Value> =
        found["by_provider"].as_object().unwrap().iter().map(|(guid, row)| (guid, &row["events"])).collect();
    let expected: BTreeMap<&String, &Value> = truth["by_provider"].as_object().unwrap().iter().collect();
    let providers = (providers != expected).then(|| format!("{file}: by_provider: {providers:?} not {expected:?}"));
    plain.chain(header).chain(providers).collect()
}

/// How many numbers and texts there are to compare.
fn values(value: &Value) -> usize {
    match value {
        Value::Object(members) => members.values().map(values).sum(),
        _ => 1,
    }
}

fn raw_time(line: &str) -> i64 {
    let start = line.find("\"raw_time\":").unwrap() + "\"raw_time\":".len();
    let text = &line[start..];
    let text = text.trim_start_matches('"');
    text[..text.find(|c: char| c != '-' && !c.is_ascii_digit()).unwrap()].parse().unwrap()
}

fn etwkit(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_etwkit")).current_dir(folder).args(arguments).output().unwrap()
}
