//! Errors that a new user meets: what is wrong, and what to do next.

use std::fmt::Write as _;
use std::io::Write as _;

use super::Folder;

/// A file of another kind: its first bytes, filled up.
fn file(start: &[u8]) -> Vec<u8> {
    [start, &[1; 2000]].concat()
}

fn folder() -> Folder {
    let folder = Folder::with(&[
        "hello.etl",
        "x-empty.etl",
        "x-text.etl",
        "x-header-only-cut.etl",
        "http-sys.etl",
        "packets-pktmon.etl",
    ]);
    folder.write("System.evtx", &file(b"ElfFile\0"));
    folder.write("packets.pcapng", &file(b"\x0A\x0D\x0D\x0A"));
    folder.write("packets.pcap", &file(b"\xD4\xC3\xB2\xA1"));
    folder.write("app.nettrace", &file(b"Nettrace"));
    folder.write("memory.dmp", &file(b"PAGEDU64"));
    folder.write("driver.sys", &file(b"MZ"));
    folder.write(
        "provider.man",
        b"<?xml version='1.0'?><instrumentationManifest/>                                        ",
    );
    folder.write("report.txt", &b"all is well. ".repeat(20));
    folder.write("trace.7z", &file(b"7z\xBC\xAF\x27\x1C"));
    folder.write("random.bin", &file(b"\x01\x02\x03\x04"));
    folder.write("notgzip.etl.gz", &file(b"\x1F\x8B\x08\0"));
    folder.write("broken.zip", &file(b"PK\x03\x04"));
    folder.write("packets.cap", &file(b"GMBU"));
    folder.write("trace.etlx", &file(b"\x14\0\0\0!FastSerialization.1"));
    folder.write("trace.cab", &file(b"MSCF"));
    folder.write("old.evt", &file(b"0\0\0\0LfLe"));
    folder.write("perf.data", &file(b"PERFILE2"));
    folder.write("app.dmp", &file(b"MDMP"));
    folder.write("profile.wprp", &[b"<WindowsPerformanceRecorder>".as_slice(), &[b' '; 99]].concat());
    folder.write("notes.etl.zip", &zip("notes.txt", b"no trace"));
    folder.write("wrong.etl.zip", &zip("trace.etl", &b"all is well. ".repeat(20)));
    folder.write("wrong.etl.gz", &gzip(&b"all is well. ".repeat(20)));
    folder.write("none/notes.txt", b"notes");
    folder.write("bad.schema", b"provider {");
    folder
}

fn zip(name: &str, content: &[u8]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    archive.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
    archive.write_all(content).unwrap();
    archive.finish().unwrap().into_inner()
}

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(content).unwrap();
    packed.finish().unwrap()
}

/// What was typed, the exit code, and what was printed.
fn transcript(cases: &[&[&str]]) -> String {
    let folder = folder();
    let mut text = String::new();
    for arguments in cases {
        let run = folder.run(arguments);
        assert_eq!(run.out, "", "{arguments:?}");
        assert_ne!(run.code, 0, "{arguments:?}: {}", run.err);
        writeln!(text, "$ etwkit {}  [{}]\n{}", arguments.join(" "), run.code, run.err).unwrap();
    }
    text
}

#[test]
fn files_that_cannot_be_read() {
    let said = transcript(&[
        &["info", "hullo.etl"],
        &["info", "no/such/trace.etl"],
        &["info", "none"],
        &["info", "none/*.etl"],
        &["info", "*.etl.001"],
        &["info", "x-empty.etl"],
        &["info", "x-text.etl"],
        &["info", "x-header-only-cut.etl"],
        &["info", "System.evtx"],
        &["info", "packets.pcapng"],
        &["info", "packets.pcap"],
        &["info", "app.nettrace"],
        &["info", "memory.dmp"],
        &["info", "driver.sys"],
        &["info", "provider.man"],
        &["info", "report.txt"],
        &["info", "trace.7z"],
        &["info", "random.bin"],
        &["info", "notgzip.etl.gz"],
        &["info", "broken.zip"],
        &["info", "packets.cap"],
        &["info", "trace.etlx"],
        &["info", "trace.cab"],
        &["info", "old.evt"],
        &["info", "perf.data"],
        &["info", "app.dmp"],
        &["info", "profile.wprp"],
        &["info", "notes.etl.zip"],
        &["info", "wrong.etl.zip"],
        &["info", "wrong.etl.gz"],
        &["info", "-"],
        &["tmf", "none"],
    ]);
    insta::assert_snapshot!(said);
}

#[test]
fn arguments_that_are_wrong() {
    let said = transcript(&[
        &["hello.etl"],
        &["infos", "hello.etl"],
        &["show", "hello.etl"],
        &["info"],
        &["dump", "hello.etl", "--formt", "text"],
        &["dump", "hello.etl", "--csv"],
        &["dump", "hello.etl", "--since", "yesterday"],
        &["dump", "hello.etl", "--since", "2021-09-09T14:59:35"],
        &["dump", "hello.etl", "--since", "+1"],
        &["dump", "hello.etl", "--since", "+2s", "--until", "+1s"],
        &["dump", "hello.etl", "--time", "+2s..+1s"],
        &["count", "hello.etl", "--by-time", "1"],
        &["dump", "hello.etl", "--format", "xml", "--fields", "time"],
        &["dump", "hello.etl", "--format", "text", "--stacks"],
        &["dump", "hello.etl", "--level", "loud"],
        &["dump", "hello.etl", "--id", "70000"],
        &["dump", "hello.etl", "--where", "pid = = 4"],
        &["dump", "hello.etl", "--where", "header.Size > 3"],
        &["dump", "hello.etl", "-q", "-v"],
        &["dump", "hello.etl", "-o", "no/folder/out.jsonl"],
        &["dump", "hello.etl", "-o", "hello.etl"],
        &["dump", "hello.etl", "--schemas", "missing.man"],
        &["dump", "hello.etl", "--schemas", "bad.schema"],
        &["dump", "hello.etl", "--symbols", "missing.pdb"],
        &["dump", "hello.etl", "--fields", "time,,pid"],
        &["dump", "hello.etl", "--fields", "time,pid,time"],
        &["dump", "hello.etl", "--fields", "pid,header.pid"],
        &["dump", "hello.etl", "--fields", "Item,fields.item"],
        &["dump", "hello.etl", "--fields", "odd name"],
        &["dump", "hello.etl", "--fields", "", "--format", "twapi"],
        &["dump", "hello.etl", "--fields", "header.Size"],
        &["dump", "hello.etl", "--count", "--fields", "pid"],
        &["dump", "hello.etl", "--count", "--stacks"],
        &["dump", "hello.etl", "--group-by", "pid", "--format", "xml"],
        &["count", "hello.etl", "--group-by", "pid,,tid"],
        &["count", "hello.etl", "--group-by", "pid,pid"],
        &["requests", "hello.etl"],
        &["dump", "hello.etl", "--provider", ""],
        &["table", "hello.etl", "--event", " "],
        &["dump", "hello.etl", "--first", "-1"],
        &["dump", "hello.etl", "--pid", "-1"],
        &["dump", "hello.etl", "--top", "3"],
        &["dump", "hello.etl", "--time-zone", "+25:00"],
        &["dump", "hello.etl", "--time-zone", "-24:00"],
        &["dump", "hello.etl", "--time-zone", "--fields"],
        &["dump", "hello.etl", "--format", "twapi", "--fields", "-timecreatd"],
        &["dump", "hello.etl", "-o", "out/"],
        &["dump", "hello.etl", "--format", "csv", "--count", "-o", "out/"],
        &["table", "hello.etl", "--format", "csv", "-o", "out/"],
        &["requests", "http-sys.etl", "--format", "csv", "-o", "out/"],
        &["pcap", "packets-pktmon.etl", "-o", "out/"],
        &["count", "hello.etl", "--format", "xml"],
        &["tmf", "hello.etl"],
        &["completions", "tcsh"],
    ]);
    insta::assert_snapshot!(said);
}
