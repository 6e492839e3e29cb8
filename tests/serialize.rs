//! `Serialize` for events: what `serde_json` writes of an event is its JSON line.
#![allow(clippy::unwrap_used, reason = "a test")]

use std::path::Path;

use etwkit::output::{JsonFormat, LineFormat};
use etwkit::{Parsers, Trace};

/// Events of a trace that are compared, from its start.
const MOST: u64 = 20_000;

/// A line as `serde_json` writes what the line states: it has shorter escapes for two control characters and none for a
/// third, and writes small numbers without an exponent.
fn respelled(line: &str) -> String {
    let plain = line.replace("\\u0008", "\\b").replace("\\u000c", "\\f").replace("\\u007f", "\u{7f}");
    let value: serde_json::Value = serde_json::from_str(&plain).unwrap();
    value.to_string()
}

/// Compares every event; returns how many there were, and how many lines were the same to the byte.
fn compare(path: &Path, parsers: Parsers) -> (u64, u64) {
    let trace = Trace::open(path, parsers).unwrap();
    let format = JsonFormat::default();
    let mut state = format.state(&trace);
    let (mut events, mut count, mut same) = (trace.events(), 0, 0);
    while let Some(event) = events.next().unwrap().filter(|_| count < MOST) {
        let mut line = Vec::new();
        format.event(&mut state, &event, &mut line).unwrap();
        let line = String::from_utf8(line).unwrap();
        let written = serde_json::to_string(&event).unwrap();
        if written == line.trim_end() {
            same += 1;
        } else {
            assert_eq!(written, respelled(&line), "{}", path.display());
        }
        if count % 16 == 0 {
            assert_eq!(serde_json::to_string(&event.to_owned()).unwrap(), written);
        }
        count += 1;
    }
    (count, same)
}

#[test]
fn events_of_all_fixtures_serialise_to_their_json_lines() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let (mut events, mut same) = (0, 0);
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if name.starts_with("x-") || path.extension().is_none_or(|extension| extension != "etl") {
            continue;
        }
        for parsers in [etwkit_parsers::standard(), Parsers::none()] {
            let found = compare(&path, parsers);
            (events, same) = (events + found.0, same + found.1);
        }
    }
    assert!(events > 1000, "{events}");
    assert!(same * 100 > events * 95, "{same} of {events}");
}

#[test]
fn events_of_real_traces_serialise_to_their_json_lines() {
    for (_, path) in etwkit_corpus::traces() {
        compare(&path, etwkit_parsers::standard());
    }
}
