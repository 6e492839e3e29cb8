//! `redact`: pseudonyms, the map, the report, and no file where something is wrong.

use etwkit_synth::payload::Payload;
use etwkit_synth::schema::{Metadata, in_type};
use etwkit_synth::{Buffer, Compression, ExtendedItem, Guid, LogfileHeader, ModernEvent, TraceBuilder};

use crate::common::{Folder, Run};

/// A trace with the folder of a user.
fn folder() -> Folder {
    let folder = Folder::with(&[]);
    let schema = Metadata::event("Opened").field("Path", in_type::UTF16, 0);
    let event = ModernEvent::new(Guid::new(0x77)).channel(11).at(LogfileHeader::default().after(1)).by(7, 8);
    let event =
        event.item(ExtendedItem::schema_tl(schema)).payload(Payload::new().utf16z(&path("Marguerite", "plan.docx")));
    let trace = TraceBuilder::new(LogfileHeader::default()).buffer(Buffer::on(0).event(event)).build();
    std::fs::write(folder.path().join("in.etl"), trace.bytes).unwrap();
    folder
}

fn path(user: &str, file: &str) -> String {
    format!(r"C:\Users\{user}\Documents\{file}")
}

/// As of other outputs: the trace is written, whether the list of pseudonyms was read or not.
#[test]
fn a_reader_of_the_map_that_leaves_is_no_error() {
    let header = LogfileHeader::default();
    let event = |number: i64| {
        let schema = Metadata::event("Login").field("UserName", in_type::UTF16, 0);
        let event = ModernEvent::new(Guid::new(0x77)).channel(11).at(header.after(number)).by(7, 8);
        event.item(ExtendedItem::schema_tl(schema)).payload(Payload::new().utf16z(&format!("somebody{number}")))
    };
    // A map that is in memory until the end, and one that is not.
    for events in [3, 4_000] {
        let buffer = |first: i64| Buffer::on(0).events((first..events.min(first + 20)).map(event));
        let bytes = TraceBuilder::new(header.clone()).buffers((0..events).step_by(20).map(buffer)).build().bytes;
        let folder = Folder::with(&[]);
        folder.write("names.etl", &bytes);
        for more in [&["--map", "-"][..], &["--report", "-"]] {
            let mut command = folder.command(&[&["redact", "-q", "names.etl", "-o", "out.etl"], more].concat());
            let (reader, writer) = std::io::pipe().unwrap();
            drop(reader);
            let run: Run = command.stdout(writer).output().unwrap().into();
            assert_eq!((run.code, run.err.as_str()), (0, ""), "{more:?}, {events} events");
            std::fs::remove_file(folder.path().join("out.etl")).unwrap();
        }
    }
}

#[test]
fn a_trace_is_redacted_and_its_owner_has_the_map() {
    let folder = folder();
    let key = folder.path().join("key");
    std::fs::write(key, "0123456789abcdef").unwrap();
    let run =
        folder.run(&["redact", "in.etl", "-o", "out.etl", "--key", "key", "--map", "map.csv", "--report", "r.json"]);
    assert_eq!((run.code, run.out.as_str()), (0, ""), "{}", run.err);
    assert!(run.err.contains("1 of 2 events changed, user 1, path 1"), "{}", run.err);
    let map = std::fs::read_to_string(folder.path().join("map.csv")).unwrap();
    let rows: Vec<Vec<&str>> = map.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!((rows[0][0], rows[1][0], rows[1][2], rows[2][0]), ("secret", "marguerite", "user", "plan"));
    let event = folder.dump(&["out.etl", "--event", "Opened"]).swap_remove(0);
    let shown = event["fields"]["Path"].as_str().unwrap().to_lowercase();
    assert_eq!(shown, path(rows[1][1], &format!("{}.docx", rows[2][1])).to_lowercase());
    let report: serde_json::Value =
        serde_json::from_slice(&std::fs::read(folder.path().join("r.json")).unwrap()).unwrap();
    assert_eq!((&report["changed"], &report["changes"][0]["field"]), (&1.into(), &"Path".into()));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(folder.path().join("map.csv")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    let again = folder.run(&["redact", "in.etl", "-o", "again.etl", "--key", "key"]);
    assert_eq!(again.code, 0, "{}", again.err);
    let [one, two] = ["out.etl", "again.etl"].map(|name| std::fs::read(folder.path().join(name)).unwrap());
    assert!(one == two && one.len() == std::fs::read(folder.path().join("in.etl")).unwrap().len());
}

#[test]
fn a_list_of_words_may_be_utf_16_and_nothing_else_but_utf_8() {
    let folder = folder();
    let list = "\u{FEFF}Documents\r\ndocx\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    std::fs::write(folder.path().join("words.txt"), list).unwrap();
    let run = folder.run(&["redact", "in.etl", "--dry-run", "--words", "words.txt"]);
    assert!(run.code == 0 && run.out.contains("\n2\tword\t"), "{}{}", run.out, run.err);
    std::fs::write(folder.path().join("latin.txt"), b"M\xFCller\n").unwrap();
    let run = folder.run(&["redact", "in.etl", "--dry-run", "--words", "latin.txt"]);
    assert!(run.code == 2 && run.err.contains("neither UTF-8 nor UTF-16"), "{}", run.err);
}

#[test]
fn a_dry_run_prints_and_writes_nothing() {
    let folder = folder();
    let count = || std::fs::read_dir(folder.path()).unwrap().count();
    let before = count();
    let run = folder.run(&["redact", "in.etl", "--dry-run", "--word", "docx"]);
    assert_eq!((run.code, count()), (0, before), "{}", run.err);
    assert!(run.out.contains("1\tuser\t") && run.out.contains("/Opened\tPath\n"), "{}", run.out);
    assert!(run.out.contains("1\tword\t") && !run.out.to_lowercase().contains("marguerite"), "{}", run.out);
}

#[test]
fn what_cannot_be_redacted_leaves_no_file() {
    let folder = Folder::with(&["bperf.btl", "hello.etl"]);
    std::fs::write(folder.path().join("short"), "key").unwrap();
    for (arguments, why) in [
        (&["bperf.btl"][..], "blocks of .btl files"),
        (&["hello.etl", "--word", "ab"], "fewer than three characters"),
        (&["hello.etl", "--key", "short"], "at least 16 bytes"),
        (&["hello.etl", "--words", "none.txt"], "no such file"),
        (&["hello.etl", "hello.etl", "bperf.btl"], "one file at a time"),
    ] {
        let run = folder.run(&[&["redact"], arguments, &["-o", "out.etl"]].concat());
        assert!(run.code == 2 && run.err.contains(why), "{arguments:?}: {} {}", run.code, run.err);
        assert!(!folder.path().join("out.etl").exists());
    }
    let onto = folder.run(&["redact", "hello.etl", "-o", "hello.etl"]);
    assert!(onto.code == 2 && onto.err.contains("overwrite an input"), "{}", onto.err);
}

/// Devices have no end, and take nothing.
#[cfg(target_os = "linux")]
#[test]
fn devices_are_named_in_errors() {
    let folder = Folder::with(&["hello.etl"]);
    for (arguments, why) in [
        (["--key", "/dev/zero"], "/dev/zero: the file has more than 16 MB"),
        (["--words", "/dev/zero"], "/dev/zero: the file has more than 16 MB"),
        (["--map", "/dev/full"], "/dev/full: the disk is full"),
        (["--report", "/dev/full"], "/dev/full: the disk is full"),
    ] {
        let run = folder.run(&[&["redact", "hello.etl", "-o", "out.etl"], &arguments[..]].concat());
        assert!(run.code == 2 && run.err.contains(why), "{arguments:?}: {} {}", run.code, run.err);
        assert!(!folder.path().join("out.etl").exists());
    }
}

#[test]
fn a_word_that_events_are_read_by_is_named_with_a_way_out() {
    let folder = Folder::with(&["eventsource-manifest.etl"]);
    let run = folder.run(&["redact", "eventsource-manifest.etl", "-o", "out.etl", "--word", "templates"]);
    let says = ["\"templates\"", "use another word"].iter().all(|part| run.err.contains(part));
    assert!(run.code == 2 && says && !run.err.contains("repair"), "{} {}", run.code, run.err);
    assert!(!folder.path().join("out.etl").exists());
}

#[test]
fn one_buffer_is_no_several() {
    let folder = Folder::with(&[]);
    let event = || ModernEvent::new(Guid::new(0x77)).at(LogfileHeader::default().after(1)).by(7, 8).payload([1]);
    for (count, says) in [(1, "1 compressed buffer: written plain"), (2, "2 compressed buffers: written plain")] {
        let buffers = (0..count).map(|_| Buffer::on(0).event(event()).compress(Compression::Xpress));
        let trace = buffers.fold(TraceBuilder::new(LogfileHeader::default()), TraceBuilder::buffer).build();
        std::fs::write(folder.path().join("in.etl"), trace.bytes).unwrap();
        let run = folder.run(&["redact", "in.etl", "-o", "out.etl"]);
        assert!(run.code == 0 && run.err.contains(says), "{} {}", run.code, run.err);
        let row = says.replacen(' ', "\t", 1);
        let run = folder.run(&["redact", "in.etl", "--dry-run"]);
        assert!(run.out.ends_with(&format!("{row}\n")), "{}", run.out);
    }
}

#[test]
fn a_copy_that_is_no_trace_or_has_no_times_is_refused_with_a_way_out() {
    for (name, why) in [
        ("buffer-in-unread-bytes", "cannot be recognized as a trace"),
        ("header-in-unused-bytes", "its header is in an event that is damaged"),
    ] {
        let folder = Folder::with(&[]);
        let damaged = format!("{}/../../fuzz/crashes/redact/{name}", env!("CARGO_MANIFEST_DIR"));
        let run = folder.run(&["redact", &damaged, "-o", "out.etl"]);
        assert_eq!(run.code, 2, "{name}: {}", run.err);
        let says = [why, "etwkit repair"].iter().all(|part| run.err.contains(part));
        assert!(says, "{name}: {}", run.err);
        assert!(!folder.path().join("out.etl").exists(), "{name}");
        assert_eq!(folder.run(&["repair", &damaged, "-o", "clean.etl"]).code, 0, "{name}");
        let run = folder.run(&["redact", "clean.etl", "-o", "out.etl"]);
        assert_eq!(run.code, 0, "{name}: {}", run.err);
    }
}

#[test]
fn outputs_replace_neither_what_is_read_nor_each_other() {
    let folder = folder();
    let (key, words) = ("0123456789abcdef", "plan\n");
    std::fs::write(folder.path().join("key"), key).unwrap();
    std::fs::write(folder.path().join("words"), words).unwrap();
    for (arguments, why) in [
        (&["-o", "o.etl", "--words", "words", "--map", "words"][..], "overwrite an input"),
        (&["-o", "key", "--key", "key"], "overwrite an input"),
        (&["-o", "o.etl", "--key", "key", "--map", "key"], "overwrite an input"),
        (&["-o", "o.etl", "--map", "x", "--report", "x"], "the same file"),
        (&["-o", "o.etl", "--map", "./o.etl"], "the same file"),
    ] {
        let run = folder.run(&[&["redact", "in.etl"], arguments].concat());
        assert!(run.code == 2 && run.err.contains(why), "{arguments:?}: {} {}", run.code, run.err);
        assert!(["o.etl", "x"].iter().all(|name| !folder.path().join(name).exists()), "{arguments:?}");
    }
    assert_eq!(std::fs::read_to_string(folder.path().join("key")).unwrap(), key);
    assert_eq!(std::fs::read_to_string(folder.path().join("words")).unwrap(), words);
}

#[test]
fn an_input_that_cannot_be_opened_leaves_no_file() {
    let folder = folder();
    std::fs::write(folder.path().join("junk.etl"), "this is not a trace").unwrap();
    let run = folder.run(&["redact", "in.etl", "junk.etl", "-o", "out.etl"]);
    assert_eq!(run.code, 2, "{}", run.err);
    assert!(!folder.path().join("out.etl").exists());
}

#[test]
fn a_trace_that_was_cut_in_copying_is_redacted_as_damaged() {
    let folder = folder();
    let bytes = std::fs::read(folder.path().join("in.etl")).unwrap();
    let header = &bytes[bytes.len() / 2..][..80];
    std::fs::write(folder.path().join("cut.etl"), [&bytes, header].concat()).unwrap();
    let run = folder.run(&["redact", "cut.etl", "-o", "out.etl"]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(folder.path().join("out.etl").exists());
}

#[test]
fn words_that_are_replaced_nowhere_are_named() {
    let folder = folder();
    let run = |list: &str| {
        std::fs::write(folder.path().join("list.txt"), list).unwrap();
        folder.run(&["redact", "in.etl", "--dry-run", "--words", "list.txt"])
    };
    let some = run("docx\nnowhere\n");
    assert!(some.code == 0 && some.err.contains("1 word replaced nowhere: `nowhere`."), "{}", some.err);
    assert!(!run("docx\n").err.contains("nowhere"));
    let map = run("secret,pseudonym,kind,count\ndocx,abcd,word,1\nab,cd,user,1\n");
    assert!(map.code == 0 && map.out.contains("1\tword\t"), "{}{}", map.out, map.err);
    assert!(map.err.contains("1 secret too short to be looked for") && !map.err.contains("nowhere"), "{}", map.err);
    for (list, why) in [("", "no word"), ("docx\0", "null characters")] {
        let refused = run(list);
        assert!(refused.code == 2 && refused.err.contains(why), "{}", refused.err);
    }
}
