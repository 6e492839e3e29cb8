//! The binary against faults of its surroundings: interruptions, devices, full disks, packed data that is a trap.

#![cfg(unix)]
#![expect(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, clippy::print_stderr, reason = "a test")]

#[path = "../common/mod.rs"]
mod common;
mod disks;
mod everywhere;
mod injection;
mod interruptions;
mod packed;
mod places;

use std::process::Child;
use std::time::{Duration, Instant};

use common::{Folder, fixture};

/// Longer than any of these may take, on a machine with much else to do.
const LONG: Duration = Duration::from_secs(30);

/// A trace of some megabytes.
fn large(times: u32) -> Vec<u8> {
    let trace = fixture("many-processors.etl");
    let mut large = Vec::new();
    etwkit_synth::repeat(&trace, times).write_to(&mut large).unwrap();
    large
}

/// Names in a folder, sorted.
fn names(folder: &Folder) -> Vec<String> {
    let entries = std::fs::read_dir(folder.path()).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Waits until something holds.
fn wait_until(mut holds: impl FnMut() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < LONG, "it takes too long");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Waits for the end; its exit code.
fn end(mut child: Child) -> Option<i32> {
    wait_until(|| child.try_wait().unwrap().is_some());
    child.wait().unwrap().code()
}
