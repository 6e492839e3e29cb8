//! Runs a command of this program and reads a page of its output.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::children::{self, SharedChild};

/// Bounds of each call.
#[derive(Clone, Debug)]
pub(super) struct Limits {
    /// Maximum number of bytes of an answer.
    pub(super) bytes: usize,
    /// Longest time of a call.
    pub(super) time: Duration,
    /// The program whose commands are run: this one.
    pub(super) program: PathBuf,
}

/// What a command printed.
#[derive(Debug, Default)]
pub(super) struct Printed {
    /// Lines of the page.
    pub(super) lines: Vec<String>,
    /// More lines follow.
    pub(super) is_more: bool,
    /// Notes, warnings and errors.
    pub(super) messages: Vec<String>,
    /// It failed.
    pub(super) is_failure: bool,
}

/// The lines that are wanted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Page {
    /// Lines before it.
    pub(super) skip: usize,
    /// Maximum number of lines of it.
    pub(super) lines: usize,
}

/// How often a running command is looked after.
const PATIENCE: Duration = Duration::from_millis(20);
/// How long a command whose page is full may go on to its end.
const GRACE: Duration = Duration::from_millis(500);
/// How often it is looked for whether a command has ended after its output has.
const MOMENT: Duration = Duration::from_millis(1);
/// Bytes of messages that are kept.
const MESSAGES: u64 = 4096;
/// Bytes of a line that are read, in answers' sizes: what is longer is cut as text.
const LONGEST: usize = 64;

/// Runs a command until it ends, the page is full, it is cancelled, or its time is up. The error is a message for the
/// client.
pub(super) fn run(
    limits: &Limits,
    arguments: &[OsString],
    page: Page,
    is_cancelled: &AtomicBool,
) -> Result<Printed, String> {
    let mut child = spawn(&limits.program, arguments)?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let child = Arc::new(Mutex::new(child));
    children::add(&child);
    let (is_done, full_since) = (AtomicBool::new(false), OnceLock::new());
    let started = Instant::now();
    let is_page_over = || full_since.get().is_some_and(|since: &Instant| since.elapsed() > GRACE);
    let is_over = || is_cancelled.load(Ordering::Relaxed) || started.elapsed() > limits.time || is_page_over();
    thread::scope(|scope| {
        let messages = scope.spawn(|| stderr.map(messages).unwrap_or_default());
        scope.spawn(|| watch(&child, &is_done, is_over));
        let mut out = stdout.map(BufReader::new);
        let mut printed = out.as_mut().map(|out| read(out, limits, page)).unwrap_or_default();
        if let Some(mut rest) = out.filter(|_| printed.is_more) {
            // Most commands end soon, and state at their end what was damaged or left out.
            full_since.get_or_init(Instant::now);
            let _ = std::io::copy(&mut rest, &mut std::io::sink());
        }
        let status = wait(&child);
        is_done.store(true, Ordering::Relaxed);
        children::remove(&child);
        printed.messages = messages.join().unwrap_or_default();
        if printed.is_more {
            return Ok(printed);
        }
        if is_cancelled.load(Ordering::Relaxed) {
            return Err("the call was cancelled".to_owned());
        }
        if started.elapsed() > limits.time {
            let seconds = limits.time.as_secs();
            return Err(format!("the call took longer than {seconds} s: choose fewer events by filters or times"));
        }
        // 1 means that part of the trace could not be read: the messages state which.
        printed.is_failure = !matches!(status.map(|status| status.code()), Ok(Some(0 | 1)));
        Ok(printed)
    })
}

/// Starts a command with pipes for what it prints.
fn spawn(program: &Path, arguments: &[OsString]) -> Result<Child, String> {
    let mut command = Command::new(program);
    command.arg("--color=never").args(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().map_err(|error| format!("the command could not be run: {error}"))
}

/// Kills a command as soon as its call is over, unless it is done before.
fn watch(child: &SharedChild, is_done: &AtomicBool, is_over: impl Fn() -> bool) {
    while !is_done.load(Ordering::Relaxed) {
        if is_over() {
            return children::kill(child);
        }
        thread::sleep(PATIENCE);
    }
}

/// Waits until a command has ended. Others may kill it meanwhile.
fn wait(child: &SharedChild) -> std::io::Result<ExitStatus> {
    loop {
        if let Some(status) = child.lock().unwrap_or_else(PoisonError::into_inner).try_wait()? {
            return Ok(status);
        }
        thread::sleep(MOMENT);
    }
}

/// Reads the lines of a page.
fn read(mut out: impl BufRead, limits: &Limits, page: Page) -> Printed {
    let (mut printed, mut skip, mut bytes) = (Printed::default(), page.skip, 0);
    let mut line = Vec::new();
    let longest = limits.bytes.saturating_mul(LONGEST) as u64;
    loop {
        line.clear();
        if skip > 0 {
            match out.skip_until(b'\n') {
                Ok(1..) => skip -= 1,
                _ => return printed,
            }
            continue;
        }
        match (&mut out).take(longest).read_until(b'\n', &mut line) {
            Ok(1..) => {}
            _ => return printed,
        }
        let is_cut = line.last() != Some(&b'\n') && line.len() as u64 == longest;
        if is_cut && out.skip_until(b'\n').is_err() {
            return printed;
        }
        if printed.lines.len() >= page.lines || bytes > limits.bytes {
            printed.is_more = true;
            return printed;
        }
        bytes += line.len();
        printed.lines.push(String::from_utf8_lossy(line.trim_ascii_end()).into_owned());
    }
}

/// Reads the first messages, and drains the rest, so that the command does not wait for a reader.
fn messages(mut stderr: impl Read) -> Vec<String> {
    let mut text = Vec::new();
    // What cannot be read is not there.
    let _ = (&mut stderr).take(MESSAGES).read_to_end(&mut text);
    let _ = std::io::copy(&mut stderr, &mut std::io::sink());
    whole_lines(&text).lines().map(str::to_owned).collect()
}

/// Returns the text without a last line that has no end, because its command was killed, or there was no room for it.
fn whole_lines(text: &[u8]) -> String {
    let end = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    // One line that has all the room is there as far as it fits.
    let end = if end == 0 && text.len() as u64 == MESSAGES { text.len() } else { end };
    String::from_utf8_lossy(text.get(..end).unwrap_or_default()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str, skip: usize, lines: usize) -> (Vec<String>, bool) {
        let limits = Limits { bytes: 10, time: Duration::from_secs(1), program: PathBuf::new() };
        let printed = read(text.as_bytes(), &limits, Page { skip, lines });
        (printed.lines, printed.is_more)
    }

    #[test]
    fn a_message_is_whole_or_left_out() {
        assert_eq!(whole_lines(b"note: a\nwarn"), "note: a\n");
        assert_eq!((whole_lines(b"warning"), whole_lines(b"")), (String::new(), String::new()));
        let long = vec![b'x'; MESSAGES as usize];
        assert_eq!(whole_lines(&long).len(), long.len());
    }

    #[test]
    fn pages_follow_each_other() {
        let text = "a\nb\nc\n";
        assert_eq!(page(text, 0, 2), (vec!["a".into(), "b".into()], true));
        assert_eq!(page(text, 2, 2), (vec!["c".into()], false));
        assert_eq!(page(text, 3, 2), (vec![], false));
        assert_eq!(page(text, 9, 2), (vec![], false));
    }

    #[test]
    fn a_page_ends_when_its_bytes_are_used_up() {
        let line = "x".repeat(20);
        assert_eq!(page(&format!("{line}\ny\n"), 0, 5), (vec![line], true));
        let long = "x".repeat(2000);
        assert_eq!(page(&format!("{long}\n"), 0, 5).0[0].len(), 640);
    }
}
