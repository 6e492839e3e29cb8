//! Runs of the fuzz targets: each for some time, as many at once as the machine has processors.

mod record;
mod target;

use std::process::Command;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use crate::done::{Done, root, succeed};
use target::{BUILD, Outcome, Target};

/// Builds the targets and runs those that are named, or all of them. Arguments: `--minutes N` or `--seconds N` for each
/// target, `--workers N` at once, `--record` to write what they did into `docs/fuzzing.md`, `--no-sanitizer`, names of
/// targets. Fails if one has a finding.
pub(crate) fn run(arguments: &[&str]) -> Done {
    let plan = Plan::of(arguments)?;
    if !is_there("cargo", &["+nightly", "--version"]) {
        eprintln!("!!!! SKIPPED: there is no nightly toolchain, the fuzz targets were not run !!!!");
        return Ok(());
    }
    if !is_there("cargo", &["fuzz", "--version"]) {
        succeed(Command::new("cargo").args(["install", "cargo-fuzz", "--locked"]))?;
    }
    succeed(&mut build(plan.sanitizer))?;
    let outcomes = all(&plan);
    let findings = outcomes.iter().filter(|outcome| !outcome.is_clean).count();
    println!("{}", record::table(&outcomes));
    if plan.is_recorded {
        record::write(&outcomes)?;
    }
    if findings == 0 { Ok(()) } else { Err(format!("{findings} targets have a finding").into()) }
}

/// What is run, and for how long.
struct Plan {
    time: Duration,
    targets: Vec<Target>,
    /// Targets at once.
    workers: usize,
    is_recorded: bool,
    /// What the targets are built with, as `cargo fuzz` names it.
    sanitizer: &'static str,
}

impl Plan {
    fn of(arguments: &[&str]) -> Result<Self, Box<dyn std::error::Error>> {
        let workers = thread::available_parallelism().map_or(1, usize::from);
        let time = Duration::from_secs(60);
        let mut plan = Self { time, targets: Vec::new(), workers, is_recorded: false, sanitizer: "address" };
        let known = Target::all()?;
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            let mut number = || -> Result<u64, Box<dyn std::error::Error>> {
                Ok(arguments.next().ok_or("a number is missing")?.parse()?)
            };
            match *argument {
                "--minutes" => plan.time = Duration::from_secs(60 * number()?),
                "--seconds" => plan.time = Duration::from_secs(number()?),
                "--workers" => plan.workers = usize::try_from(number()?)?.max(1),
                "--record" => plan.is_recorded = true,
                "--no-sanitizer" => plan.sanitizer = "none",
                name => match known.iter().find(|target| target.name == name) {
                    Some(target) => plan.targets.push(target.clone()),
                    None => return Err(format!("there is no fuzz target {name}").into()),
                },
            }
        }
        if plan.targets.is_empty() {
            plan.targets = known;
        }
        Ok(plan)
    }
}

/// Runs all targets of a plan.
fn all(plan: &Plan) -> Vec<Outcome> {
    let waiting = Mutex::new(plan.targets.iter());
    let next = || waiting.lock().ok()?.next();
    let done = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..plan.workers.min(plan.targets.len()) {
            scope.spawn(|| {
                while let Some(target) = next() {
                    let outcome = target.run(plan.time);
                    println!("{}", outcome.line());
                    if let Ok(mut done) = done.lock() {
                        done.push(outcome);
                    }
                }
            });
        }
    });
    let mut outcomes = done.into_inner().unwrap_or_default();
    outcomes.sort_by(|a, b| a.name.cmp(&b.name));
    outcomes
}

fn build(sanitizer: &str) -> Command {
    let mut command = Command::new("cargo");
    // With compressed PDB files, too.
    command.args(["+nightly", "fuzz", "build", "--fuzz-dir", "fuzz", "--features", "msfz", "--sanitizer", sanitizer]);
    command.env("CARGO_TARGET_DIR", BUILD);
    // With the sanitizer's coverage, optimising at link time is slow, and it finds nothing more.
    command.env("CARGO_PROFILE_RELEASE_LTO", "off");
    command.current_dir(root());
    command
}

fn is_there(program: &str, arguments: &[&str]) -> bool {
    Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success())
}
