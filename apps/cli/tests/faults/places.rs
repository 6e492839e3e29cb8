//! Pipes and devices in folders, folders that cannot be listed, many files.

use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::{Folder, Run, fixture};
use crate::end;

/// Runs a command that may not hang.
fn run(folder: &Folder, arguments: &[&str]) -> Run {
    run_command(folder.command(arguments))
}

fn run_command(mut command: Command) -> Run {
    let out = tempfile::tempdir().unwrap();
    let file = |name: &str| std::fs::File::create(out.path().join(name)).unwrap();
    let child = command.stdin(Stdio::null()).stdout(file("out")).stderr(file("err")).spawn().unwrap();
    let code = end(child).unwrap();
    let text = |name: &str| std::fs::read_to_string(out.path().join(name)).unwrap();
    Run { code, out: text("out"), err: text("err") }
}

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn a_search_takes_no_pipe_and_no_device() {
    let folder = Folder::with(&[]);
    folder.write("in/hello.etl", &fixture("hello.etl"));
    pipe(&folder.path().join("in/pipe.etl"));
    symlink("/dev/zero", folder.path().join("in/zero.etl")).unwrap();
    symlink("hello.etl", folder.path().join("in/link.etl")).unwrap();
    let what = "a pipe or a device, or a link to one\nhint: it is read if it is given itself";
    for place in ["in", "in/*.etl", "in/"] {
        let run = run(&folder, &["dump", place]);
        assert_eq!((run.code, run.out.lines().count()), (2, 11), "{place}: {}", run.err);
        let name = place.trim_end_matches("/*.etl").trim_end_matches('/');
        for file in ["pipe.etl", "zero.etl"] {
            assert!(run.err.contains(&format!("error: {name}/{file}: {what}")), "{place}: {}", run.err);
        }
    }
}

#[test]
fn a_file_with_several_names_is_read_once() {
    let folder = Folder::with(&["hello.etl"]);
    std::fs::hard_link(folder.path().join("hello.etl"), folder.path().join("hard.etl")).unwrap();
    symlink("hello.etl", folder.path().join("soft.etl")).unwrap();
    folder.write("copy.etl", &fixture("hello.etl"));
    let lines = |names: &[&str]| {
        let run = run(&folder, &[&["dump"], names].concat());
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{names:?}");
        run.out.lines().count()
    };
    let once = lines(&["hello.etl"]);
    assert_eq!(lines(&["hello.etl", "hard.etl", "soft.etl"]), once);
    assert_eq!(lines(&["hello.etl", "copy.etl"]), 2 * once, "another file of the same bytes");
}

#[test]
fn an_output_through_a_link_is_where_the_link_leads() {
    let folder = Folder::with(&["hello.etl"]);
    std::fs::create_dir(folder.path().join("links")).unwrap();
    symlink("second.jsonl", folder.path().join("first.jsonl")).unwrap();
    symlink("../first.jsonl", folder.path().join("links/link.jsonl")).unwrap();
    // Once the file is not there yet, once it is.
    for _ in 0..2 {
        let run = run(&folder, &["dump", "hello.etl", "-o", "links/link.jsonl"]);
        assert_eq!((run.code, run.err.as_str()), (0, ""));
        for link in ["links/link.jsonl", "first.jsonl"] {
            assert!(folder.path().join(link).symlink_metadata().unwrap().is_symlink(), "{link}");
        }
        assert!(folder.path().join("second.jsonl").symlink_metadata().unwrap().is_file());
    }
}

#[test]
fn an_endless_device_is_told_by_its_first_bytes() {
    let folder = Folder::with(&[]);
    for command in ["info", "dump", "check"] {
        let run = run(&folder, &[command, "/dev/zero"]);
        assert_eq!(run.code, 2);
        assert!(run.err.contains("/dev/zero: not an .etl trace: only zeros"), "{}", run.err);
    }
    let nothing = run(&folder, &["info", "/dev/stdin"]);
    assert!(nothing.code == 2 && nothing.err.contains("the file is empty"), "{}", nothing.err);
}

#[test]
fn folders_that_cannot_be_listed_are_told() {
    let folder = Folder::with(&[]);
    for name in ["in/open/a.etl", "in/closed/b.etl"] {
        folder.write(name, &fixture("hello.etl"));
    }
    let allow = |path: &str, mode: u32| {
        let path = folder.path().join(path);
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    let is_root = folder.path().metadata().unwrap().uid() == 0;
    allow("", 0o755);
    allow("in/closed", 0);
    for place in ["in", "in/*/*.etl", "in/**/*.etl", "in/closed/*.etl"] {
        let mut command = folder.command(&["info", "--brief", place]);
        if is_root {
            // Root may list every folder.
            command.uid(65534).gid(65534);
        }
        let run = run_command(command);
        assert_eq!(run.code, 2, "{place}: {}", run.err);
        assert!(run.err.contains("in/closed: permission denied"), "{place}: {}", run.err);
        assert_eq!(run.out.contains("in/open/a.etl"), !place.contains("closed"), "{place}: {}", run.out);
    }
    allow("in/closed", 0o755);
}

#[test]
fn many_files_need_few_descriptors() {
    let folder = Folder::with(&[]);
    for number in 0..300 {
        folder.write(&format!("in/{number}.etl"), &fixture("hello.etl"));
    }
    let command = |limit: u32, arguments: &str| {
        let mut shell = Command::new("sh");
        let line = format!("ulimit -n {limit}; exec {} {arguments}", env!("CARGO_BIN_EXE_etwkit"));
        shell.current_dir(folder.path()).args(["-c", &line]);
        run_command(shell)
    };
    for arguments in ["dump in", "dump in --threads 4", "info --brief --together in"] {
        let run = command(200, arguments);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{arguments}");
    }
    assert_eq!(command(200, "dump in --count").out, "3300\n");
}
