//! Other readers on the same files, if they are installed.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::Done;

/// A reader, the file that it reads without failing, and our stage that does at least as much.
struct Peer {
    name: &'static str,
    /// Fails unless it is installed.
    probe: &'static [&'static str],
    /// Reads the file that is its next argument; `after` follows.
    command: &'static [&'static str],
    after: &'static [&'static str],
    file: &'static str,
    stage: &'static str,
}

const PEERS: [Peer; 2] = [
    Peer {
        name: "dissect.etl, every event's values",
        probe: &["python3", "-c", "import dissect.etl"],
        command: &["python3", "-c", VALUES],
        after: &[],
        file: "perfview/net.4.5.2.x64.etl",
        stage: "json",
    },
    Peer {
        name: "etl2xml of etl-parser",
        probe: &["etl2xml", "--help"],
        command: &["etl2xml", "-i"],
        after: &["-o", "/dev/null"],
        file: "airbus/ShutdownPerfDiagLogger.etl",
        stage: "xml",
    },
];

/// Reads every value of every event.
const VALUES: &str = r"
import sys
from dissect.etl import ETL
with open(sys.argv[1], 'rb') as file:
    for record in ETL(file):
        try:
            record.event.event_values()
        except Exception:
            pass
";

/// Own runs, of which the best counts.
const ROUNDS: u32 = 5;

/// Prints how often faster this build is; states which readers are not installed.
pub(super) fn compare() -> Done {
    for peer in PEERS {
        let Peer { name, probe, command, after, file, stage } = peer;
        let is_there = whole(probe).and_then(|mut probe| timed(&mut probe)).is_ok();
        let Some(path) = etwkit_corpus::path(file).filter(|_| is_there) else {
            println!("{name}: SKIPPED, it is not installed, or {file} is missing");
            continue;
        };
        let theirs = timed(whole(command)?.arg(&path).args(after))?;
        let own = |_| timed(Command::new(std::env::current_exe()?).args(["stage", stage]).arg(&path).arg("0"));
        let own = (0..ROUNDS).map(own).collect::<Done<Vec<_>>>()?.into_iter().min().unwrap_or_default();
        let ratio = theirs.as_secs_f64() / own.as_secs_f64();
        println!("{name}: {theirs:.2?}, stage {stage}: {own:.4?}, {ratio:.0} times");
    }
    Ok(())
}

/// Returns the process of a program and its arguments.
fn whole(words: &[&str]) -> Done<Command> {
    let (program, arguments) = words.split_first().ok_or("no program")?;
    let mut command = Command::new(program);
    command.args(arguments);
    Ok(command)
}

/// The time of a whole process that succeeds.
fn timed(command: &mut Command) -> Done<Duration> {
    let start = Instant::now();
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    if status.success() { Ok(start.elapsed()) } else { Err(format!("{command:?} failed").into()) }
}
