//! `info --brief`: one line per file, all alike.

use etwkit_synth::{Buffer, Guid, LogfileHeader, ModernEvent, TraceBuilder};
use serde_json::{Value, json};

use super::Folder;

const HEAD: &str =
    "    events      duration  decoded      lost  notes       windows             computer         file\n";

/// A file with one event that nothing describes.
fn trace(header: &LogfileHeader) -> Vec<u8> {
    let event = ModernEvent::new(Guid::new(0x11)).id(1).at(header.after(10)).by(4, 8);
    TraceBuilder::new(header.clone()).buffer(Buffer::on(0).event(event)).build().bytes
}

#[test]
fn each_file_has_a_line() {
    let folder = Folder::with(&["hello.etl", "packets-ndis.etl", "http-sys.etl", "private-logger.etl"]);
    let header = LogfileHeader { events_lost: 1234, buffers_lost: 2, ..LogfileHeader::default() };
    folder.write("lost.etl", &trace(&header));
    let header = LogfileHeader { build: 12345, end_time: 0, ..LogfileHeader::default() };
    folder.write("running.etl", &trace(&header));
    let names = ["hello.etl", "packets-ndis.etl", "http-sys.etl", "lost.etl", "running.etl"];
    let lines = folder.output(&[&["info", "--brief"][..], &names].concat());
    // The header of a file is an event, too.
    let expected = [
        "        11   0:01:00.000    100 %         0              10 22H2                              hello.etl\n",
        "        17   0:01:00.000    100 %         0  packets     10 22H2                              packets-ndis.etl\n",
        "        29   0:01:00.000    100 %         0  requests    Vista                                http-sys.etl\n",
        "         2   0:01:00.000   50.0 %  1,234+2b              10 22H2                              lost.etl\n",
        "         2   0:00:00.000   50.0 %         ?              build 12345                          running.etl\n",
    ];
    assert_eq!(lines, HEAD.to_owned() + &expected.concat());
}

#[test]
fn several_machines_are_counted() {
    let folder = Folder::with(&["hello.etl"]);
    let header = LogfileHeader::default();
    let other = LogfileHeader { build: 9600, boot_time: header.boot_time - 10_000_000_000, ..header };
    folder.write("other.etl", &trace(&other));
    let run =
        |arguments: &[&str]| folder.output(&[&["info", "--together", "hello.etl", "other.etl"], arguments].concat());
    let line = "        13             -   92.3 %         0  2 machines  10 22H2,8.1/2012 R2                   2 files as one trace\n";
    assert_eq!(run(&["--brief"]), HEAD.to_owned() + line);
    let page = run(&[]);
    let machines = "  Machine     Windows 10 22H2, booted 2026-01-01T07:00:00.0000000Z, 1 file\n  \
                    Machine     Windows 8.1 or Server 2012 R2, booted 2026-01-01T06:43:20.0000000Z, 1 file\n";
    assert!(page.contains(machines) && !page.contains("Duration"), "{page}");
    let object: Value = serde_json::from_str(&run(&["-f", "jsonl"])).unwrap();
    let second = json!({
        "os_build": 9600,
        "product": "Windows 8.1 or Server 2012 R2",
        "boot_time": "2026-01-01T06:43:20.0000000Z",
        "files": ["other.etl"],
    });
    assert_eq!(object["machines"][1], second);
    assert_eq!(object["machines"].as_array().unwrap().len(), 2);
}

#[test]
fn a_line_may_be_an_object() {
    let folder = Folder::with(&["packets-ndis.etl", "damaged-truncated.etl"]);
    let run = |name: &str| -> Value {
        let run = folder.run(&["info", "-q", "--brief", "-f", "jsonl", name]);
        assert_eq!(run.out.lines().count(), 1);
        serde_json::from_str(&run.out).unwrap()
    };
    let packets = run("packets-ndis.etl");
    let expected = json!({
        "file": "packets-ndis.etl",
        "bytes": packets["bytes"],
        "events": 17,
        "start": "2026-01-02T03:04:05.0000000Z",
        "end": "2026-01-02T03:05:05.0000000Z",
        "duration_s": 60.0,
        "os_build": 19045,
        "product": "Windows 10 22H2",
        "decoded_events": 17,
        "undecoded_events": 0,
        "events_lost": 0,
        "buffers_lost": 0,
        "commands": ["etwkit pcap FILE -o packets.pcapng"],
        "losses_known": true,
        "notes": ["packets"],
    });
    assert_eq!(packets, expected);
    let damaged = run("damaged-truncated.etl");
    assert!(damaged["damaged_ranges"].as_u64() > Some(0) && damaged["damaged_bytes"].as_u64() > Some(0), "{damaged}");
    assert_eq!(damaged["notes"], json!(["damage"]));
}

#[test]
fn real_traces_name_their_commands() {
    let folder = Folder::with(&[]);
    let traces = [
        ("pktmon/PktMon.etl", "packets", "Contains    114 events with packets: `etwkit pcap FILE -o packets.pcapng`\n"),
        ("tx/HTTP_Server.etl", "requests", "Contains    HTTP requests: `etwkit requests FILE`\n"),
        (
            "blg/CounterSamples.blg",
            "counters",
            "Contains    25 samples of performance counters: `etwkit counters FILE`\n",
        ),
        ("wpp/wppbin-sample.etl", "symbols", "Contains    1 PDB file wanted: `etwkit dump FILE --symbols FILE.pdb`\n"),
    ];
    for (name, note, contains) in traces {
        let Some(path) = etwkit_corpus::path(name) else { return };
        let path = path.to_str().unwrap();
        let page = folder.run(&["info", "-q", path]).out;
        assert!(page.contains(contains), "{page}");
        let line = folder.run(&["info", "-q", "--brief", path]).out;
        assert_eq!(line.lines().nth(1).unwrap().split_whitespace().nth(5), Some(note), "{line}");
    }
    let Some(path) = etwkit_corpus::path("misc/example.etl") else { return };
    assert!(!folder.run(&["info", "-q", path.to_str().unwrap()]).out.contains("Contains"));
}
