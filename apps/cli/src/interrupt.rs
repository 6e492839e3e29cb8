//! Ctrl+C, and the signals by which a system asks a program to end.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crate::output;
use crate::printer::Printer;

/// The exit code of a run that was interrupted: 128 and the number of SIGINT, as shells count.
const CODE: i32 = 130;
/// How long a reader of stdout has to take the lines of the moment.
const PATIENCE: Duration = Duration::from_secs(1);

/// From here on, an interruption ends the program in order: no temporary file stays, and stdout ends with a whole line. A
/// second one ends it at once. Where one of the signals is ignored, as SIGHUP under `nohup`, all are left as they are.
pub(crate) fn watch() {
    static IS_ENDING: AtomicBool = AtomicBool::new(false);
    let on_signal = || {
        if IS_ENDING.swap(true, Ordering::Relaxed) {
            exit();
        }
        // The next signal is handled here meanwhile.
        thread::spawn(end);
    };
    // Without a handler the system ends the program.
    let _ = ctrlc::try_set_handler(on_signal);
}

fn end() {
    let _files = output::remove_all();
    let _lines = output::stop(PATIENCE);
    Printer::interrupted();
    exit();
}

#[expect(clippy::exit, reason = "what the main thread waits for may never come")]
fn exit() -> ! {
    process::exit(CODE)
}
