//! What must hold of a damaged trace.

use std::time::Duration;

use serde_json::Value;

use super::child::Outcome;
use super::mutant::Mutant;
use super::original::Original;

/// Processor time that a file of at most 2 MB may take.
const MOST_TIME: Duration = Duration::from_secs(5);
/// Memory besides twice the file.
const FREE_MEMORY: u64 = 256 << 20;
/// Output besides [`OUTPUT_PER_BYTE`].
pub(super) const FREE_OUTPUT: u64 = 1 << 20;
/// Output for each byte of the file.
const OUTPUT_PER_BYTE: u64 = 200;

/// A command that reads a trace.
#[derive(Clone, Copy, Debug)]
pub(super) enum Command {
    Lines,
    Xml,
    Info,
    Check,
}

impl Command {
    /// The commands take turns.
    pub(super) const fn of(number: u64) -> Self {
        match number % 4 {
            0 => Self::Lines,
            1 => Self::Xml,
            2 => Self::Info,
            _ => Self::Check,
        }
    }

    pub(super) const fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::Lines => &["dump"],
            Self::Xml => &["dump", "-f", "xml"],
            Self::Info => &["info", "--json"],
            Self::Check => &["check", "--json"],
        }
    }

    /// Returns how many events a run delivered.
    fn delivered(self, outcome: &Outcome) -> u64 {
        match self {
            Self::Lines => outcome.lines,
            Self::Xml => outcome.elements,
            Self::Info | Self::Check => {
                let object: Option<Value> = serde_json::from_slice(&outcome.text).ok();
                object.and_then(|object| object.get("events")?.as_u64()).unwrap_or_default()
            }
        }
    }
}

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Verdict {
    pub(super) findings: Vec<(&'static str, String)>,
    /// Events of buffers that stayed whole.
    pub(super) undamaged: u64,
    pub(super) delivered: u64,
}

/// Judges a run.
pub(super) fn judge(original: &Original, mutant: &Mutant, command: Command, outcome: &Outcome) -> Verdict {
    let len = mutant.bytes.len() as u64;
    let mut verdict = Verdict { undamaged: undamaged(original, mutant), ..Verdict::default() };
    verdict.delivered = command.delivered(outcome);
    let mut find = |kind, what: String| verdict.findings.push((kind, what));
    let refused = outcome.code == Some(2);
    match outcome.code {
        None => find("signal", format!("ended by a signal after {:?}", outcome.cpu)),
        Some(0..=2) => {}
        Some(code) => find("panic", format!("exit code {code}: {}", outcome.errors.trim())),
    }
    if outcome.cpu > MOST_TIME {
        find("hang", format!("{:?} of processor time", outcome.cpu));
    }
    if outcome.memory > FREE_MEMORY + 2 * len {
        find("memory", format!("{} MB of memory for {len} bytes", outcome.memory >> 20));
    }
    if outcome.output > FREE_OUTPUT + OUTPUT_PER_BYTE * len {
        find("output", format!("{} bytes of output for {len} bytes", outcome.output));
    }
    let (delivered, undamaged) = (verdict.delivered, verdict.undamaged);
    if delivered < undamaged {
        find("lost", format!("{delivered} events, {undamaged} are in undamaged buffers"));
    }
    if !refused && outcome.code == Some(0) && delivered < must_be_delivered(original, mutant) {
        find("silent", format!("exit code 0 with {delivered} of {} events", original.events()));
    }
    verdict
}

/// Returns how many events must be delivered. Without their log-file header, nothing states how long the buffers of
/// logs from before Vista are; the blocks of `.btl` files contain no mark by which one is found again.
fn undamaged(original: &Original, mutant: &Mutant) -> u64 {
    if !original.is_modern {
        return 0;
    }
    let whole = original.buffers.iter().enumerate().filter(|(number, _)| mutant.has(*number));
    whole.map(|(_, buffer)| buffer.events).sum()
}

/// Returns how many events there must be, unless the exit code states that some are missing; 0 if no reader can see
/// that.
fn must_be_delivered(original: &Original, mutant: &Mutant) -> u64 {
    let has_end_of_file = original.may_end_in_zeros && mutant.bytes.ends_with(&[0; 8]);
    let is_counted = original.is_counted && mutant.has(0);
    let is_unseen = mutant.may_be_unseen || mutant.may_join_buffers && !is_counted;
    if is_unseen || !original.is_modern || has_end_of_file {
        return 0;
    }
    // Without a count that can be trusted, a file without some of its buffers is a whole file.
    let taken = mutant.taken().filter_map(|number| original.buffers.get(number));
    original.events() - if is_counted { 0 } else { taken.map(|buffer| buffer.events).sum() }
}
