//! The gate: fails where an event costs more instructions than was recorded, or where memory exceeds its ceiling. It
//! never looks at times.

use super::callgrind;
use super::measure::measured;
use super::recorded::Recorded;
use super::traces::{big, made};
use crate::Done;

/// Sizes of the traces, MB: small, because valgrind is slow.
const SIZES: [u64; 2] = [2, 8];
/// Size of the traces whose memory is measured, MB.
const LARGE: u64 = 64;
/// Most MB that time-ordered JSON lines on one thread may allocate.
const MOST_MEMORY: u64 = 24;
/// Percent that an event may cost more than recorded.
const TOLERANCE: u64 = 3;
/// Instructions that an event may cost more than recorded: how a compiler uses registers in a short loop depends on
/// code elsewhere.
const LEAST_TOLERANCE: u64 = 3;

/// Compares this build to `xtask/recorded.txt`.
pub(super) fn run() -> Done {
    memory()?;
    let recorded = Recorded::read()?;
    if !callgrind::is_there() {
        println!("!!!! SKIPPED: valgrind is not installed, no instructions were counted !!!!");
        return Ok(());
    }
    if !recorded.is_of_this_compiler()? {
        println!(
            "!!!! SKIPPED: xtask/recorded.txt is of another compiler, `cargo xtask bench --record` counts anew !!!!"
        );
        return Ok(());
    }
    let counted = count()?;
    let worse = counted.iter().filter_map(|(shape, stage, each)| worse(&recorded, shape, stage, each));
    let worse: Vec<String> = worse.collect();
    if worse.is_empty() { Ok(()) } else { Err(worse.join("\n").into()) }
}

/// Counts and writes `xtask/recorded.txt`.
pub(super) fn record() -> Done {
    if !callgrind::is_there() {
        return Err("valgrind is not installed".into());
    }
    count()?.write()
}

/// Counts on made traces: those are the same on every machine.
fn count() -> Done<Recorded> {
    let mut counted = Recorded::default();
    for source in made() {
        // Only messages of WPP are lines of tracefmt.
        let is_counted = |stage: &&str| (source.0 == "messages") == (*stage == "tracefmt") || *stage == "json";
        let stages: Vec<&str> = callgrind::STAGES.into_iter().filter(is_counted).collect();
        counted.extend(callgrind::each(&source, &stages, SIZES)?);
    }
    Ok(counted)
}

fn worse(recorded: &Recorded, shape: &str, stage: &str, each: u64) -> Option<String> {
    let Some(before) = recorded.get(shape, stage) else {
        return Some(format!("{shape} {stage}: {each} instructions per event, none is recorded"));
    };
    println!("{shape:12} {stage:12} {each:8} instructions per event, {before} recorded");
    let most = before + (before * TOLERANCE).div_ceil(100).max(LEAST_TOLERANCE);
    (each > most).then(|| format!("{shape} {stage}: {each} instructions per event, {before} are recorded"))
}

fn memory() -> Done {
    for (name, small) in made() {
        let trace = big(name, &small, LARGE)?;
        let used = measured("json", &trace.path, 1)?.anonymous >> 10;
        println!("{name:12} json         {used:8} MB of {MOST_MEMORY}");
        if used > MOST_MEMORY {
            return Err(format!("{name}: JSON lines of {LARGE} MB take {used} MB, at most {MOST_MEMORY}").into());
        }
    }
    Ok(())
}
