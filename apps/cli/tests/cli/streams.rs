//! Stdout, stderr and files: what goes where, and what it looks like.

use std::io::Read;
use std::process::Stdio;

use crate::common::{Folder, Run, fixture};

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
    assert_eq!((text.code, text.out.lines().count()), (0, 12));
    assert!(text.out.contains("Synth.Cafe"), "{}", text.out);
}

#[test]
fn a_file_is_no_folder() {
    let folder = Folder::with(&["hello.etl"]);
    for arguments in [
        &["dump", "hello.etl", "-f", "csv", "-o", "hello.etl/"][..],
        &["dump", "hello.etl", "-o", "hello.etl/out.jsonl"],
        &["relog", "hello.etl", "-o", "hello.etl/out.etl"],
        &["export", "hello.etl", "-o", "hello.etl/out", "--by-event"],
        &["man", "-o", "hello.etl"],
    ] {
        let run = folder.run(arguments);
        assert_eq!(run.code, 2, "{arguments:?}: {}", run.err);
        let is_plain = run.err.contains("a part of the path is not a folder\nhint: ");
        assert!(is_plain && !run.err.contains("os error") && !run.err.contains(".part"), "{arguments:?}: {}", run.err);
    }
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let folder = Folder::with(&[]);
    let trace = fixture("many-processors.etl");
    let mut large = Vec::new();
    etwkit_synth::repeat(&trace, 200).write_to(&mut large).unwrap();
    folder.write("large.etl", &large);
    for arguments in [
        &["dump", "large.etl"][..],
        &["dump", "large.etl", "--threads", "4"],
        &["buffers", "large.etl"],
        &["count", "large.etl", "--group-by", "raw_time,tid", "--format", "csv"],
        &["dump", "large.etl", "--group-by", "raw_time", "--format", "csv"],
        &["table", "large.etl", "--format", "csv"],
    ] {
        let mut child = folder.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut some = [0; 100];
        child.stdout.take().unwrap().read_exact(&mut some).unwrap();
        let run: Run = child.wait_with_output().unwrap().into();
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{arguments:?}");
    }
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
