//! Disks without room, files that change, names that are too long.

use std::fs::{File, OpenOptions};
use std::process::Stdio;

use etwkit_synth::schema::{Metadata, Traits};
use etwkit_synth::{ExtendedItem, Guid, LogfileHeader, ModernEvent, TraceBuilder};

use crate::common::{Folder, Run};
use crate::{large, names};

#[test]
fn a_full_disk_is_told_by_every_command() {
    let folder = Folder::with(&["hello.etl"]);
    for arguments in [
        &["dump", "hello.etl"][..],
        &["dump", "hello.etl", "--threads", "2"],
        &["dump", "hello.etl", "-f", "csv"],
        &["info", "hello.etl"],
        &["info", "--brief", "hello.etl"],
        &["info", "--json", "hello.etl"],
        &["count", "hello.etl"],
        &["table", "hello.etl"],
        &["buffers", "hello.etl"],
        &["baseline", "hello.etl"],
        &["twapi-header", "hello.etl"],
        &["check", "hello.etl"],
        &["schema", "hello.etl"],
        &["analyze", "hello.etl"],
        &["help", "where"],
        &["--help"],
        &["completions", "bash"],
        &["man"],
    ] {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let run: Run = folder.command(arguments).stdin(Stdio::null()).stdout(full).output().unwrap().into();
        assert_eq!(run.code, 2, "{arguments:?}");
        assert!(run.err.contains("error: the disk is full\nhint: "), "{arguments:?}: {}", run.err);
    }
    let run = folder.run(&["dump", "hello.etl", "-o", "/dev/full"]);
    assert!(run.code == 2 && run.err.contains("the disk is full"), "{}", run.err);
}

/// A limit on the size of files is a disk that fills up.
#[test]
fn a_disk_that_fills_up_leaves_no_file() {
    let folder = Folder::with(&[]);
    folder.write("large.etl", &large(20));
    for arguments in ["dump large.etl -o out.jsonl", "dump large.etl -f csv -o out/", "relog large.etl -o out.etl"] {
        let line = format!("trap '' XFSZ; ulimit -f 16; exec {} {arguments}", env!("CARGO_BIN_EXE_etwkit"));
        let mut shell = std::process::Command::new("sh");
        let run: Run = shell.current_dir(folder.path()).args(["-c", &line]).output().unwrap().into();
        assert!(run.code == 2 && run.err.starts_with("error: "), "{arguments}: {} {}", run.code, run.err);
        let left: Vec<String> = names(&folder).into_iter().filter(|name| name != "out").collect();
        assert_eq!(left, ["large.etl"], "{arguments}");
        if let Ok(mut tables) = std::fs::read_dir(folder.path().join("out")) {
            assert!(tables.next().is_none(), "{arguments}");
        }
    }
}

#[test]
fn a_file_that_shrinks_while_it_is_read_is_told() {
    let folder = Folder::with(&[]);
    let bytes = large(4000);
    folder.write("large.etl", &bytes);
    let mut command = folder.command(&["dump", "large.etl"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The second pass has begun when the first bytes come.
    let mut some = [0; 100];
    std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut some).unwrap();
    File::options().write(true).open(folder.path().join("large.etl")).unwrap().set_len(bytes.len() as u64 / 2).unwrap();
    let run: Run = child.wait_with_output().unwrap().into();
    assert!(run.code == 1 && run.err.contains("changed while it was read"), "{}: {}", run.code, run.err);
    assert!(run.out.ends_with('\n'));
}

#[test]
fn tables_of_long_names_fit_the_file_system() {
    let folder = Folder::with(&[]);
    let header = LogfileHeader::default();
    let provider = "日本語の提供者".repeat(40);
    let builder = (0..3u32).fold(TraceBuilder::new(header.clone()), |builder, number| {
        let name = format!("{}{number}", "イベント".repeat(60));
        let event = ModernEvent::new(Guid::new(7)).channel(11).at(header.after(10 + i64::from(number)));
        let event = event.item(ExtendedItem::provider_traits(Traits::new(&provider)));
        let event = event.item(ExtendedItem::schema_tl(Metadata::event(&name)));
        builder.log(0, event)
    });
    folder.write("long.etl", &builder.build().bytes);
    let run = folder.run(&["dump", "long.etl", "-f", "csv", "-o", "out/"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(std::fs::read_dir(folder.path().join("out")).unwrap().count() >= 3);
}
