//! Damage, losses, events without a schema, and the exit codes that follow.

use serde_json::Value;

use crate::common::{Folder, fixture};
use crate::first_buffer;

#[test]
fn what_a_lost_header_would_tell_is_not_made_up() {
    let folder = Folder::with(&["hello.etl", "unfinalised.etl"]);
    let lost = |name: &str| {
        let page = folder.run(&["info", name]).out;
        page.lines().find_map(|line| line.trim_start().strip_prefix("Lost ")).unwrap().trim().to_owned()
    };
    // The first buffer is gone.
    let whole = fixture("many-processors.etl");
    folder.write("nohdr.etl", whole.split_at(first_buffer(&whole)).1);
    folder.write("many-processors.etl", &whole);
    assert_eq!(lost("many-processors.etl"), "nothing, as the session reports");
    assert_eq!(lost("unfinalised.etl"), "not known: the session was not stopped, and reports it then");
    assert_eq!(lost("nohdr.etl"), "not known: the session's header, which contains it, cannot be read");
    for command in ["dump", "count", "table", "requests"] {
        for (option, time) in [("--since", "2030-01-01T00:00:00Z"), ("--until", "+1s")] {
            let run = folder.run(&[command, "nohdr.etl", option, time]);
            assert_eq!((run.code, run.out.as_str()), (2, ""), "{command} {option} {time}");
            assert!(run.err.starts_with("error: nohdr.etl: --since, --until and --time need times"), "{}", run.err);
        }
        assert!(!folder.run(&[command, "hello.etl", "--since", "+0s"]).err.contains("need times"));
    }
    assert!(folder.run(&["dump", "nohdr.etl"]).json().len() > 1, "all else is read");
}

#[test]
fn damage_is_no_larger_than_the_file() {
    let folder = Folder::with(&[]);
    let bytes = fixture("many-processors.etl");
    let size = first_buffer(&bytes);
    let mut first = bytes;
    first.split_at_mut(size).0.fill(0);
    folder.write("zeros.etl", &vec![0; 70_000]);
    folder.write("first.etl", &first);
    let zeros = folder.run(&["info", "zeros.etl"]);
    assert_eq!((zeros.code, zeros.out.as_str()), (2, ""));
    assert!(zeros.err.contains("not an .etl trace: only zeros: preallocated and never written?"), "{}", zeros.err);
    let run = folder.run(&["info", "first.etl"]);
    assert_eq!(run.code, 1);
    // The header, which is not a range of its own bytes, and the buffer.
    let said = format!("could not be read: 2 ranges {size} bytes");
    assert!(run.err.replace(',', "").contains(&said), "{} / {said}", run.err);
}

#[test]
fn damage_is_listed_and_counts() {
    let folder = Folder::with(&["damaged-event-size.etl"]);
    let run = folder.run(&["dump", "damaged-event-size.etl"]);
    assert_eq!(run.code, 1);
    assert_eq!(run.err.lines().filter(|line| line.contains("bad-event at 0x")).count(), 3, "{}", run.err);
    let run = folder.run(&["dump", "-q", "damaged-event-size.etl"]);
    assert_eq!((run.code, run.err.as_str()), (1, ""));
    let run = folder.run(&["buffers", "--json", "damaged-event-size.etl"]);
    assert_eq!(run.code, 1);
    let rows = run.json();
    assert_eq!(rows.len(), 5);
    assert_eq!(rows.iter().filter(|row| !row["problems"].is_null()).count(), 3);
    assert_eq!(rows.iter().map(|row| row["events"].as_u64().unwrap()).sum::<u64>(), 158);
}

#[test]
fn losses_and_undecoded_events_count_if_asked() {
    let mut bytes = fixture("hello.etl");
    let events_lost = 72 + 32 + 0x30;
    bytes[events_lost] = 5;
    let folder = Folder::with(&["hello.etl", "clock-qpc.etl"]);
    folder.write("lossy.etl", &bytes);
    for command in ["info", "dump"] {
        let run = folder.run(&[command, "lossy.etl"]);
        assert_eq!(run.code, 0);
        assert!(command == "info" || run.err.contains("the session lost 5 events"), "{}", run.err);
        assert_eq!(folder.run(&[command, "lossy.etl", "--fail-on", "lost"]).code, 1);
        assert_eq!(folder.run(&[command, "hello.etl", "--fail-on", "lost,damaged"]).code, 0);
        assert_eq!(folder.run(&[command, "clock-qpc.etl", "--fail-on", "undecoded"]).code, 1);
    }
    assert_eq!(folder.run(&["info", "lossy.etl", "--json"]).json()[0]["events_lost"], 5);
}

/// Every command that reads a trace with schemas knows which events have none.
#[test]
fn undecoded_events_count_in_every_command_that_takes_the_word() {
    let folder = Folder::with(&["scheduling.etl", "clock-qpc.etl"]);
    for arguments in [
        &["info"][..],
        &["check"],
        &["dump"],
        &["count"],
        &["table"],
        &["export", "-o", "out.parquet"],
        &["report", "-o", "out.html"],
        &["analyze"],
        &["spans"],
        &["symbols"],
        &["relog", "-o", "out.etl"],
        &["redact", "-o", "out.etl"],
    ] {
        let with = |name: &str, more: &[&str]| folder.run(&[arguments, &[name], more].concat());
        let run = with("clock-qpc.etl", &["--fail-on", "undecoded"]);
        assert_eq!(run.code, 1, "{arguments:?}: {}", run.err);
        assert_eq!(with("clock-qpc.etl", &[]).code, 0, "{arguments:?}");
    }
    let profile = |more: &[&str]| folder.run(&[&["profile", "scheduling.etl", "--by", "cswitch"], more].concat());
    assert_eq!((profile(&[]).code, profile(&["--fail-on", "undecoded"]).code), (0, 0));
}

/// Nothing is left out: what has a schema and what has none are all events, and for each without one the reason is
/// stated.
#[test]
fn what_is_missing_is_told_with_what_would_supply_it() {
    let folder = Folder::with(&[]);
    let mut reasons = std::collections::BTreeSet::new();
    for fixture in etwkit_synth::fixtures().iter().filter(|fixture| fixture.expected.is_trace()) {
        folder.write(fixture.name, &fixture.bytes);
        let Some(report) = folder.run(&["info", "--json", fixture.name]).json().pop() else {
            panic!("{}", fixture.name)
        };
        let sum = |rows: Vec<&Value>| rows.iter().filter_map(|row| row["events"].as_u64()).sum::<u64>();
        let with = sum(report["schemas"].as_object().unwrap().values().collect());
        let gaps = report["missing_schemas"].as_array().map(Vec::as_slice).unwrap_or_default();
        let without = sum(gaps.iter().filter(|gap| gap["missing"] != "fields").collect());
        let (decoded, undecoded) = (&report["decoded_events"], &report["undecoded_events"]);
        assert_eq!((decoded, undecoded), (&with.into(), &without.into()), "{}", fixture.name);
        for gap in gaps {
            assert_eq!(gap["events"], sum(gap["keys"].as_array().unwrap().iter().collect()), "{}", fixture.name);
            reasons.insert((
                gap["kind"].to_string(),
                gap["supply"].as_str().and_then(|text| text.split(' ').next()).map(str::to_owned),
            ));
        }
    }
    for (kind, option) in [("classic", "--schemas"), ("manifest", "--schemas"), ("wpp", "--symbols")] {
        assert!(reasons.contains(&(format!("\"{kind}\""), Some(option.to_owned()))), "{kind}: {reasons:?}");
    }
    let page = folder.run(&["info", "message-items.etl"]).out;
    assert!(page.contains("supply: --symbols with the program's .pdb or .tmf files"), "{page}");
}

/// A schema in one file serves the events of another, if both are read as one trace.
#[test]
fn a_collection_is_reported_as_one_trace() {
    let folder = Folder::with(&["newfile_1.etl", "newfile_2.etl"]);
    let alone: u64 = ["newfile_1.etl", "newfile_2.etl"]
        .iter()
        .filter_map(|name| folder.run(&["info", "--json", name]).json()[0]["events"].as_u64())
        .sum();
    let run = folder.run(&["info", "--json", "--together", "newfile_1.etl", "newfile_2.etl"]);
    let [report] = &run.json()[..] else { panic!("{}{}", run.out, run.err) };
    assert_eq!((&report["events"], run.code), (&alone.into(), 0));
    assert_eq!(report["files"], serde_json::json!(["newfile_1.etl", "newfile_2.etl"]));
    assert!(report["file"].is_null() && report["start"].is_string(), "{report}");
    let page = folder.run(&["info", "--together", "newfile_1.etl", "newfile_2.etl"]).out;
    assert!(page.starts_with("2 files as one trace\n"), "{page}");
}

#[test]
fn a_trace_without_counters_is_no_performance_log() {
    let folder = Folder::with(&["hello.etl"]);
    let run = folder.run(&["counters", "hello.etl"]);
    assert!(run.code == 2 && run.err.contains("not a performance log"), "{}", run.err);
}
