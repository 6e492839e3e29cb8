//! `cargo xtask campaign`: damages whole traces in many ways and checks what the built program makes of them.
//!
//! Each case is decided by the seed and its number: a trace, what is done to it, and the command that reads it. Checked
//! are: no panic and no signal; processor time, memory and output in proportion to the file; that every event of a
//! buffer that stayed whole is delivered; and that the exit code shows if events are missing.

mod child;
mod judge;
mod mutant;
mod options;
mod original;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use fastrand::Rng;

use crate::Done;

use judge::{Command, judge};
use mutant::Mutant;
use options::Options;
use original::Original;

/// What the cases together came to.
#[derive(Debug, Default)]
struct Summary {
    cases: u64,
    findings: BTreeMap<&'static str, u64>,
    slowest: Duration,
    /// The most memory above twice the file, bytes.
    memory: u64,
    /// The most output for each byte of the file, of outputs above a megabyte.
    output: u64,
    undamaged: u64,
    delivered: u64,
}

/// Runs a campaign; an error states that something was found.
pub(crate) fn run(arguments: &[String]) -> Done {
    let options = Options::parse(arguments)?;
    let originals = Original::all(options.corpus.as_deref())?;
    let folder = std::env::temp_dir().join(format!("etwkit-campaign-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let summary = cases(&options, &originals, &folder);
    if options.only.is_none() {
        std::fs::remove_dir_all(&folder)?;
    }
    let summary = summary?;
    println!("{}", summary.text(&options, originals.len()));
    if summary.findings.is_empty() { Ok(()) } else { Err("the campaign found faults".into()) }
}

/// Runs the cases by as many threads as there are processors.
fn cases(options: &Options, originals: &[Original], folder: &Path) -> Done<Summary> {
    let numbers = options.only.map_or(0..options.files, |only| only..only + 1);
    let (next, summary, start) = (AtomicU64::new(numbers.start), Mutex::new(Summary::default()), Instant::now());
    let failed = Mutex::new(None);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while options.time.is_none_or(|time| start.elapsed() < time) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= numbers.end {
                        return;
                    }
                    if let Err(error) = case(options, originals, folder, number, &summary) {
                        *lock(&failed) = Some(error.to_string());
                        return;
                    }
                }
            });
        }
    });
    let failed = lock(&failed).take();
    match failed {
        Some(error) => Err(error.into()),
        None => Ok(std::mem::take(&mut *lock(&summary))),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Runs one case, which its number and the seed decide.
fn case(options: &Options, originals: &[Original], folder: &Path, number: u64, summary: &Mutex<Summary>) -> Done {
    let mut random = Rng::with_seed(options.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ number);
    let original = random.choice(originals).ok_or("no traces to damage")?;
    let mutant = Mutant::of(original, &mut random);
    let command = Command::of(number);
    let file: PathBuf = folder.join(format!("{number}-{}", original.name));
    std::fs::write(&file, &mutant.bytes)?;
    let outcome = child::run(&options.program, command.arguments(), &file)?;
    let verdict = judge(original, &mutant, command, &outcome);
    if options.only.is_some() {
        println!("{}: {}\n{}", file.display(), mutant.story, outcome.errors);
    } else {
        std::fs::remove_file(&file)?;
    }
    for (kind, what) in &verdict.findings {
        println!(
            "{kind}: {what}\n  {} of {}: {}\n  cargo xtask campaign --seed {} --only {number}",
            command.arguments().join(" "),
            original.name,
            mutant.story.trim_end_matches("; "),
            options.seed,
        );
    }
    lock(summary).add(&verdict, &outcome, mutant.bytes.len() as u64);
    Ok(())
}

impl Summary {
    fn add(&mut self, verdict: &judge::Verdict, outcome: &child::Outcome, len: u64) {
        self.cases += 1;
        for (kind, _) in &verdict.findings {
            *self.findings.entry(*kind).or_default() += 1;
        }
        self.slowest = self.slowest.max(outcome.cpu);
        self.memory = self.memory.max(outcome.memory.saturating_sub(2 * len));
        if outcome.output > judge::FREE_OUTPUT {
            self.output = self.output.max((outcome.output - judge::FREE_OUTPUT) / len.max(1));
        }
        self.undamaged += verdict.undamaged;
        self.delivered += verdict.delivered;
    }

    fn text(&self, options: &Options, originals: usize) -> String {
        let found: Vec<String> = self.findings.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        let found = if found.is_empty() { "nothing found".to_owned() } else { found.join(", ") };
        format!(
            "{} cases of {originals} traces with seed {}: {found}; {} events of undamaged buffers, {} delivered in \
             all; slowest {:?}, memory {} MB beyond twice the file, output {} times the file",
            self.cases,
            options.seed,
            self.undamaged,
            self.delivered,
            self.slowest,
            self.memory >> 20,
            self.output,
        )
    }
}
