//! Messages for people, on stderr.

use std::fmt::Display;
use std::io::{IsTerminal, Write};

use anstyle::{AnsiColor, Style};

use crate::failure::Failure;
use crate::text::clean;

/// Decides what is said.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Printer {
    quiet: bool,
}

impl Printer {
    /// Says only errors if `quiet`.
    pub(crate) const fn new(quiet: bool) -> Self {
        Self { quiet }
    }

    /// Whether a progress bar may be drawn.
    pub(crate) fn shows_progress(self) -> bool {
        !self.quiet && std::io::stderr().is_terminal()
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
            say("hint", AnsiColor::Cyan, hint);
        }
    }
}

/// Writes a line; a stderr that is closed is nobody's concern.
fn say(label: &str, color: AnsiColor, message: &str) {
    let style = Style::new().bold().fg_color(Some(color.into()));
    let _ = writeln!(anstream::stderr(), "{style}{label}{style:#}: {}", clean(message));
}
