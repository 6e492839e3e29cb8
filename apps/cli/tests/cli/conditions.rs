//! Conditions on rows of tables and on the events behind them.

use etwkit_synth::{Guid, LogfileHeader, ModernEvent, Payload, TraceBuilder};

use crate::common::Folder;

/// Writes a trace whose events have fields that are called as columns of tables.
fn named_as_columns() -> Folder {
    let schema = "provider \"P\" {00000000-0000-0000-0000-0000000000d4}\n\
                  event id 1 task \"N\" {\nevents i64\npercent u8\n}\n";
    let header = LogfileHeader::default();
    let t0 = header.t0;
    let event = |(at, number): (i64, i64)| {
        let event = ModernEvent::new(Guid::new(0xD4)).id(1).level(4);
        event.payload(Payload::new().i64(number).u8(1)).at(t0 + 10 + at)
    };
    let numbers = [12_345_678_901, 9_999_999_999, -5, -50, 7, 20_000_000_000, 123_456_789];
    let events = (0..).zip(numbers).map(event);
    let bytes = events.fold(TraceBuilder::new(header), |builder, event| builder.log(0, event)).build().bytes;
    let folder = Folder::with(&[]);
    folder.write("n.etl", &bytes);
    folder.write("n.schema", schema.as_bytes());
    folder
}

#[test]
fn a_count_of_all_events_has_no_rows_to_choose() {
    let folder = Folder::with(&["scheduling.etl"]);
    let run = folder.run(&["dump", "scheduling.etl", "--count", "--where", "events > 100000"]);
    assert_eq!(run.out, "0\n", "{}", run.err);
    let folder = named_as_columns();
    let dump = |where_: &str, count: &[&str]| {
        let arguments = ["dump", "n.etl", "--schemas", "n.schema", "--where", where_];
        folder.run(&[&arguments[..], count].concat()).out
    };
    for condition in ["events > 3", "fields.events > 3", "\"events\" < 0"] {
        let lines = dump(condition, &[]).lines().count();
        assert!(lines > 0 && lines < 7, "{condition}: {lines}");
        assert_eq!(dump(condition, &["--count"]), format!("{lines}\n"), "{condition}");
    }
}

#[test]
fn a_name_that_is_written_as_that_of_a_field_is_no_column() {
    let folder = named_as_columns();
    let count = |condition: &str| {
        let run = folder.run(&["count", "n.etl", "--schemas", "n.schema", "--where", condition, "-f", "csv"]);
        run.out.lines().nth(1).map(str::to_owned).unwrap_or_default()
    };
    assert_eq!(count("fields.events > 3"), "5,P,N");
    assert_eq!(count("\"events\" < 0"), "2,P,N");
    // The column.
    assert!(count("events > 3").starts_with("7,"), "{}", count("events > 3"));
}

#[test]
fn data_of_tables_are_compared_as_numbers() {
    let folder = named_as_columns();
    let table = |condition: &str| {
        let arguments =
            ["table", "n.etl", "--schemas", "n.schema", "--provider", "P", "-f", "csv", "--fields", "Data1"];
        let run = folder.run(&[&arguments[..], &["--where", condition]].concat());
        run.out.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    assert!(table("Data1 > 20000000000").is_empty());
    assert_eq!(table("Data1 > 12_000_000_000"), ["12345678901", "20000000000"]);
    assert_eq!(table("Data1 < -10"), ["-50"]);
    assert_eq!(table("Data1 == 0x2DFDC1C35"), ["12345678901"]);
}

#[test]
fn the_class_of_classic_events_chooses_a_table_with_their_data() {
    let folder = Folder::with(&["scheduling.etl"]);
    let table = |provider: &str| {
        let run = folder.run(&["table", "scheduling.etl", "--provider", provider, "--event", "Thread*", "-f", "jsonl"]);
        assert_eq!(run.code, 0, "{}", run.err);
        run.out
    };
    // The class of threads, and the kernel.
    let of_class = table("3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c");
    assert!(of_class.contains("\"Data1\""), "{of_class}");
    assert_eq!(of_class, table("Windows Kernel"));
}

#[test]
fn what_has_no_effect_is_refused() {
    let folder = Folder::with(&["scheduling.etl", "hello.etl"]);
    let only = ["--only", "events", "--where", "percent > 100000"];
    let run = folder.run(&[&["diff", "hello.etl", "scheduling.etl", "--format", "markdown"][..], &only].concat());
    assert!(run.code == 2 && run.err.contains("conditions on columns choose rows"), "{}", run.err);
    for form in ["folded", "chrome"] {
        let run = folder.run(&["spans", "hello.etl", "--format", form, "--where", "duration_ms > 5"]);
        assert!(run.code == 2 && run.err.contains("which this form does not have"), "{}", run.err);
        let of_events = folder.run(&["spans", "hello.etl", "--format", form, "--where", "task == CoffeeOrder"]);
        assert!(of_events.code == 0 && of_events.out.contains("CoffeeOrder"), "{}", of_events.err);
        let run = folder.run(&["spans", "hello.etl", "--format", form, "--relative"]);
        assert!(run.code == 2 && run.err.contains("--relative"), "{}", run.err);
    }
    let run = folder.run(&["count", "hello.etl", "--by-time", "1ms", "--group-by", "time"]);
    assert!(run.code == 2 && run.err.contains("the time is that of the span"), "{}", run.err);
}

#[test]
fn a_field_that_only_the_first_trace_has_is_no_column_of_changes() {
    let folder = Folder::with(&["tracelogging-types.etl", "hello.etl"]);
    let condition = ["--only", "events", "--format", "csv", "--where", "AFTER != 9"];
    let changes = |traces: [&str; 2]| folder.run(&[&["diff"], &traces[..], &condition].concat()).out.lines().count();
    // As a column it would be true of all changes.
    let all = folder.run(&["diff", "tracelogging-types.etl", "hello.etl", "--only", "events", "--format", "csv"]);
    let some = changes(["tracelogging-types.etl", "hello.etl"]);
    assert!(some < all.out.lines().count(), "{some}");
    assert_eq!(some, changes(["hello.etl", "tracelogging-types.etl"]));
}

#[test]
fn a_column_in_another_letter_case_is_the_column() {
    let folder = Folder::with(&["http-sys.etl"]);
    let rows = |condition: &str| folder.run(&["table", "http-sys.etl", "-f", "csv", "--where", condition]).out;
    let exact = rows("EventName == FastResp");
    assert!(exact.lines().count() > 1, "{exact}");
    assert_eq!(rows("eventname == FastResp"), exact);
    assert_eq!(
        rows("PROVIDER == 'Microsoft-Windows-HttpService'"),
        rows("provider == 'Microsoft-Windows-HttpService'")
    );
}

#[test]
fn times_of_fields_are_compared_as_points_in_time() {
    let schema =
        "provider \"P\" {00000000-0000-0000-0000-0000000000d4}\nevent id 1 task \"N\" {\nT u64 as filetime\n}\n";
    let header = LogfileHeader::default();
    let t0 = header.t0;
    // 2019-04-17T18:40:00Z, and around it.
    let second = 132_000_000_000_000_000_i64;
    let times = [second, second + 16, second - 1, second + 5_000_000_000, 0];
    let event = |(at, time): (i64, i64)| {
        ModernEvent::new(Guid::new(0xD4)).id(1).payload(Payload::new().i64(time)).at(t0 + 10 + at)
    };
    let events = (0..).zip(times).map(event);
    let bytes = events.fold(TraceBuilder::new(header), |builder, event| builder.log(0, event)).build().bytes;
    let folder = Folder::with(&[]);
    folder.write("t.etl", &bytes);
    folder.write("t.schema", schema.as_bytes());
    let chosen = |condition: &str| {
        let arguments = ["dump", "t.etl", "--schemas", "t.schema", "--where", condition, "--format", "csv"];
        folder.run(&[&arguments[..], &["--fields", "raw_time"]].concat()).out.lines().skip(1).count()
    };
    let all = chosen("has T");
    assert_eq!(all, 5);
    for (condition, events) in [
        ("T >= 2019-04-17T18:40:00Z", 3),
        ("T < 2019-04-17T18:40:00Z", 1),
        ("T == 2019-04-17T18:40:00Z", 1),
        ("T != 2019-04-17T20:40:00+02:00", 4),
        ("T == 2019-04-17T18:40:00.0000016Z", 1),
        ("T ~ 2019-04-17T18", 4),
    ] {
        assert_eq!(chosen(condition), events, "{condition}");
    }
}
