//! Signals that ask the program to end.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};

use crate::common::Folder;
use crate::{end, large, names, wait_until};

/// Signals of which the program handles all, or none if one of them is ignored: SIGHUP, SIGINT, SIGTERM.
const HANDLED: u64 = 1 | 1 << 1 | 1 << 14;

/// Returns whether the program is not interrupted in order here: under `nohup`, and in the background of a script.
fn is_skipped() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).map(str::trim);
    let mask = ignored.and_then(|mask| u64::from_str_radix(mask, 16).ok()).unwrap_or(0);
    let is_skipped = mask & HANDLED != 0;
    if is_skipped {
        eprintln!("SKIPPED: a signal is ignored here, as under nohup, so that the program handles none");
    }
    is_skipped
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([format!("-{name}"), child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// Starts a command that writes to a file, and interrupts it when the file is begun.
fn interrupted(
    folder: &Folder,
    arguments: &[&str],
    name: &str,
    is_begun: impl Fn(&Folder) -> bool,
) -> (Option<i32>, String) {
    let mut child = folder.command(arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until(|| {
        assert_eq!(child.try_wait().unwrap(), None, "{arguments:?} ended before it was interrupted");
        is_begun(folder)
    });
    // Stopped, it cannot come to its end meanwhile, however busy the machine is.
    for name in ["STOP", name, "CONT"] {
        signal(&child, name);
    }
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    (end(child), said)
}

#[test]
fn an_interruption_leaves_no_file() {
    if is_skipped() {
        return;
    }
    let folder = Folder::with(&[]);
    folder.write("large.etl", &large(2000));
    folder.write("out.jsonl", b"old");
    std::fs::create_dir(folder.path().join("tables")).unwrap();
    let part = |folder: &Folder| names(folder).iter().any(|name| name.starts_with(".etwkit-"));
    let in_tables = |folder: &Folder| std::fs::read_dir(folder.path().join("tables")).unwrap().count() > 0;
    for (arguments, name) in [
        (&["dump", "large.etl", "-o", "out.jsonl"][..], "INT"),
        (&["dump", "large.etl", "--threads", "2", "-f", "csv", "-o", "out.csv"], "TERM"),
        (&["relog", "large.etl", "-o", "out.etl"], "INT"),
    ] {
        let (code, said) = interrupted(&folder, arguments, name, part);
        assert_eq!(
            (code, said.as_str()),
            (Some(130), "error: interrupted: the output is not complete\n"),
            "{arguments:?}"
        );
        assert_eq!(names(&folder), ["large.etl", "out.jsonl", "tables"], "{arguments:?}");
    }
    let (code, _) = interrupted(&folder, &["dump", "large.etl", "-f", "csv", "-o", "tables/"], "INT", in_tables);
    assert_eq!((code, in_tables(&folder)), (Some(130), false));
    assert_eq!(std::fs::read(folder.path().join("out.jsonl")).unwrap(), b"old");
}

/// A script starts what is to run in the background with SIGINT ignored; `nohup` ignores SIGHUP.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_is_handled_while_another_one_is_ignored() {
    // What is ignored here is ignored in what a test starts, too.
    if is_skipped() {
        return;
    }
    let folder = Folder::with(&[]);
    folder.write("large.etl", &large(4000));
    for (ignored, sent) in [("INT", "TERM"), ("HUP", "INT"), ("INT HUP", "TERM"), ("TERM", "HUP")] {
        let ignored_only = end_after(&folder, ignored, ignored);
        assert_eq!(ignored_only, Some(0), "{ignored} stays ignored");
        assert_eq!(names(&folder), ["large.etl", "out.jsonl"], "{ignored} stays ignored");
        std::fs::remove_file(folder.path().join("out.jsonl")).unwrap();
        let interrupted = end_after(&folder, ignored, &format!("{ignored} {sent}"));
        assert_eq!(interrupted, Some(130), "{sent} while {ignored} is ignored");
        assert_eq!(names(&folder), ["large.etl"], "{sent} while {ignored} is ignored");
    }
}

/// Writes a file with some signals ignored, and returns the exit code after others, which are sent as in [`interrupted`].
#[cfg(target_os = "linux")]
fn end_after(folder: &Folder, ignored: &str, sent: &str) -> Option<i32> {
    let program = folder.command(&["dump", "large.etl", "-o", "out.jsonl"]);
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("trap '' {ignored}; exec \"$0\" \"$@\"")]).arg(program.get_program());
    shell.args(program.get_args()).current_dir(folder.path()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = shell.spawn().unwrap();
    wait_until(|| {
        assert_eq!(child.try_wait().unwrap(), None, "it ended before it was interrupted");
        names(folder).iter().any(|name| name.starts_with(".etwkit-"))
    });
    for name in ["STOP"].into_iter().chain(sent.split(' ')).chain(["CONT"]) {
        signal(&child, name);
    }
    end(child)
}

#[test]
fn an_interruption_ends_stdout_with_a_whole_line() {
    if is_skipped() {
        return;
    }
    let folder = Folder::with(&[]);
    folder.write("large.etl", &large(1000));
    for arguments in [
        &["dump", "large.etl"][..],
        &["dump", "large.etl", "-f", "csv", "--threads", "2"],
        &["table", "large.etl", "-f", "jsonl"],
        &["buffers", "large.etl"],
    ] {
        let mut child = folder.command(arguments).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut written = Vec::new();
        out.read_until(b'\n', &mut written).unwrap();
        signal(&child, "INT");
        // On a busy machine it takes a moment until the signal is handled. The run cannot come to its end meanwhile: its
        // output is much longer than what a pipe holds.
        std::thread::sleep(std::time::Duration::from_millis(200));
        out.read_to_end(&mut written).unwrap();
        let last = &written[written.len().saturating_sub(100)..];
        assert!(last.ends_with(b"\n"), "{arguments:?}: {}", String::from_utf8_lossy(last));
        assert_eq!(end(child), Some(130), "{arguments:?}");
    }
}

#[test]
fn an_interruption_ends_a_run_that_waits() {
    if is_skipped() {
        return;
    }
    let folder = Folder::with(&[]);
    let start = |arguments: &[&str]| {
        let mut command = folder.command(arguments);
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        // The handler is there before the first byte is read.
        std::thread::sleep(std::time::Duration::from_millis(300));
        child
    };
    let mut child = start(&["dump", "-"]);
    let stdin = child.stdin.take();
    signal(&child, "INT");
    assert_eq!(end(child), Some(130), "it waits for its input");
    drop(stdin);

    // Nobody reads what it writes.
    folder.write("large.etl", &large(200));
    let mut child = start(&["dump", "large.etl"]);
    let stdout = child.stdout.take();
    signal(&child, "INT");
    signal(&child, "INT");
    assert_eq!(end(child), Some(130));
    drop(stdout);
}
