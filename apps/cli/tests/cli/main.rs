//! The binary over small traces made on the fly: inputs, filters, exit codes, streams.

#![expect(clippy::unwrap_used, reason = "a test")]

mod common;

use std::io::{Read, Write};
use std::process::Stdio;

use serde_json::Value;

use common::{Folder, Run, fixture};

impl Folder {
    fn run_with_input(&self, arguments: &[&str], input: &[u8]) -> Run {
        let mut command = self.command(arguments);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        child.wait_with_output().unwrap().into()
    }

    /// Lines of a dump that must succeed.
    fn dump(&self, arguments: &[&str]) -> Vec<Value> {
        let run = self.run(&[&["dump"], arguments].concat());
        assert_eq!(run.code, 0, "{arguments:?}: {}", run.err);
        run.json()
    }

    fn events(&self, arguments: &[&str]) -> usize {
        self.dump(arguments).len()
    }
}

impl Run {
    fn json(&self) -> Vec<Value> {
        self.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

/// Bytes of a trace's first buffer.
fn first_buffer(trace: &[u8]) -> usize {
    u32::from_le_bytes(trace.first_chunk().copied().unwrap()) as usize
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
    for (name, bytes) in members {
        archive.start_file(*name, options).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

fn files(values: &[Value]) -> Vec<&str> {
    values.iter().map(|value| value["file"].as_str().unwrap()).collect()
}

#[test]
fn fixtures_give_their_counts_and_exit_codes() {
    let folder = Folder::with(&[]);
    for fixture in etwkit_synth::fixtures() {
        folder.write(fixture.name, &fixture.bytes);
        let run = folder.run(&["info", "--json", fixture.name]);
        let expected = match () {
            () if !fixture.expected.is_trace() => 2,
            () if fixture.name.starts_with("damaged-") => 1,
            () => 0,
        };
        assert_eq!(run.code, expected, "{}: {}{}", fixture.name, run.err, run.out);
        if expected == 2 {
            assert_eq!(run.out, "", "{}", fixture.name);
            assert!(run.err.lines().skip(1).all(|line| line.starts_with("hint: ")), "{}", run.err);
            assert!(run.err.starts_with(&format!("error: {}: not an .etl trace: ", fixture.name)), "{}", run.err);
        } else {
            assert_eq!(run.json()[0]["events"], fixture.expected.counts().events, "{}", fixture.name);
        }
    }
}

#[test]
fn arguments_that_make_no_sense_are_refused() {
    let folder = Folder::with(&["hello.etl"]);
    for (arguments, part) in [
        (["dump", "hello.etl", "--since", "2021-01-01T00:00:00"], "zone"),
        (["dump", "hello.etl", "--until", "+1"], "span"),
        (["dump", "hello.etl", "--level", "loud"], "critical"),
        (["dump", "hello.etl", "--keyword", "0"], "bit"),
        (["dump", "hello.etl", "--threads", "0"], "1.."),
        (["dump", "hello.etl", "--unpack-limit", "1X"], "size"),
        (["dump", "missing.etl", "--format", "text"], "missing.etl: no such file"),
        (["dump", "none*.etl", "--format", "text"], "none*.etl: no file matches"),
        (["dump", "hello.etl", "-o", "hello.etl"], "overwrite"),
    ] {
        let run = folder.run(&arguments);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{arguments:?}");
        assert!(run.err.contains(part), "{arguments:?}: {}", run.err);
    }
    let run = folder.run(&["dump", "hello.etl", "--since", "+2s", "--until", "+1s"]);
    assert!(run.code == 2 && run.err.contains("--since is after --until"), "{}", run.err);
    assert_eq!(std::fs::read(folder.path().join("hello.etl")).unwrap(), fixture("hello.etl"));
}

#[test]
fn one_bad_input_does_not_stop_the_others() {
    let folder = Folder::with(&["hello.etl", "x-text.etl"]);
    let run = folder.run(&["info", "--json", "x-text.etl", "missing.etl", "hello.etl"]);
    assert_eq!(run.code, 2);
    assert_eq!(files(&run.json()), ["hello.etl"]);
    assert_eq!(run.err.matches("error: ").count(), 2, "{}", run.err);
    let run = folder.run(&["dump", "x-text.etl", "hello.etl"]);
    assert_eq!((run.code, run.out.lines().count()), (2, 11));
}

#[test]
fn a_folder_and_a_glob_mean_their_traces() {
    let folder = Folder::with(&["hello.etl"]);
    for name in ["in/b.etl", "in/a_10.etl", "in/a_9.etl", "in/deep/c.ETL.001", "in/d.blg", "in/notes.txt"] {
        folder.write(name, &fixture("hello.etl"));
    }
    folder.write("in/e.etl.gz", &gzip(&fixture("hello.etl")));
    let found = folder.run(&["info", "--json", "in"]).json();
    let expected = ["in/a_9.etl", "in/a_10.etl", "in/b.etl", "in/d.blg", "in/deep/c.ETL.001", "in/e.etl.gz"];
    assert_eq!(files(&found), expected);
    let found = folder.run(&["info", "--json", "in/a_*.etl", "in/a_9.etl", "hello.etl"]).json();
    assert_eq!(files(&found), ["in/a_9.etl", "in/a_10.etl", "hello.etl"], "each file once");
    folder.write("in/[x].etl", &fixture("hello.etl"));
    assert_eq!(folder.events(&["in/[x].etl"]), 11, "a file with that very name");
}

#[test]
fn archives_and_pipes_are_read_like_files() {
    let hello = fixture("hello.etl");
    let folder = Folder::with(&["hello.etl"]);
    let plain = folder.run(&["dump", "hello.etl"]).out;
    folder.write("hello.etl.gz", &gzip(&hello));
    let archive = zip(&[("read me.txt", b"text"), ("logs/hello.etl", &hello)]);
    folder.write("hello.diagsession", &archive);
    for name in ["hello.etl.gz", "hello.diagsession"] {
        assert_eq!(folder.run(&["dump", name]).out, plain, "{name}");
    }
    for input in [&hello, &gzip(&hello), &archive] {
        assert_eq!(folder.run_with_input(&["dump", "-"], input).out, plain);
    }
    assert_eq!(folder.run(&["dump", "--mmap", "hello.etl"]).out, plain);
    let found = folder.run(&["info", "--json", "hello.diagsession"]).json();
    assert_eq!(files(&found), ["hello.diagsession!logs/hello.etl"]);
}

#[test]
fn the_name_of_a_member_can_be_given_back() {
    let folder = Folder::with(&["hello.etl"]);
    let (hello, others) = (fixture("hello.etl"), fixture("many-processors.etl"));
    let members = [("a/b/hello.etl", &*hello), ("others.etl", &*others), ("odd!name", &*hello)];
    folder.write("all[1].zip", &zip(&members));
    let found = folder.run(&["info", "--json", "all[1].zip"]).json();
    assert_eq!(files(&found), ["all[1].zip!a/b/hello.etl", "all[1].zip!others.etl"]);
    for (name, bytes) in members {
        let name = format!("all[1].zip!{name}");
        let run = folder.run(&["info", "--json", &name, &name]);
        assert_eq!((run.code, run.err.as_str()), (0, ""));
        let found = run.json();
        assert_eq!(files(&found), [&*name], "given twice, it is one");
        assert_eq!(found.first().unwrap()["bytes"].as_u64(), Some(bytes.len() as u64));
    }
    assert_eq!(folder.events(&["all[1].zip!a/b/hello.etl"]), folder.events(&["hello.etl"]));
    let none = folder.run(&["info", "all[1].zip!b/hello.etl"]);
    assert_eq!(none.code, 2);
    assert!(
        none.err.starts_with("error: all[1].zip: no member b/hello.etl in this archive\nhint: it holds "),
        "{}",
        none.err
    );
    let plain = folder.run(&["info", "hello.etl!x"]);
    assert_eq!(
        (plain.code, plain.err.as_str()),
        (2, "error: hello.etl: it is no zip archive, so that it has no members\n")
    );
}

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
    assert_eq!(lost("nohdr.etl"), "not known: the session's header, which tells it, cannot be read");
    for command in ["dump", "count", "table", "requests"] {
        for (option, time) in [("--since", "2030-01-01T00:00:00Z"), ("--until", "+1s")] {
            let run = folder.run(&[command, "nohdr.etl", option, time]);
            assert_eq!((run.code, run.out.as_str()), (2, ""), "{command} {option} {time}");
            assert!(run.err.starts_with("error: nohdr.etl: --since and --until need times"), "{}", run.err);
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
    // The header, which is no range of its own bytes, and the buffer.
    let said = format!("could not be read: 2 ranges {size} bytes");
    assert!(run.err.replace(',', "").contains(&said), "{} / {said}", run.err);
}

#[test]
fn unpacking_stops_at_the_limit() {
    let folder = Folder::with(&[]);
    let bomb = vec![0; 3 << 20];
    folder.write("bomb.etl.gz", &gzip(&bomb));
    folder.write("bomb.zip", &zip(&[("a.etl", &bomb)]));
    for name in ["bomb.etl.gz", "bomb.zip"] {
        let run = folder.run(&["info", name, "--unpack-limit", "1M"]);
        assert_eq!(run.code, 2);
        assert!(run.err.contains("larger than the limit of 1 MiB") && run.err.contains("hint: "), "{}", run.err);
    }
    let hello = fixture("hello.etl");
    folder.write("two.zip", &zip(&[("a.etl", &hello), ("b.etl", &hello)]));
    let limit = (hello.len() + 1).to_string();
    assert_eq!(folder.run(&["info", "two.zip", "--unpack-limit", &limit]).code, 0, "one after the other");
    assert_eq!(folder.run(&["dump", "two.zip", "--unpack-limit", &limit]).code, 2, "both at a time");
    folder.write("none.zip", &zip(&[("a.txt", b"text")]));
    assert!(folder.run(&["info", "none.zip"]).err.contains("no trace in this archive"));
}

#[test]
fn a_packed_file_that_breaks_off_is_damage() {
    let folder = Folder::with(&[]);
    let packed = gzip(&fixture("many-processors.etl"));
    folder.write("cut.etl.gz", &packed[..packed.len() * 3 / 4]);
    let run = folder.run(&["dump", "cut.etl.gz"]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.err.contains("bad-archive") && run.out.lines().count() > 10, "{}", run.err);
    let problems = &folder.run(&["info", "--json", "cut.etl.gz"]).json()[0]["problems"];
    assert_eq!(problems[0]["kind"], "bad-archive");
}

#[test]
fn filters_choose_by_the_header() {
    let folder = Folder::with(&["hello.etl"]);
    for (arguments, events) in [
        (&["--provider", "synth.cafe"][..], 4),
        (&["--provider", "Synth.*"], 8),
        (&["--provider", "{5E7A1000-0002-4b1d-9c0d-e7a51d0c0002}"], 4),
        (&["--provider", "synth.cafe", "--provider", "*greeter"], 8),
        (&["--provider", "nobody"], 0),
        (&["--event", "hello*"], 4),
        (&["--level", "info", "--provider", "synth.*"], 4),
        (&["--level", "5", "--provider", "synth.*"], 8),
        (&["--keyword", "0x1", "--provider", "synth.greeter"], 4),
        (&["--keyword", "2", "--provider", "synth.greeter"], 0),
        (&["--pid", "1200"], 4),
        (&["--pid", "1200,3400"], 8),
        (&["--tid", "3412"], 4),
        (&["--cpu", "1"], 4),
        (&["--since", "+10ms"], 8),
        (&["--since", "+10.0001ms"], 7),
        (&["--since", "+20ms", "--until", "+50ms"], 3),
        (&["--since", "2026-01-02T03:04:05.01Z"], 8),
        (&["--until", "2026-01-02T04:04:05.01+01:00", "--provider", "synth.*"], 1),
    ] {
        assert_eq!(folder.events(&[&["hello.etl"], arguments].concat()), events, "{arguments:?}");
    }
}

#[test]
fn first_and_last_are_parts_of_the_whole() {
    let folder = Folder::with(&["many-processors.etl"]);
    let all = folder.dump(&["many-processors.etl"]);
    for order in ["time", "file"] {
        let all = if order == "time" { all.clone() } else { folder.dump(&["many-processors.etl", "--order", order]) };
        let part = |more: &[&str]| folder.dump(&[&["many-processors.etl", "--order", order], more].concat());
        assert_eq!(part(&["--first", "7"]), all[..7]);
        assert_eq!(part(&["--last", "7"]), all[all.len() - 7..]);
        assert_eq!(part(&["--first", "7", "--last", "2"]), all[5..7]);
        assert!(part(&["--first", "0"]).is_empty());
        assert_eq!(part(&["--first", "100000"]), all);
    }
    let times: Vec<_> = all.iter().map(|event| event["raw_time"].as_i64().unwrap()).collect();
    assert!(times.is_sorted());
}

#[test]
fn several_files_are_one_trace() {
    let folder = Folder::with(&["newfile_1.etl", "newfile_2.etl"]);
    let forward = folder.run(&["dump", "newfile_1.etl", "newfile_2.etl"]);
    let backward = folder.run(&["dump", "newfile_2.etl", "newfile_1.etl"]);
    let merged = folder.run(&["dump", "newfile_2.etl", "--merge"]);
    assert_eq!(forward.out.lines().count(), 38);
    assert_eq!((&forward.out, &forward.out), (&backward.out, &merged.out));
    let files_of = |run: Run| run.json().iter().map(|row| row["file"].clone()).collect::<Vec<_>>();
    assert_eq!(files_of(folder.run(&["info", "--json", "--merge", "newfile_2.etl"])).len(), 2);
    assert_eq!(folder.events(&["newfile_2.etl", "newfile_1.etl", "--until", "+1ms"]), 2, "from the earliest start");
}

#[test]
fn output_goes_where_it_should() {
    let folder = Folder::with(&["hello.etl"]);
    let run = folder.run(&["dump", "hello.etl", "--output", "out.jsonl"]);
    assert_eq!((run.code, run.out.as_str()), (0, ""));
    let written = std::fs::read_to_string(folder.path().join("out.jsonl")).unwrap();
    assert_eq!(written, folder.run(&["dump", "hello.etl", "-o", "-"]).out);
    let run = folder.run(&["dump", "hello.etl", "-o", "no/such/folder"]);
    assert!(run.code == 2 && run.err.contains("no/such/folder"), "{}", run.err);
    let text = folder.run(&["dump", "hello.etl", "--format", "text"]);
    assert_eq!((text.code, text.out.lines().count()), (0, 11));
    assert!(text.out.contains("Synth.Cafe"), "{}", text.out);
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let folder = Folder::with(&[]);
    let trace = fixture("many-processors.etl");
    let mut large = Vec::new();
    etwkit_synth::repeat(&trace, 200).write_to(&mut large).unwrap();
    folder.write("large.etl", &large);
    for arguments in [&["dump", "large.etl"][..], &["dump", "large.etl", "--threads", "4"], &["buffers", "large.etl"]] {
        let mut child = folder.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut some = [0; 100];
        child.stdout.take().unwrap().read_exact(&mut some).unwrap();
        let run: Run = child.wait_with_output().unwrap().into();
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{arguments:?}");
    }
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

/// Nothing is left out: what has a schema and what has none are all events, and of each without one the reason is told.
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

/// Without a trace, the schemas that are built in: tables, the runtime's other forms, facts of registered providers.
#[test]
fn schemas_that_are_built_in_are_printed() {
    let folder = Folder::with(&[]);
    let print = |provider: &str, event: &str| folder.run(&["schema", "--provider", provider, "--event", event]);
    for (provider, event, part) in [
        ("Microsoft-Windows-Kernel-File", "*", "origin registered"),
        ("47c3ba0c-77f1-4eb0-8d4d-aef447f16a85", "GC/*", "origin built-in"),
        ("Microsoft-Windows-DotNETRuntime", "GC/Start", "opcode 1"),
        ("Microsoft-Windows-Kernel-Network", "*", "origin built-in"),
    ] {
        let run = print(provider, event);
        assert!(run.code == 0 && run.out.contains(part), "{provider} {event}: {}{}", run.err, run.out);
        folder.write("mine.schema", run.out.as_bytes());
        folder.write("hello.etl", &fixture("hello.etl"));
        let again = folder.run(&["info", "hello.etl", "--schemas", "mine.schema"]);
        assert_eq!(again.code, 0, "{provider}: {}", again.err);
    }
    assert_eq!(print("No-Such-Provider", "*").out, "");
}

#[test]
fn colours_are_for_terminals_or_on_request() {
    let folder = Folder::with(&["hello.etl", "x-text.etl"]);
    assert!(!folder.run(&["info", "hello.etl"]).out.contains('\x1b'));
    assert!(folder.run(&["info", "hello.etl", "--color", "always"]).out.contains('\x1b'));
    assert!(!folder.run(&["info", "hello.etl", "--color", "never"]).out.contains('\x1b'));
    assert!(folder.run(&["info", "x-text.etl", "--color", "always"]).err.contains('\x1b'));
}

#[test]
fn names_in_a_trace_cannot_command_the_terminal() {
    let header = etwkit_synth::LogfileHeader {
        session_name: etwkit_synth::HeaderText::Whole("a\u{1b}]0;evil\u{7}b".into()),
        ..etwkit_synth::LogfileHeader::default()
    };
    let folder = Folder::with(&[]);
    folder.write("evil.etl", &etwkit_synth::TraceBuilder::new(header).build().bytes);
    let out = folder.run(&["info", "evil.etl"]).out;
    assert!(out.contains("a\\u{1b}]0;evil\\u{7}b") && !out.contains('\x1b'), "{out}");
}

#[test]
fn help_and_info_look_like_this() {
    let folder = Folder::with(&["hello.etl"]);
    insta::assert_snapshot!("help", folder.run(&["--help"]).out);
    insta::assert_snapshot!("help_dump", folder.run(&["dump", "-h"]).out);
    insta::assert_snapshot!("info_hello", folder.run(&["info", "hello.etl"]).out);
    insta::assert_snapshot!("info_hello_json", folder.run(&["info", "--json", "--sha256", "hello.etl"]).out);
    insta::assert_snapshot!("buffers_hello", folder.run(&["buffers", "hello.etl"]).out);
    insta::assert_snapshot!("help_pcap", folder.run(&["pcap", "-h"]).out);
    assert!(folder.run(&["--version"]).out.starts_with("etwkit "));
}

#[test]
fn packets_are_written_or_what_is_there_is_said() {
    let folder = Folder::with(&["hello.etl", "packets-ndis.etl", "packets-pktmon.etl"]);
    let run = folder.run(&["pcap", "hello.etl", "-o", "none.pcapng"]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    insta::assert_snapshot!("pcap_no_packets", run.err);
    assert!(!folder.path().join("none.pcapng").exists());

    let run = folder.run(&["pcap", "packets-ndis.etl", "-o", "ndis.pcapng"]);
    assert_eq!(run.code, 0, "{}", run.err);
    insta::assert_snapshot!("pcap_ndis", run.err);
    let written = std::fs::read(folder.path().join("ndis.pcapng")).unwrap();
    assert_eq!(written.get(..4), Some(&[0x0a, 0x0d, 0x0d, 0x0a][..]));
    let strict = folder.run(&["pcap", "packets-ndis.etl", "-o", "ndis.pcapng", "--fail-on", "lost"]);
    assert_eq!(strict.code, 1);

    let piped = folder.command(&["pcap", "packets-pktmon.etl"]).output().unwrap();
    insta::assert_snapshot!("pcap_pktmon", String::from_utf8(piped.stderr).unwrap());
    assert_eq!((piped.status.code(), piped.stdout.get(..4)), (Some(0), Some(&[0x0a, 0x0d, 0x0d, 0x0a][..])));
    let quiet = folder.run(&["-q", "pcap", "packets-pktmon.etl", "--with-drops", "-o", "all.pcapng"]);
    assert_eq!((quiet.code, quiet.err.as_str()), (0, ""));

    let same = folder.run(&["pcap", "packets-ndis.etl", "-o", "packets-ndis.etl"]);
    assert_eq!(same.code, 2, "the input is not overwritten");
}

#[test]
fn mof_files_and_folders_of_them_give_schemas() {
    let folder = Folder::with(&["hello.etl"]);
    folder.write("mof/a.mof", include_bytes!("../../../parsers/mof/tests/sample.mof"));
    folder.write("mof/broken.mof", b"class A {\n  uint32 x\n};");
    let run = folder.run(&["info", "hello.etl", "--schemas", "mof"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.contains("mof/broken.mof: no schemas: line 3: column 1: expected `;`"), "{}", run.err);
    assert!(run.err.contains("a.mof:75:38: `Beside` has no WmiDataId"), "{}", run.err);
    let run = folder.run(&["info", "hello.etl", "--schemas", "mof/broken.mof"]);
    assert!(run.code == 2 && run.err.starts_with("error: mof/broken.mof: line 3: "), "{}", run.err);
}

#[test]
fn a_trace_without_counters_is_no_performance_log() {
    let folder = Folder::with(&["hello.etl"]);
    let run = folder.run(&["counters", "hello.etl"]);
    assert!(run.code == 2 && run.err.contains("no performance log"), "{}", run.err);
}
