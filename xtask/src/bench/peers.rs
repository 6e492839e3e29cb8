//! Other readers on the same files, if they are installed for `python3`.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::Done;

/// A reader, the file that it reads without failing, and our stage that does at least as much.
struct Peer {
    name: &'static str,
    module: &'static str,
    script: &'static str,
    file: &'static str,
    stage: &'static str,
}

const PEERS: [Peer; 2] = [
    Peer {
        name: "dissect.etl, every event's values",
        module: "dissect.etl",
        script: r"
import sys
from dissect.etl import ETL
with open(sys.argv[1], 'rb') as file:
    for buffer in ETL(file):
        for event in buffer:
            try:
                event.event_values()
            except Exception:
                pass
",
        file: "perfview/net.4.5.2.x64.etl",
        stage: "json",
    },
    Peer {
        name: "etl2xml of etl-parser",
        module: "etl",
        script: r"
import sys
from etl.etl2xml import main
sys.argv = ['etl2xml', '-i', sys.argv[1], '-o', '/dev/null']
main()
",
        file: "airbus/ShutdownPerfDiagLogger.etl",
        stage: "xml",
    },
];

/// Own runs, of which the best counts.
const ROUNDS: u32 = 5;

/// Prints how often faster this build is; says which readers are not installed.
pub(super) fn compare() -> Done {
    for peer in PEERS {
        let Peer { name, module, script, file, stage } = peer;
        let is_there = python(&format!("import {module}"), None).is_ok();
        let Some(path) = etwkit_corpus::path(file).filter(|_| is_there) else {
            println!("{name}: SKIPPED, not installed for python3, or {file} is missing");
            continue;
        };
        let theirs = python(script, Some(&path))?;
        let own = |_| timed(Command::new(std::env::current_exe()?).args(["stage", stage]).arg(&path).arg("0"));
        let own = (0..ROUNDS).map(own).collect::<Done<Vec<_>>>()?.into_iter().min().unwrap_or_default();
        let ratio = theirs.as_secs_f64() / own.as_secs_f64();
        println!("{name}: {theirs:.2?}, stage {stage}: {own:.4?}, {ratio:.0} times");
    }
    Ok(())
}

fn python(script: &str, file: Option<&Path>) -> Done<Duration> {
    timed(Command::new("python3").args(["-c", script]).args(file))
}

/// The time of a whole process that succeeds.
fn timed(command: &mut Command) -> Done<Duration> {
    let start = Instant::now();
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    if status.success() { Ok(start.elapsed()) } else { Err(format!("{command:?} failed").into()) }
}
