//! The program under test, with limits.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use wait4::Wait4;

use crate::Done;

/// Address space in KB: far above what is allowed, so that a fault does not take the machine's memory.
const ADDRESS_SPACE: u64 = 8 << 20;
/// Seconds of processor time after which the system ends it.
const CPU_SECONDS: u32 = 20;
/// Time after which it is ended although it uses no processor.
const WALL: Duration = Duration::from_secs(180);
/// Bytes of output that are kept.
const KEPT: usize = 1 << 20;

/// What a run did.
#[derive(Debug)]
pub(super) struct Outcome {
    /// The exit code; `None` after a signal.
    pub(super) code: Option<i32>,
    pub(super) cpu: Duration,
    /// Peak of the resident memory, in bytes.
    pub(super) memory: u64,
    /// Bytes on standard output.
    pub(super) output: u64,
    pub(super) lines: u64,
    /// Lines that begin an event of XML.
    pub(super) elements: u64,
    /// The beginning of standard output.
    pub(super) text: Vec<u8>,
    pub(super) errors: String,
}

/// Runs a program on a file to its end.
pub(super) fn run(program: &Path, arguments: &[&str], file: &Path) -> Done<Outcome> {
    let limits = format!("ulimit -v {ADDRESS_SPACE}; ulimit -t {CPU_SECONDS}; exec \"$0\" \"$@\"");
    let mut child = Command::new("sh")
        .args([OsStr::new("-c"), OsStr::new(&limits), program.as_os_str()])
        .args(arguments)
        .arg(file)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let (over, is_over) = channel::<()>();
    let id = child.id().to_string();
    let mut outcome = Outcome {
        code: None,
        cpu: Duration::ZERO,
        memory: 0,
        output: 0,
        lines: 0,
        elements: 0,
        text: Vec::new(),
        errors: String::new(),
    };
    std::thread::scope(|scope| -> Done {
        let errors = scope.spawn(move || {
            let mut text = Vec::new();
            let _ = stderr.map(|mut stderr| stderr.read_to_end(&mut text));
            String::from_utf8_lossy(&text).into_owned()
        });
        scope.spawn(move || {
            if is_over.recv_timeout(WALL) == Err(RecvTimeoutError::Timeout) {
                let _ = Command::new("kill").args(["-KILL", &id]).status();
            }
        });
        if let Some(stdout) = stdout {
            read(&mut outcome, BufReader::new(stdout))?;
        }
        let used = child.wait4()?;
        drop(over);
        outcome.code = used.status.code();
        outcome.cpu = used.rusage.utime + used.rusage.stime;
        outcome.memory = used.rusage.maxrss;
        outcome.errors = errors.join().unwrap_or_default();
        Ok(())
    })?;
    Ok(outcome)
}

fn read(outcome: &mut Outcome, mut stdout: impl BufRead) -> Done {
    let mut line = Vec::new();
    while stdout.read_until(b'\n', &mut line)? > 0 {
        outcome.output += line.len() as u64;
        outcome.lines += 1;
        outcome.elements += u64::from(line.trim_ascii_start().starts_with(b"<Event "));
        if outcome.text.len() < KEPT {
            outcome.text.extend_from_slice(&line);
        }
        line.clear();
    }
    Ok(())
}
