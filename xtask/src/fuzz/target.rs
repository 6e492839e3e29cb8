//! One fuzz target.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use wait4::Wait4;

use crate::done::root;

/// A fuzz target by its name.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) name: String,
}

/// What a run did.
#[derive(Clone, Debug, Default)]
pub(super) struct Outcome {
    pub(super) name: String,
    pub(super) is_clean: bool,
    /// Time of the processor.
    pub(super) time: Duration,
    /// Inputs that were run.
    pub(super) executions: u64,
    /// Edges of the code that the corpus reaches.
    pub(super) coverage: u64,
    /// Inputs in the corpus.
    pub(super) corpus: u64,
    /// The end of what the fuzzer printed, if it has a finding.
    report: String,
}

impl Target {
    /// Returns the targets of `fuzz/fuzz_targets` by name.
    pub(super) fn all() -> std::io::Result<Vec<Self>> {
        let mut list = Vec::new();
        for entry in fs::read_dir(root().join("fuzz/fuzz_targets"))? {
            if let Some(name) = entry?.path().file_stem().and_then(|name| name.to_str()) {
                list.push(Self { name: name.to_owned() });
            }
        }
        list.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(list)
    }

    /// Runs the built target on its corpus and its seeds, until it has had the processor for `time`.
    ///
    /// The fuzzer itself ends after a time by the clock, which states little where other programs run beside it: what
    /// is missing of the processor's time then is given to it again.
    pub(super) fn run(&self, time: Duration) -> Outcome {
        let mut outcome = Outcome { name: self.name.clone(), is_clean: true, ..Outcome::default() };
        loop {
            match self.once(time.saturating_sub(outcome.time)) {
                Ok(run) => outcome.add(run),
                Err(error) => outcome.add(Outcome::of(&self.name, false, &format!("cannot be started: {error}"))),
            }
            if !outcome.is_clean || outcome.time + TOLERANCE >= time {
                return outcome;
            }
        }
    }

    fn once(&self, time: Duration) -> std::io::Result<Outcome> {
        let log = self.folder("artifacts")?.join("log");
        let child = self.command(time)?.stdout(Stdio::null()).stderr(fs::File::create(&log)?).spawn()?;
        let used = child.wait4()?;
        let text = String::from_utf8_lossy(&fs::read(&log)?).into_owned();
        fs::remove_file(&log)?;
        let is_clean = ExitStatus::success(&used.status) || self.waited_only(&text)?;
        let mut outcome = Outcome::of(&self.name, is_clean, &text);
        outcome.time = used.rusage.utime + used.rusage.stime;
        Ok(outcome)
    }

    /// Returns whether a run ended by the fuzzer's timeout though its input takes less than that of the processor's
    /// time. The fuzzer goes by the clock: on a busy machine it takes waiting for work.
    fn waited_only(&self, log: &str) -> std::io::Result<bool> {
        let is_timeout = log.contains("ERROR: libFuzzer: timeout");
        let input = log.lines().find_map(|line| line.split_once("Test unit written to ")).map(|(_, path)| path.trim());
        let Some(input) = input.filter(|_| is_timeout) else { return Ok(false) };
        let mut again = Command::new(self.program()?);
        again.arg(format!("-timeout={}", 60 * TIMEOUT.as_secs())).arg("-rss_limit_mb=2048").arg(input);
        let used = again.current_dir(root()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?.wait4()?;
        let time = used.rusage.utime + used.rusage.stime;
        let waited = ExitStatus::success(&used.status) && time < TIMEOUT;
        if waited {
            println!("{}: an input waited for the processor; alone it takes {:.1} s", self.name, time.as_secs_f64());
            fs::remove_file(input)?;
        }
        Ok(waited)
    }

    /// Returns a folder of this target, which is made if it is not there.
    fn folder(&self, kind: &str) -> std::io::Result<PathBuf> {
        let folder = root().join("fuzz").join(kind).join(&self.name);
        fs::create_dir_all(&folder)?;
        Ok(folder)
    }

    fn command(&self, time: Duration) -> std::io::Result<Command> {
        let mut command = Command::new(self.program()?);
        command.arg(self.folder("corpus")?).arg(self.folder("seeds")?).current_dir(root());
        command.arg(format!("-max_total_time={}", time.as_secs().max(1)));
        command.arg(format!("-artifact_prefix={}/", self.folder("artifacts")?.display()));
        command.arg(format!("-timeout={}", TIMEOUT.as_secs()));
        command.args(["-rss_limit_mb=2048", "-print_final_stats=1"]);
        // A thread that ends while the sanitizer looks for leaks seems to be one.
        command.arg(format!("-detect_leaks={}", u8::from(!STARTS_THREADS.contains(&self.name.as_str()))));
        let words = root().join("fuzz/dictionaries").join(format!("{}.dict", self.name));
        if words.exists() {
            command.arg(format!("-dict={}", words.display()));
        }
        Ok(command)
    }

    /// The program is below a folder that is named by the machine's triple.
    fn program(&self) -> std::io::Result<PathBuf> {
        for entry in fs::read_dir(root().join(BUILD))? {
            let program = entry?.path().join("release").join(&self.name);
            if program.is_file() {
                return Ok(program);
            }
        }
        Err(std::io::Error::other("it was not built"))
    }
}

/// The folder of the targets' build: other flags than usual, so that neither build undoes the other.
pub(super) const BUILD: &str = "target/fuzz";

/// The longest that an input may take.
const TIMEOUT: Duration = Duration::from_secs(10);

/// What may be missing of the time of a run: the fuzzer takes whole seconds, and waits for its files.
const TOLERANCE: Duration = Duration::from_secs(2);

/// Targets that start threads; of the analyses, checks do.
const STARTS_THREADS: [&str; 4] = ["analyses", "columns", "same", "symbols"];

impl Outcome {
    fn of(name: &str, is_clean: bool, log: &str) -> Self {
        let after = |line: &str, word: &str| -> Option<u64> {
            line.split_once(word)?.1.split_whitespace().next()?.split('/').next()?.parse().ok()
        };
        let last = |word: &str| log.lines().rev().find_map(|line| after(line, word)).unwrap_or(0);
        let report = if is_clean { String::new() } else { report(log) };
        Self {
            name: name.to_owned(),
            is_clean,
            time: Duration::ZERO,
            executions: last("stat::number_of_executed_units:"),
            coverage: last(" cov: "),
            corpus: last(" corp: "),
            report,
        }
    }

    /// Adds a later run of the same target.
    fn add(&mut self, run: Self) {
        self.is_clean &= run.is_clean;
        self.time += run.time;
        self.executions += run.executions;
        (self.coverage, self.corpus, self.report) = (run.coverage, run.corpus, run.report);
    }

    /// One line for people; with the fuzzer's output if there is a finding.
    pub(super) fn line(&self) -> String {
        let Self { name, executions, coverage, corpus, .. } = self;
        let verdict = if self.is_clean { "clean" } else { "FINDING" };
        let line = format!("{verdict}: {name}: {executions} executions, coverage {coverage}, corpus {corpus}");
        if self.is_clean { line } else { format!("{line}\n{}", self.report) }
    }
}

/// Returns what is needed of a log to understand a finding: the message of the panic, if there is one, which the lists
/// of frames after it would push out, and the end.
fn report(log: &str) -> String {
    let lines: Vec<&str> = log.lines().collect();
    let end = lines.len().saturating_sub(END_LINES);
    let panic = lines.iter().position(|line| line.contains("panicked at")).unwrap_or(end);
    let message = lines.iter().skip(panic).take(MESSAGE_LINES.min(end.saturating_sub(panic)));
    let shown = message.chain(lines.iter().skip(end));
    shown.map(|line| line.chars().take(LINE_CHARS).collect::<String>()).collect::<Vec<_>>().join("\n")
}

/// Lines from the end of a log.
const END_LINES: usize = 60;
/// Lines of the message of a panic.
const MESSAGE_LINES: usize = 8;
/// Characters of a line: a message may have a whole output.
const LINE_CHARS: usize = 4000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read() {
        let log = "#2\tINITED cov: 11 ft: 12 corp: 1/1b\n#90\tDONE   cov: 250 ft: 300 corp: 17/2Kb lim: 4\n\
                   stat::number_of_executed_units: 90\n";
        let outcome = Outcome::of("walk", true, log);
        assert_eq!((outcome.executions, outcome.coverage, outcome.corpus), (90, 250, 17));
        assert_eq!(outcome.line(), "clean: walk: 90 executions, coverage 250, corpus 17");
        let mut both = Outcome::of("walk", true, "");
        both.add(outcome);
        assert_eq!((both.is_clean, both.executions, both.coverage, both.corpus), (true, 90, 250, 17));
        both.add(Outcome::of("walk", false, ""));
        assert!(!both.is_clean, "a finding stays");
        assert!(Outcome::of("walk", false, "SUMMARY: it ends").line().ends_with("SUMMARY: it ends"));
    }

    #[test]
    fn a_finding_has_the_message_and_the_end() {
        let frames = "  7: frame\n".repeat(200);
        let log = format!(
            "INFO: seed\nthread 'main' panicked at a.rs:1:2:\nleft: {}\n{frames}SUMMARY: it ends",
            "x".repeat(9000)
        );
        let report = report(&log);
        assert!(report.starts_with("thread 'main' panicked at a.rs:1:2:\nleft: xxx"));
        assert!(report.ends_with("  7: frame\nSUMMARY: it ends"));
        assert_eq!(report.lines().count(), MESSAGE_LINES + END_LINES);
        assert!(report.len() < 6000);
    }
}
