//! Opens pages in the user's browser.

use std::ffi::OsStr;
use std::process::{Command, Stdio};

use crate::printer::Printer;

/// Opens a file or an address in the browser, or reports that it cannot.
pub(crate) fn show(target: impl AsRef<OsStr>, printer: Printer) {
    let opener = if cfg!(windows) {
        "explorer"
    } else if cfg!(target_os = "macos") {
        "open"
    } else {
        "xdg-open"
    };
    let mut command = Command::new(opener);
    let started = command.arg(target).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    if let Err(error) = started {
        printer.note(format_args!("no browser was opened: {error}"));
    }
}
