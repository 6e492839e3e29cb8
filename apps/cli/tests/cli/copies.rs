//! `relog`, `repair`, and files that are written: complete or not at all, and never in place of an input.

#[cfg(unix)]
use crate::common::Run;
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
fn a_copy_names_its_files_without_their_folders() {
    let folder = Folder::with(&["scheduling.etl"]);
    let path = folder.path().join("scheduling.etl");
    let run = folder.run(&["relog", path.to_str().unwrap(), "-o", "part.etl"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(folder.dump(&["part.etl", "--event", "Copy"])[0]["fields"]["Source"], "scheduling.etl");
}

#[test]
fn a_lost_clock_is_said_of_copies() {
    let folder = Folder::with(&["many-processors.etl"]);
    let path = folder.path().join("many-processors.etl");
    let mut bytes = std::fs::read(&path).unwrap();
    // No header states that buffers have no bytes.
    bytes[72 + 32..72 + 36].fill(0);
    std::fs::write(&path, bytes).unwrap();
    for command in ["relog", "repair"] {
        let run = folder.run(&[command, "many-processors.etl", "-o", "copy.etl"]);
        assert!(run.err.contains("times in the copy count ticks as from 1601"), "{command}: {}", run.err);
        let check = folder.run(&["check", "copy.etl"]);
        assert!(check.out.contains("the header states no start of the session"), "{}", check.out);
    }
}

/// What follows the number of events that no part was chosen for.
const NO_PROCESS: &str = " events about no process: in the files whose events need them, or in none";

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
            .filter(|line| line.starts_with("note: part-"))
            .filter_map(|line| line.split(".etl: ").nth(1)?.split(' ').next()?.parse::<usize>().ok())
            .sum();
        let left: usize = run
            .err
            .lines()
            .filter_map(|line| line.strip_prefix("note: ")?.strip_suffix(NO_PROCESS)?.parse::<usize>().ok())
            .sum();
        assert_eq!(sum + left, events(&folder, &[name]).len(), "{split}: {}", run.err);
    }
}

/// Names of the parts that are there.
fn parts(folder: &Folder) -> Vec<String> {
    let names =
        std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name.starts_with("part-")).collect();
    names.sort();
    names
}

#[test]
fn merged_parts_have_events_and_losses_once() {
    let folder = Folder::with(&[]);
    let events_lost = 72 + 32 + 0x30;
    for (split, name) in
        [("1ms", "scheduling.etl"), ("provider", "headers-all-kinds.etl"), ("12KB", "many-processors.etl")]
    {
        let mut lossy = fixture(name);
        lossy[events_lost] = 5;
        folder.write("lossy.etl", &lossy);
        assert_eq!(folder.run(&["relog", "lossy.etl", "-o", "part.etl", "--split", split]).code, 0, "{split}");
        let names = parts(&folder);
        let files: Vec<&str> = names.iter().map(String::as_str).collect();
        let run = folder.run(&[&["relog"], &*files, &["-o", "whole.etl"]].concat());
        assert_eq!(run.code, 0, "{split}: {}", run.err);
        let is_noted = run.err.contains("these files are copies of one trace");
        assert!(names.len() > 1 && (is_noted || name != "scheduling.etl"), "{split}: {}", run.err);
        let [mut whole, mut lossy] = ["whole.etl", "lossy.etl"].map(|name| events(&folder, &[name]));
        if split == "provider" {
            // Events of one time and processor come part by part.
            whole.sort();
            lossy.sort();
        }
        assert_eq!(whole, lossy, "{split}");
        assert_eq!(folder.run(&["info", "whole.etl", "--json"]).json()[0]["events_lost"], 5, "{split}");
        for name in &names {
            std::fs::remove_file(folder.path().join(name)).unwrap();
        }
    }
}

#[test]
fn parts_of_another_split_do_not_stay_unnoticed() {
    let folder = Folder::with(&["scheduling.etl"]);
    let split = |by: &str| folder.run(&["relog", "scheduling.etl", "-o", "part.etl", "--split", by]);
    folder.write("part-of-mine.etl", &fixture("hello.etl"));
    assert_eq!(split("1ms").code, 0);
    let first = parts(&folder);
    assert!(first.len() > 2, "{first:?}");
    let run = split("1h");
    let is_refused = run.code == 2 && run.err.contains("part-002.etl: a file of another split");
    assert!(is_refused && run.err.contains("hint: remove these files"), "{}", run.err);
    assert_eq!((split("1ms").code, parts(&folder)), (0, first), "the same again replaces them");
}

#[test]
fn stretches_without_an_event_take_neither_time_nor_a_name() {
    use etwkit_synth::{Buffer, Guid, LogfileHeader, ModernEvent, TraceBuilder};
    let header = LogfileHeader::default();
    let day = 24 * 3600 * 10_000_000;
    let event = |at: i64| ModernEvent::new(Guid::new(7)).id(7).at(header.after(at)).by(400, 404);
    let buffer = Buffer::on(0).event(event(0)).event(event(day)).event(event(day + 10));
    let folder = Folder::with(&[]);
    folder.write("long.etl", &TraceBuilder::new(header.clone()).buffer(buffer).build().bytes);
    let run = folder.run(&["relog", "long.etl", "-o", "part.etl", "--split", "1ms"]);
    assert_eq!(
        (run.code, parts(&folder)),
        (0, vec!["part-001.etl".to_owned(), "part-002.etl".to_owned()]),
        "{}",
        run.err
    );
}

#[test]
fn parts_without_an_event_are_told() {
    let folder = Folder::with(&["scheduling.etl"]);
    for split in ["process", "provider", "1s"] {
        let run = folder.run(&["relog", "scheduling.etl", "-o", "part.etl", "--split", split, "--pid", "4000000000"]);
        assert!(run.code == 0 && run.err.contains("no file was made"), "{split}: {}", run.err);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "{split}");
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

#[test]
fn an_input_that_repair_cannot_open_is_in_the_exit_code() {
    let folder = Folder::with(&["hello.etl", "damaged-event-size.etl"]);
    for whole in ["hello.etl", "damaged-event-size.etl"] {
        let run = folder.run(&["repair", whole, "missing.etl", "-o", "new.etl"]);
        assert!(run.code == 2 && run.err.contains("missing.etl: no such file"), "{whole}: {} {}", run.code, run.err);
        assert!(folder.path().join("new.etl").exists(), "{whole}: the others are read");
    }
}

/// A buffer of this file states that 1.3 MB are used of its 7,852 bytes, and that events were lost before it.
#[test]
fn a_damaged_length_makes_no_large_copy() {
    let damaged = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/crashes/redact/buffer-in-unread-bytes");
    let folder = Folder::with(&[]);
    folder.write("damaged.etl", &std::fs::read(damaged).unwrap());
    let run = folder.run(&["repair", "damaged.etl", "-o", "whole.etl"]);
    assert_eq!(run.code, 0, "{}", run.err);
    // The header, the note that it is a copy, and what follows the loss.
    assert_eq!(std::fs::metadata(folder.path().join("whole.etl")).unwrap().len(), 3 * 8192);
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

/// Runs a command that ends without anybody at the other end of its output.
#[cfg(unix)]
fn run_alone(folder: &Folder, arguments: &[&str]) -> Run {
    use std::process::Stdio;
    let mut command = folder.command(arguments);
    let piped = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    let begun = std::time::Instant::now();
    while child.try_wait().unwrap().is_none() {
        let waits = begun.elapsed() > std::time::Duration::from_secs(60);
        if waits {
            child.kill().unwrap();
        }
        assert!(!waits, "{arguments:?} waits");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    child.wait_with_output().unwrap().into()
}

/// Returns whether a name is that of a plain file.
#[cfg(unix)]
fn is_plain(folder: &Folder, name: &str) -> bool {
    folder.path().join(name).symlink_metadata().is_ok_and(|known| known.is_file())
}

/// A socket stands for a device: no plain file, and what opens it does not wait.
#[cfg(unix)]
#[test]
fn a_trace_never_takes_the_place_of_what_is_no_file() {
    let folder = Folder::with(&["hello.etl"]);
    let _socket = std::os::unix::net::UnixListener::bind(folder.path().join("socket")).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(folder.path().join("pipe")).status().unwrap().success());
    std::os::unix::fs::symlink("socket", folder.path().join("link")).unwrap();
    std::os::unix::fs::symlink("/dev/fd/1", folder.path().join("stdout")).unwrap();
    for command in ["relog", "repair", "redact"] {
        for output in ["socket", "pipe", "link", "-", "stdout"] {
            let run = run_alone(&folder, &[command, "hello.etl", "-o", output]);
            assert!(run.code == 2 && run.err.contains("plain file"), "{command} {output}: {} {}", run.code, run.err);
            assert!(run.out.is_empty() && !is_plain(&folder, output), "{command} {output}");
        }
    }
    for output in ["socket", "pipe", "link", "-", "stdout"] {
        let run = run_alone(&folder, &["relog", "hello.etl", "-o", output, "--split", "1s"]);
        assert!(run.code == 2 && run.err.contains("plain file"), "{output}: {}", run.err);
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 5, "nothing was made");
}

#[test]
fn parts_are_not_called_after_a_folder() {
    let folder = Folder::with(&["hello.etl"]);
    std::fs::create_dir(folder.path().join("parts")).unwrap();
    for output in ["parts", "parts/", "new/"] {
        let run = folder.run(&["relog", "hello.etl", "-o", output, "--split", "1s"]);
        assert!(run.code == 2 && run.err.contains("folder"), "{output}: {} {}", run.code, run.err);
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "nothing was made");
}

#[cfg(unix)]
#[test]
fn tables_never_take_the_place_of_what_is_no_file() {
    let folder = Folder::with(&["hello.etl"]);
    assert_eq!(folder.run(&["dump", "hello.etl", "-f", "csv", "-o", "tables/"]).code, 0);
    let name = std::fs::read_dir(folder.path().join("tables")).unwrap().next().unwrap().unwrap().path();
    std::fs::remove_file(&name).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&name).status().unwrap().success());
    let run = run_alone(&folder, &["dump", "hello.etl", "-f", "csv", "-o", "tables/"]);
    assert!(run.code == 2 && run.err.contains("plain file"), "{}", run.err);
    assert!(!name.metadata().unwrap().is_file());
}

#[cfg(unix)]
#[test]
fn what_redact_tells_goes_to_pipes_as_well() {
    let folder = Folder::with(&["hello.etl"]);
    std::os::unix::fs::symlink("/dev/fd/1", folder.path().join("stdout")).unwrap();
    for (option, begin) in [("--map", "secret,pseudonym,kind,count\n"), ("--report", "{")] {
        for output in ["stdout", "-"] {
            let run = run_alone(&folder, &["redact", "hello.etl", "-o", "new.etl", option, output]);
            assert!(run.code == 0 && run.out.starts_with(begin), "{option} {output}: {} {}", run.out, run.err);
        }
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3, "nothing else was made");
}

/// A pipe that was read is not opened again.
#[cfg(unix)]
#[test]
fn an_input_that_is_a_pipe_is_not_waited_for() {
    let folder = Folder::with(&["hello.etl"]);
    folder.write("out.etl", b"old");
    assert!(std::process::Command::new("mkfifo").arg(folder.path().join("pipe")).status().unwrap().success());
    let (from, to) = (folder.path().join("hello.etl"), folder.path().join("pipe"));
    let feed = std::thread::spawn(move || std::fs::write(to, std::fs::read(from).unwrap()));
    let run = run_alone(&folder, &["relog", "pipe", "-o", "out.etl"]);
    assert_eq!(run.code, 0, "{}", run.err);
    feed.join().unwrap().unwrap();
    assert_ne!(std::fs::read(folder.path().join("out.etl")).unwrap(), b"old");
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

#[test]
fn results_of_a_copy_are_said_to_be_of_some_events() {
    let folder = Folder::with(&["scheduling.etl"]);
    for (name, filter, is_partial) in [("some.etl", &["--process", "System"][..], true), ("all.etl", &[], false)] {
        let made = folder.run(&[&["relog", "scheduling.etl", "-o", name], filter].concat());
        assert_eq!(made.code, 0, "{}", made.err);
        for command in [&["analyze", "threads"][..], &["profile", "--by", "cswitch"], &["check"]] {
            let run = folder.run(&[command, &[name]].concat());
            assert_eq!(run.err.contains("some.etl: a copy by `etwkit relog`"), is_partial, "{command:?}: {}", run.err);
        }
    }
}
