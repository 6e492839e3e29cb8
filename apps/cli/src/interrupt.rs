//! Ctrl+C, and the signals by which a system asks a program to end.

use std::process;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crate::output;
use crate::printer::Printer;

/// The exit code of a run that was interrupted: 128 and the number of SIGINT, as shells count.
const CODE: i32 = 130;
/// How long a reader of stdout has to take the lines of the moment.
const PATIENCE: Duration = Duration::from_secs(1);

/// What is done before an interruption is reported and ends the program.
static BEFORE_EXIT: OnceLock<fn()> = OnceLock::new();

/// Lets an interruption call this before it ends the program: what has the terminal gives it back.
pub(crate) fn before_exit(call: fn()) {
    let _ = BEFORE_EXIT.set(call);
}

/// From here on, an interruption ends the program in order: no temporary file stays, and stdout ends with a whole line.
/// A second one ends it at once. A signal that is ignored stays so, as SIGHUP under `nohup` and SIGINT in the
/// background of a script; beyond Linux, all are left as they are then.
pub(crate) fn watch() {
    // It handles all signals or none: none if one of them is ignored.
    if ctrlc::try_set_handler(on_signal).is_err() {
        watch_others();
    }
}

fn on_signal() {
    static IS_ENDING: AtomicBool = AtomicBool::new(false);
    if IS_ENDING.swap(true, Ordering::Relaxed) {
        exit();
    }
    // The next signal is handled here meanwhile.
    thread::spawn(end);
}

/// Handles those of the signals that are not ignored, where the system states which are.
#[cfg(target_os = "linux")]
fn watch_others() {
    // Without a handler the system ends the program.
    let _ = watch_each();
}

#[cfg(target_os = "linux")]
fn watch_each() -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let status = std::fs::read_to_string("/proc/self/status")?;
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored =
        ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).ok_or(std::io::ErrorKind::NotFound)?;
    // The bit of signal 1 is the lowest.
    let handled = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    let mut signals = signal_hook::iterator::Signals::new(handled)?;
    thread::Builder::new().spawn(move || signals.forever().for_each(|_| on_signal()))?;
    Ok(())
}

#[cfg(not(target_os = "linux"))]
const fn watch_others() {}

fn end() {
    let _files = output::remove_all();
    let _lines = output::stop(PATIENCE);
    if let Some(call) = BEFORE_EXIT.get() {
        call();
    }
    Printer::interrupted();
    exit();
}

#[expect(clippy::exit, reason = "what the main thread waits for may never come")]
fn exit() -> ! {
    process::exit(CODE)
}
