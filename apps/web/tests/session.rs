//! Requests and answers of a viewer's session, over fixtures.
#![expect(clippy::indexing_slicing, clippy::unwrap_used, reason = "tests")]

use std::path::PathBuf;

use etwkit::output::JsonLines;
use etwkit::trace::RunOptions;
use etwkit::{Filter, Input, Trace};
use etwkit_synth::{Buffer, Guid, LogfileHeader, ModernEvent, Payload, TraceBuilder};
use etwkit_web::Session;
use serde_json::{Value, json};

fn bytes(name: &str) -> Vec<u8> {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../../fixtures", name].iter().collect();
    std::fs::read(path).unwrap()
}

/// A session with files open, and its first answer.
fn open(files: &[(&str, Vec<u8>)]) -> (Session, Value) {
    let requested: Vec<Value> = files.iter().map(|(name, bytes)| json!({"name": name, "len": bytes.len()})).collect();
    let mut session = Session::new(files.iter().map(|(_, bytes)| bytes.clone()).collect::<Vec<_>>());
    let answer = ask(&mut session, &json!({"op": "open", "files": requested}));
    (session, answer)
}

fn ask(session: &mut Session, request: &Value) -> Value {
    serde_json::from_slice(&session.call(request.to_string().as_bytes())).unwrap()
}

fn scan(session: &mut Session, filter: &str) -> u64 {
    let mut progress = ask(session, &json!({"op": "list", "filter": filter}))["ok"].clone();
    while progress["parts"] != progress["of"] {
        progress = ask(session, &json!({"op": "step"}))["ok"].clone();
    }
    progress["rows"].as_u64().unwrap()
}

/// What the program prints with `--stacks`.
fn lines(name: &str, filter: &str) -> Vec<String> {
    let parsers = etwkit_parsers::with_stacks(etwkit_parsers::standard());
    let trace = Trace::open(Input::bytes(name, bytes(name)), parsers).unwrap();
    let mut options = RunOptions::default().threads(1);
    if !filter.is_empty() {
        options = options.filter(Filter::default().expression(filter.parse().unwrap()));
    }
    let mut sink = JsonLines::new(&trace, Vec::new());
    trace.run(&options, &mut sink).unwrap();
    String::from_utf8(sink.finish().unwrap()).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn rows_are_the_json_lines_of_what_passes() {
    for (name, filter) in
        [("kernel-stacks.etl", ""), ("many-processors.etl", ""), ("many-processors.etl", "cpu == 1"), ("hello.etl", "")]
    {
        let (mut session, _) = open(&[(name, bytes(name))]);
        let expected = lines(name, filter);
        assert_eq!(scan(&mut session, filter), expected.len() as u64, "{name} {filter}");
        let mut found = Vec::new();
        while found.len() < expected.len() {
            let rows = ask(&mut session, &json!({"op": "rows", "from": found.len(), "count": 7}));
            let rows = rows["ok"].as_array().unwrap().clone();
            assert!(!rows.is_empty());
            found.extend(rows);
        }
        for (number, (row, line)) in found.iter().zip(&expected).enumerate() {
            assert_eq!(row["row"], number);
            assert_eq!(row["event"], serde_json::from_str::<Value>(line).unwrap(), "{name} {number}");
        }
    }
}

#[test]
fn exports_are_the_json_lines_byte_by_byte() {
    for name in ["kernel-stacks.etl", "values.etl", "merged-relogged.etl"] {
        let (mut session, _) = open(&[(name, bytes(name))]);
        scan(&mut session, "");
        let mut text = String::new();
        for part in 0.. {
            match &ask(&mut session, &json!({"op": "export", "format": "jsonl", "part": part}))["ok"] {
                Value::String(piece) => text.push_str(piece),
                _ => break,
            }
        }
        assert_eq!(text.lines().collect::<Vec<_>>(), lines(name, ""), "{name}");
    }
}

#[test]
fn an_event_is_copied_as_an_export_has_it() {
    let name = "kernel-stacks.etl";
    let (mut session, _) = open(&[(name, bytes(name))]);
    let rows = scan(&mut session, "");
    let csv =
        ask(&mut session, &json!({"op": "export", "format": "csv", "part": 0}))["ok"].as_str().unwrap().to_owned();
    let (csv, json): (Vec<&str>, Vec<String>) = (csv.lines().collect(), lines(name, ""));
    assert_eq!(csv.len() as u64, rows + 1, "texts of this trace have no line feeds");
    let mut copy = |row: usize, format: &str| {
        ask(&mut session, &json!({"op": "copy", "row": row, "format": format}))["ok"].as_str().unwrap().to_owned()
    };
    for (row, line) in json.iter().enumerate() {
        assert_eq!(copy(row, "jsonl").trim_end(), line);
        assert_eq!(copy(row, "csv").lines().collect::<Vec<_>>(), [csv[0], csv[row + 1]]);
    }
    assert!(ask(&mut session, &json!({"op": "copy", "row": rows, "format": "csv"}))["error"].is_string());
}

#[test]
fn a_row_that_is_too_long_has_its_time_and_numbers() {
    let header = LogfileHeader { buffer_size: 1 << 17, ..LogfileHeader::default() };
    let event = |bytes: usize| {
        let provider = Guid::new(0x5e7a_1000_0001_4b1d_9c0d_e7a5_1d0c_0001);
        let event = ModernEvent::new(provider).id(7).level(3).at(header.after(70)).by(400, 404);
        event.payload(Payload::new().zeros(bytes))
    };
    let buffer = Buffer::on(0).events([event(10), event(40_000)]);
    let trace = TraceBuilder::new(header.clone()).buffers([buffer]).build().bytes;
    let (mut session, _) = open(&[("long.etl", trace)]);
    assert_eq!(scan(&mut session, "id == 7"), 2);
    let rows = ask(&mut session, &json!({"op": "rows", "from": 0, "count": 2}))["ok"].clone();
    let (short, long) = (&rows[0]["event"], &rows[1]["event"]);
    assert!(short["payload"].is_string() && long["payload"].is_null(), "{long}");
    assert!(long["message"].as_str().unwrap().ends_with("are too long to be shown"), "{long}");
    for name in ["time", "raw_time", "provider_guid", "id", "level", "pid", "tid", "cpu"] {
        assert!(!long[name].is_null() && long[name] == short[name], "{name}: {long}");
    }
}

#[test]
fn packets_are_those_of_the_converter() {
    for name in ["packets-ndis.etl", "packets-pktmon.etl", "hello.etl"] {
        let (mut session, overview) = open(&[(name, bytes(name))]);
        let trace = Trace::open(Input::bytes(name, bytes(name)), etwkit_parsers::standard()).unwrap();
        let mut expected = Vec::new();
        etwkit_packets::write_pcapng(&trace, etwkit_packets::Options::default(), &mut expected).unwrap();
        assert_eq!(overview["ok"]["has_packets"], etwkit_packets::packet_events(&trace) > 0, "{name}");
        scan(&mut session, "");
        let mut digits = String::new();
        for part in 0.. {
            match &ask(&mut session, &json!({"op": "packets", "part": part}))["ok"] {
                Value::String(piece) => digits.push_str(piece),
                _ => break,
            }
        }
        let found: Vec<u8> =
            (0..digits.len() / 2).map(|at| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).unwrap()).collect();
        assert!(found == expected, "{name}");
    }
}

#[test]
fn a_time_leads_to_its_first_event() {
    for (name, filter) in [("kernel-stacks.etl", ""), ("many-processors.etl", "cpu == 1"), ("hello.etl", "")] {
        let (mut session, _) = open(&[(name, bytes(name))]);
        let rows = scan(&mut session, filter);
        let trace = Trace::open(Input::bytes(name, bytes(name)), etwkit_parsers::standard()).unwrap();
        let filter =
            if filter.is_empty() { Filter::default() } else { Filter::default().expression(filter.parse().unwrap()) };
        let (mut events, mut times) = (trace.select(&filter), Vec::new());
        while let Some(event) = events.next().unwrap() {
            times.push(event.time().unwrap().as_units());
        }
        assert_eq!(times.len() as u64, rows, "{name}");
        let mut at = |units: i64| {
            ask(&mut session, &json!({"op": "at", "units": units.to_string(), "from_start": false}))["ok"].clone()
        };
        for time in &times {
            let expected = times.iter().position(|other| other >= time).unwrap();
            assert_eq!(at(*time), expected, "{name}");
        }
        assert_eq!((at(0), at(i64::MAX)), (json!(0), json!(rows)), "{name}");
    }
}

#[test]
fn lanes_have_all_events() {
    for name in ["kernel-stacks.etl", "many-processors.etl", "merged-relogged.etl"] {
        let (mut session, overview) = open(&[(name, bytes(name))]);
        let lanes = ask(&mut session, &json!({"op": "lanes"}))["ok"]["lanes"].clone();
        let providers = lanes.as_array().unwrap().iter().find(|group| group["id"] == "providers").unwrap();
        let sum: f64 = providers["lanes"].as_array().unwrap().iter().map(|lane| lane["total"].as_f64().unwrap()).sum();
        assert_eq!(sum.to_string(), overview["ok"]["events"].to_string(), "{name}");
    }
}

#[test]
fn counts_add_up_to_the_events() {
    let name = "many-processors.etl";
    let (mut session, overview) = open(&[(name, bytes(name))]);
    let rows = scan(&mut session, "");
    assert_eq!(overview["ok"]["events"], rows);
    let facets = ask(&mut session, &json!({"op": "facets"}))["ok"].clone();
    let sum = |name: &str| -> u64 {
        facets[name].as_array().unwrap().iter().map(|facet| facet["events"].as_u64().unwrap()).sum()
    };
    for facet in ["providers", "events", "levels", "processes"] {
        assert_eq!(sum(facet), rows, "{facet}");
    }
    let cells = facets["over_time"]["cells"].as_array().unwrap();
    let binned: f64 = cells.iter().skip(1).step_by(2).map(|cell| cell.as_f64().unwrap()).sum();
    assert_eq!(binned.to_string(), rows.to_string());
}

#[test]
fn the_histogram_and_the_lanes_fold_the_same_dead_time() {
    for name in ["many-processors.etl", "kernel-stacks.etl", "append-sessions.etl", "unfinalised.etl"] {
        let (mut session, _) = open(&[(name, bytes(name))]);
        scan(&mut session, "");
        let over_time = ask(&mut session, &json!({"op": "facets"}))["ok"]["over_time"].clone();
        let axis = ask(&mut session, &json!({"op": "lanes"}))["ok"]["time"].clone();
        for member in ["base", "end", "is_local", "is_from_session", "folds"] {
            assert_eq!(over_time[member], axis[member], "{name}: {member}");
        }
    }
}

#[test]
fn the_condition_of_a_count_picks_its_events() {
    // Of events without a name and without a level, too.
    for name in ["many-processors.etl", "headers-all-kinds.etl", "hello.etl"] {
        let (mut session, _) = open(&[(name, bytes(name))]);
        scan(&mut session, "");
        let facets = ask(&mut session, &json!({"op": "facets"}))["ok"].clone();
        for facet in ["providers", "events", "levels"].iter().flat_map(|list| facets[list].as_array().unwrap()) {
            let condition = facet["condition"].as_str().unwrap();
            assert_eq!(scan(&mut session, condition), facet["events"].as_u64().unwrap(), "{name}: {condition}");
        }
    }
}

#[test]
fn a_mistake_in_a_filter_has_its_column_and_keeps_the_list() {
    let name = "hello.etl";
    let (mut session, _) = open(&[(name, bytes(name))]);
    let rows = scan(&mut session, "");
    let refused = ask(&mut session, &json!({"op": "list", "filter": "pid == "}));
    assert!(refused["column"].as_u64().is_some_and(|column| column > 1), "{refused}");
    let found = ask(&mut session, &json!({"op": "rows", "from": 0, "count": 1000}));
    assert_eq!(found["ok"].as_array().unwrap().len() as u64, rows);
}

#[test]
fn an_event_has_the_places_of_its_fields() {
    let name = "hello.etl";
    let (mut session, _) = open(&[(name, bytes(name))]);
    let rows = scan(&mut session, "");
    let mut fields = 0;
    for row in 0..rows {
        let detail = ask(&mut session, &json!({"op": "event", "row": row}))["ok"].clone();
        let len = detail["payload_len"].as_u64().unwrap();
        assert_eq!(detail["payload"].as_str().unwrap().len() as u64, 2 * len.min(64 << 10));
        for field in detail["fields"].as_array().unwrap() {
            assert!(field["from"].as_u64().unwrap() + field["len"].as_u64().unwrap() <= len, "{field}");
            fields += 1;
        }
    }
    assert!(fields > 0);
    assert!(ask(&mut session, &json!({"op": "event", "row": rows}))["error"].is_string());
}

#[test]
fn packed_files_and_schemas_are_read() {
    let trace = bytes("hello.etl");
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, &trace).unwrap();
    let (_, plain) = open(&[("hello.etl", trace)]);
    let (_, from_gzip) = open(&[("hello.etl.gz", packed.finish().unwrap()), ("odd.schema", b"no schema".to_vec())]);
    assert_eq!(plain["ok"]["events"], from_gzip["ok"]["events"]);
    assert_eq!(from_gzip["ok"]["notes"].as_array().unwrap().len(), 1);
}

#[test]
fn every_request_is_answered_for_every_fixture() {
    let folder: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../../fixtures"].iter().collect();
    let mut opened = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let (mut session, answer) = open(&[(&name, std::fs::read(&path).unwrap())]);
        if answer["error"].is_string() {
            continue;
        }
        opened += 1;
        scan(&mut session, "");
        for op in ["facets", "processes", "problems", "buffers", "stacks", "requests", "names"] {
            let answer = ask(&mut session, &json!({"op": op}));
            assert!(!answer["ok"].is_null(), "{name} {op}: {answer}");
        }
        let read = ask(&mut session, &json!({"op": "bytes", "file": 0, "offset": 0, "len": 16}));
        assert!(read["ok"].is_string(), "{name}: {read}");
    }
    assert!(opened > 40, "{opened}");
}

#[test]
fn every_name_that_is_offered_for_a_filter_finds_events() {
    let (mut session, _) = open(&[("kernel-stacks.etl", bytes("kernel-stacks.etl"))]);
    let offered = ask(&mut session, &json!({"op": "names"}))["ok"].clone();
    let texts = |kind: &str| -> Vec<String> { serde_json::from_value(offered[kind].clone()).unwrap() };
    assert!(
        texts("names").iter().any(|name| name == "provider") && texts("names").iter().any(|name| name == "ImageBase")
    );
    assert_eq!(texts("providers"), ["Windows Kernel"]);
    assert!(texts("events").len() > 5, "{:?}", texts("events"));
    for event in texts("events") {
        assert!(scan(&mut session, &format!("event == \"{event}\"")) > 0, "{event}");
    }
}

#[test]
fn what_is_no_request_is_refused() {
    let mut session = Session::new(Vec::<Vec<u8>>::new());
    for text in ["", "{}", "{\"op\":\"nothing\"}", "{\"op\":\"step\"}", "{\"op\":\"open\",\"files\":[]}"] {
        let answer: Value = serde_json::from_slice(&session.call(text.as_bytes())).unwrap();
        assert!(answer["error"].is_string(), "{text}: {answer}");
    }
}
