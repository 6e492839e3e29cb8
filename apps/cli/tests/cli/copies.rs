//! `relog`, `repair`, and files that are written: complete or not at all, and never in place of an input.

use crate::common::{Folder, fixture};

/// The lines of a dump, without the header's and the copy's own event.
fn events(folder: &Folder, arguments: &[&str]) -> Vec<String> {
    let run = folder.run(&[&["dump", "-q"], arguments].concat());
    let is_event = |line: &&str| !line.contains("\"BuffersWritten\":") && !line.contains("\"event\":\"Copy\"");
    run.out.lines().filter(is_event).map(str::to_owned).collect()
}

#[test]
fn a_part_has_the_events_that_the_filter_chooses() {
    let folder = Folder::with(&["scheduling.etl"]);
    let run = folder.run(&["relog", "scheduling.etl", "-o", "part.etl", "--event", "*CSwitch*", "--compress"]);
    assert_eq!((run.code, run.out.as_str()), (0, ""), "{}", run.err);
    assert!(run.err.contains("part.etl: "), "{}", run.err);
    let old = events(&folder, &["scheduling.etl", "--event", "*CSwitch*"]);
    assert!(!old.is_empty());
    assert_eq!(events(&folder, &["part.etl", "--event", "*CSwitch*"]), old);
    let own = folder.dump(&["part.etl", "--event", "Copy"]);
    assert_eq!(own[0]["fields"]["Source"], "scheduling.etl");
    assert_eq!(own[0]["fields"]["Filter"], "event *CSwitch*");
    let info = folder.run(&["info", "part.etl"]);
    assert!(info.out.contains("(copy by etwkit)"), "{}", info.out);
}

#[test]
fn parts_together_have_all_events() {
    for (split, name) in [
        ("process", "scheduling.etl"),
        ("provider", "headers-all-kinds.etl"),
        ("12KB", "many-processors.etl"),
        ("1ms", "scheduling.etl"),
    ] {
        let folder = Folder::with(&[name]);
        let run = folder.run(&["relog", name, "-o", "part.etl", "--split", split]);
        assert_eq!(run.code, 0, "{split}: {}", run.err);
        let names: Vec<String> = std::fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.starts_with("part-"))
            .collect();
        assert!(names.len() >= 2, "{split}: {names:?}");
        // Each event that passes is in one of them.
        let sum: usize = run
            .err
            .lines()
            .filter_map(|line| line.split(".etl: ").nth(1)?.split(' ').next()?.parse::<usize>().ok())
            .sum();
        let left: usize = run
            .err
            .lines()
            .filter_map(|line| line.strip_prefix("warning: ")?.split(' ').next()?.parse::<usize>().ok())
            .sum();
        assert_eq!(sum + left, events(&folder, &[name]).len(), "{split}: {}", run.err);
    }
}

#[test]
fn what_can_be_read_of_a_damaged_trace_becomes_a_whole_one() {
    for name in
        ["damaged-event-size.etl", "damaged-truncated.etl", "damaged-zero-page.etl", "damaged-truncated-header.etl"]
    {
        let folder = Folder::with(&[name]);
        let run = folder.run(&["repair", name, "-o", "whole.etl"]);
        assert_eq!(run.code, 0, "{name}: {}", run.err);
        let dump = folder.run(&["dump", "whole.etl"]);
        let is_whole = dump.code == 0 && !dump.err.contains("warning") && !dump.err.contains("damage");
        assert!(is_whole, "{name}: {}", dump.err);
        assert_eq!(events(&folder, &["whole.etl"]).len(), events(&folder, &[name]).len(), "{name}");
    }
}

/// A buffer of this file states that 1.3 MB are used of its 7,852 bytes.
#[test]
fn a_damaged_length_makes_no_large_copy() {
    let damaged = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/crashes/redact/buffer-in-unread-bytes");
    let folder = Folder::with(&[]);
    folder.write("damaged.etl", &std::fs::read(damaged).unwrap());
    let run = folder.run(&["repair", "damaged.etl", "-o", "whole.etl"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(std::fs::metadata(folder.path().join("whole.etl")).unwrap().len(), 2 * 8192);
}

#[test]
fn files_that_cannot_be_one_are_refused() {
    let folder = Folder::with(&["bperf.btl", "prevista.etl", "hello.etl", "clock-qpc.etl"]);
    for (files, why) in [
        (&["bperf.btl"][..], "another form"),
        (&["prevista.etl"], "before Vista"),
        (&["hello.etl", "clock-qpc.etl"], "cannot be"),
    ] {
        let run = folder.run(&[&["relog"], files, &["-o", "out.etl"]].concat());
        assert!(run.code == 2 && run.err.contains(why), "{files:?}: {}", run.err);
        assert!(!folder.path().join("out.etl").exists(), "{files:?}");
    }
}

#[cfg(unix)]
#[test]
fn an_output_never_takes_the_place_of_an_input() {
    let folder = Folder::with(&["hello.etl"]);
    let bytes = fixture("hello.etl");
    std::fs::hard_link(folder.path().join("hello.etl"), folder.path().join("hard.etl")).unwrap();
    std::os::unix::fs::symlink("hello.etl", folder.path().join("soft.etl")).unwrap();
    folder.write("own.schema", b"");
    for output in ["hello.etl", "./hello.etl", "hard.etl", "soft.etl"] {
        for command in [&["dump", "hello.etl"][..], &["relog", "hello.etl"]] {
            let run = folder.run(&[command, &["-o", output]].concat());
            assert!(run.code == 2 && run.err.contains("would overwrite an input"), "{output}: {}", run.err);
            assert_eq!(std::fs::read(folder.path().join("hello.etl")).unwrap(), bytes, "{output}");
        }
    }
    let run = folder.run(&["dump", "hello.etl", "--schemas", "own.schema", "-o", "own.schema"]);
    assert!(run.code == 2 && run.err.contains("would overwrite an input"), "{}", run.err);
    // Nothing is left of files that were begun.
    let left = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 4);
}

#[test]
fn a_file_of_that_name_is_replaced() {
    let folder = Folder::with(&["hello.etl"]);
    folder.write("out.csv", b"old");
    assert_eq!(folder.run(&["count", "hello.etl", "-o", "out.csv"]).code, 0);
    assert_ne!(std::fs::read(folder.path().join("out.csv")).unwrap(), b"old");
}

#[cfg(unix)]
#[test]
fn a_table_of_a_folder_is_no_input() {
    let folder = Folder::with(&["hello.etl"]);
    let tables = |run: &str| folder.run(&["dump", "hello.etl", "-f", "csv", "-o", run]);
    assert_eq!(tables("tables/").code, 0);
    let name = std::fs::read_dir(folder.path().join("tables")).unwrap().next().unwrap().unwrap().path();
    std::fs::remove_file(&name).unwrap();
    std::fs::hard_link(folder.path().join("hello.etl"), &name).unwrap();
    let run = tables("tables/");
    assert!(run.code == 2 && run.err.contains("would overwrite"), "{}", run.err);
    assert_eq!(std::fs::read(folder.path().join("hello.etl")).unwrap(), fixture("hello.etl"));
}
