//! The command line as a whole.

use std::ffi::OsString;

use clap::{Args, Parser, ValueEnum};

use crate::commands::Command;

const EXAMPLES: &str = "\
Commands for special purposes:
  tmf           Write the definitions of WPP messages in a PDB file as .tmf files
  twapi-header  Print the header of a trace as Tcl dictionaries, as the extension TWAPI reports it

Examples:
  etwkit info trace.etl                    what is in it, and what was lost
  etwkit dump trace.etl > trace.jsonl      every event as a JSON line, in time order
  etwkit dump traces/ --provider '*TCPIP*' --level warning --format text
  etwkit dump upload.etl.zip --since +10s --until +12.5s
  etwkit count trace.etl --group-by provider,pid

Exit codes:
  0  everything in the files was delivered
  1  part of a file could not be read, or a condition of --fail-on was met
  2  could not run: bad arguments, no such file, not a trace";

/// Reads Windows .etl traces (Event Tracing for Windows) on any system
#[derive(Debug, Parser)]
#[command(name = "etwkit", version, after_help = EXAMPLES, max_term_width = 100, disable_help_subcommand = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) global: GlobalArgs,
}

/// Arguments that every command takes.
#[derive(Debug, Args)]
pub(crate) struct GlobalArgs {
    /// Print only errors on stderr; the exit code does not change
    #[arg(short, long, global = true, display_order = 900, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Print on stderr what was read of each file, where schemas came from, and how long it took
    #[arg(short, long, global = true, display_order = 900)]
    pub(crate) verbose: bool,
    /// Put an apostrophe before each cell of CSV that a spreadsheet would take for a formula
    #[arg(long, global = true, display_order = 900)]
    pub(crate) csv_safe: bool,
    /// When to use colours: `auto` is on a terminal, unless `NO_COLOR` is set
    #[arg(long, global = true, display_order = 900, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
}

/// `--csv-safe` for a command that writes no CSV: it is taken, and its help does not show it.
pub(crate) fn hidden_csv_safe() -> clap::Arg {
    clap::Arg::new("csv_safe").long("csv-safe").global(true).hide(true).action(clap::ArgAction::SetTrue)
}

/// When to use colours.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Color {
    /// Makes it the choice of all streams.
    pub(crate) fn apply(self) {
        let choice = match self {
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::Always,
            Self::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
    }

    /// What was typed, looked for before the arguments are understood: help and complaints about them have colours too.
    pub(crate) fn typed(arguments: impl Iterator<Item = OsString>) -> Self {
        let texts: Vec<OsString> = arguments.take_while(|argument| argument != "--").collect();
        let after = |name: &OsString, value: Option<&OsString>| match name.to_str()?.strip_prefix("--color")? {
            "" => Self::from_str(value?.to_str()?, true).ok(),
            joined => Self::from_str(joined.strip_prefix('=')?, true).ok(),
        };
        texts.iter().enumerate().find_map(|(at, name)| after(name, texts.get(at + 1))).unwrap_or(Self::Auto)
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    /// The terminal breaks lines; a line that is broken by hand besides looks ragged.
    #[test]
    fn paragraphs_of_help_are_broken_by_the_terminal_only() {
        for command in Cli::command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let prose = help.split("\n\n").filter(|paragraph| !paragraph.starts_with("Examples:"));
            prose.for_each(|paragraph| assert!(!paragraph.contains('\n'), "{}: {paragraph}", command.get_name()));
            let widest =
                help.split("\n\n").last().into_iter().flat_map(str::lines).map(|line| line.chars().count()).max();
            assert!((1..=100).contains(&widest.unwrap_or(0)), "{}: {help}", command.get_name());
        }
    }
}
