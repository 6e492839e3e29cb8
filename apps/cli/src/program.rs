//! What the program hands to every command.

use crate::printer::Printer;

/// The parts of the program that commands use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Program {
    /// Writes messages to stderr.
    pub(crate) printer: Printer,
    /// Describes the whole command line, for completions and manual pages.
    pub(crate) command_line: fn() -> clap::Command,
}
