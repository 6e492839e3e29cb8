//! Messages for people, on stderr.

use std::fmt::Display;
use std::io::{IsTerminal, Write};

use anstyle::{AnsiColor, Style};
use etwkit::render::terminal;

use crate::failure::Failure;

/// Decides what is printed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Printer {
    quiet: bool,
    verbose: bool,
}

impl Printer {
    /// Says only errors if `quiet`, and details if `verbose`.
    pub(crate) const fn new(quiet: bool, verbose: bool) -> Self {
        Self { quiet, verbose }
    }

    /// Whether details are wanted.
    pub(crate) const fn is_verbose(self) -> bool {
        self.verbose
    }

    /// Whether a progress bar may be drawn.
    pub(crate) fn shows_progress(self) -> bool {
        !self.quiet && std::io::stderr().is_terminal()
    }

    /// How it was done, for those who ask.
    pub(crate) fn detail(self, message: impl Display) {
        if self.verbose {
            say("detail", AnsiColor::Green, &message.to_string());
        }
    }

    /// Something to know.
    pub(crate) fn note(self, message: impl Display) {
        if !self.quiet {
            say("note", AnsiColor::Cyan, &message.to_string());
        }
    }

    /// Something is missing from the output.
    pub(crate) fn warning(self, message: impl Display) {
        if !self.quiet {
            say("warning", AnsiColor::Yellow, &message.to_string());
        }
    }

    /// Something could not be done at all.
    pub(crate) fn failure(failure: &Failure) {
        say("error", AnsiColor::Red, &failure.to_string());
        if let Failure::Error { hint: Some(hint), .. } = failure {
            Self::hint(hint);
        }
    }

    /// The run was interrupted. What a progress bar or the terminal wrote stays on a line of its own.
    pub(crate) fn interrupted() {
        if std::io::stderr().is_terminal() {
            let _ = writeln!(std::io::stderr());
        }
        say("error", AnsiColor::Red, "interrupted: the output is not complete");
    }

    /// What to do about the error before.
    pub(crate) fn hint(text: &str) {
        say("hint", AnsiColor::Cyan, text);
    }
}

/// Writes a line; a stderr that is closed is nobody's concern.
fn say(label: &str, color: AnsiColor, message: &str) {
    let style = Style::new().bold().fg_color(Some(color.into()));
    let _ = writeln!(anstream::stderr(), "{style}{label}{style:#}: {}", terminal::escaped(message));
}
