//! Instructions an event, counted by valgrind: the same at every run, unlike times.

use std::path::Path;
use std::process::Command;

use super::traces::{big, sources};
use crate::Done;

/// Counts on two sizes of each trace; the difference leaves out what happens once a run.
pub(super) fn run() -> Done {
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!("\nSKIPPED: valgrind is not installed, no instructions were counted");
        return Ok(());
    }
    println!("\ninstructions an event");
    for (name, small) in sources() {
        let (less, more) = (big(name, &small, 16)?, big(name, &small, 32)?);
        for stage in ["walk", "by-time", "census", "ordered", "decode", "json"] {
            let (events, instructions) = count(stage, &less.path)?;
            let (more_events, more_instructions) = count(stage, &more.path)?;
            let each = (more_instructions - instructions) / (more_events - events).max(1);
            println!("{name:12} {stage:10} {each:8}");
        }
    }
    Ok(())
}

/// (events, instructions) of one run.
fn count(stage: &str, path: &Path) -> Done<(u64, u64)> {
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(std::env::current_exe()?);
    let output = command.args(["stage", stage]).arg(path).arg("0").output()?;
    let events = String::from_utf8(output.stdout)?;
    let events = events.split_whitespace().next().ok_or("the stage printed nothing")?.parse()?;
    let report = String::from_utf8_lossy(&output.stderr).into_owned();
    let collected = report.lines().find_map(|line| line.split("Collected :").nth(1));
    let instructions = collected.ok_or("valgrind printed no count")?.trim().parse()?;
    Ok((events, instructions))
}
