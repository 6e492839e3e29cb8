//! A stage in a process of its own.

use std::path::Path;
use std::process::Command;

use crate::Done;

/// What a stage printed: events, bytes, nanoseconds, nanoseconds of the copy, KB of anonymous memory.
pub(super) struct Measured {
    pub(super) events: u64,
    pub(super) bytes: u64,
    pub(super) nanos: u64,
    pub(super) copy: u64,
    pub(super) anonymous: u64,
}

/// Runs a stage in a process of its own.
pub(super) fn measured(stage: &str, path: &Path, rounds: u32) -> Done<Measured> {
    let mut command = Command::new(std::env::current_exe()?);
    let output = command.args(["stage", stage]).arg(path).arg(rounds.to_string()).output()?;
    if !output.status.success() {
        return Err(format!("{stage}: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    let text = String::from_utf8(output.stdout)?;
    let numbers: Vec<u64> = text.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
    let [events, bytes, nanos, copy, anonymous] = numbers[..] else {
        return Err("a stage printed something else".into());
    };
    Ok(Measured { events, bytes, nanos, copy, anonymous })
}
