//! The same values, opened in Polars (`PyPI`), where it is at hand.

use std::process::Command;

use etwkit_synth::values::{ValueType, value_types};
use serde_json::{Map, Value as Json, json};

use super::common::Folder;
use super::output;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/round_trip/open_in_polars.py");

#[test]
fn polars_opens_it_with_the_right_types() {
    let found = Command::new("python3").args(["-c", "import polars"]).output();
    if !found.is_ok_and(|run| run.status.success()) {
        return etwkit_corpus::skipped("no python3 with polars here");
    }
    let folder = Folder::with(&["values.etl", "hello.etl"]);
    folder.write("written.json", written().to_string().as_bytes());
    let values = ["--provider", "Synth-Values"];
    output(&folder, &[&values[..], &["-o", "values.jsonl"]].concat());
    output(&folder, &[&values[..], &["-o", "flat.jsonl", "--fields", "event,row,value"]].concat());
    output(&folder, &[&values[..], &["-o", "values.csv", "--format", "csv"]].concat());
    output(&folder, &[&values[..], &["-o", "tables/", "--format", "csv"]].concat());
    for file in ["hello.jsonl", "hello.csv"] {
        let format = file.trim_start_matches("hello.");
        assert_eq!(folder.run(&["dump", "hello.etl", "--format", format, "-o", file]).code, 0);
    }
    let run = Command::new("python3").arg(SCRIPT).arg(folder.path()).output().unwrap();
    let (said, wrong) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    eprintln!("{said}");
    assert!(run.status.success() && said.ends_with(", 0 wrong\n"), "{wrong}");
}

/// What the trace was made of.
fn written() -> Json {
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat();
    let values = |kind: &ValueType| -> Vec<Json> {
        let bytes = |value: &etwkit_synth::values::Value| value.wire.as_ref().map(|_| hex(&value.bytes));
        kind.values.iter().map(|value| json!({"bytes": bytes(value), "text": value.text})).collect()
    };
    let kind = |kind: &ValueType| json!({"kind": format!("{:?}", kind.kind), "values": values(kind)});
    Json::Object(value_types().iter().map(|each| (each.event.to_owned(), kind(each))).collect::<Map<_, _>>())
}
