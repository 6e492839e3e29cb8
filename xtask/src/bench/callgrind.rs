//! Instructions an event, counted by valgrind: the same at every run, unlike times.

use std::path::Path;
use std::process::Command;

use super::recorded::Recorded;
use super::traces::{Source, big};
use crate::Done;

/// The stages that are counted, in the order of the table.
pub(super) const STAGES: [&str; 14] = [
    "walk",
    "by-time",
    "census",
    "open",
    "ordered",
    "decode",
    "json",
    "text",
    "csv",
    "xml",
    "tracerpt-csv",
    "twapi",
    "count",
    "tracefmt",
];

/// Returns whether valgrind is installed.
pub(super) fn is_there() -> bool {
    Command::new("valgrind").arg("--version").output().is_ok()
}

/// Counts on two sizes of a trace, in MB; the difference leaves out what happens once per run.
pub(super) fn each(source: &Source, stages: &[&str], sizes: [u64; 2]) -> Done<Recorded> {
    let (name, small) = source;
    let [less, more] = sizes.map(|size| big(name, small, size));
    let (less, more) = (less?, more?);
    let mut counted = Recorded::default();
    for stage in stages {
        let (events, instructions) = count(stage, &less.path)?;
        let (more_events, more_instructions) = count(stage, &more.path)?;
        if more_events <= events || more_instructions <= instructions {
            return Err(format!("{name}, {stage}: the larger trace has no more events or instructions").into());
        }
        counted.insert(name, stage, (more_instructions - instructions) / (more_events - events));
    }
    Ok(counted)
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
