//! `etwkit view` of named pipes.

use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::Folder;
use crate::served::{PATIENCE, page, serve};

#[test]
fn a_pipe_is_refused_at_once() {
    let folder = Folder::with(&["hello.etl"]);
    folder.write("page.html", page().as_bytes());
    assert!(Command::new("mkfifo").arg(folder.path().join("pipe.etl")).status().unwrap().success());
    let arguments = ["view", "--no-open", "pipe.etl", "--page", "page.html"];
    let mut child = folder.command(&arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let until = Instant::now() + PATIENCE;
    while child.try_wait().unwrap().is_none() && Instant::now() < until {
        sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    let output = child.wait_with_output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("pipe.etl: not a regular file"), "{error}");
}

#[test]
fn a_file_that_became_a_pipe_is_served_no_more() {
    let folder = Folder::with(&["hello.etl"]);
    let served = serve(&folder, &["hello.etl"]);
    std::fs::remove_file(folder.path().join("hello.etl")).unwrap();
    assert!(Command::new("mkfifo").arg(folder.path().join("hello.etl")).status().unwrap().success());
    assert_eq!(served.get(&format!("{}0", served.root), &[]).status, 404);
}
