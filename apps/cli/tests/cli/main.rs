//! The binary over small traces made on the fly: inputs, filters, exit codes, streams.

#![expect(clippy::unwrap_used, reason = "a test")]

#[path = "../common/mod.rs"]
mod common;
mod conditions;
mod copies;
mod export;
mod findings;
mod inputs;
mod redact;
mod served;
mod streams;
mod tables;
mod view;
mod view_limits;
#[cfg(unix)]
mod view_pipes;

use std::io::Write;
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
fn mof_files_and_folders_of_them_give_schemas() {
    let folder = Folder::with(&["hello.etl"]);
    folder.write("mof/a.mof", include_bytes!("../../../../parsers/mof/tests/sample.mof"));
    folder.write("mof/broken.mof", b"class A {\n  uint32 x\n};");
    let run = folder.run(&["info", "hello.etl", "--schemas", "mof"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.contains("mof/broken.mof: no schemas: line 3: column 1: expected `;`"), "{}", run.err);
    assert!(run.err.contains("a.mof:75:38: `Beside` has no WmiDataId"), "{}", run.err);
    let run = folder.run(&["info", "hello.etl", "--schemas", "mof/broken.mof"]);
    assert!(run.code == 2 && run.err.starts_with("error: mof/broken.mof: line 3: "), "{}", run.err);
}
