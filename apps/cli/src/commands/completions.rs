//! `etwkit completions`: what a shell needs to complete commands and options.

use std::io::Write;

use clap::{Arg, Command, ValueHint};
use clap_complete::Shell;

use crate::exit_status::Status;
use crate::failure::Failure;
use crate::program::Program;

const HELP: &str = "\
Examples:
  etwkit completions bash > ~/.local/share/bash-completion/completions/etwkit
  etwkit completions zsh > ~/.zfunc/_etwkit      with `fpath+=~/.zfunc` before compinit in .zshrc
  etwkit completions fish > ~/.config/fish/completions/etwkit.fish
  etwkit completions powershell >> $PROFILE
  etwkit completions elvish >> ~/.config/elvish/rc.elv";

/// What was typed.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// The command line; shells complete names of files only where files are meant.
fn with_hints(command: Command) -> Command {
    let hinted = |arg: Arg| match arg.get_value_hint() {
        ValueHint::Unknown if arg.get_action().takes_values() => arg.value_hint(ValueHint::Other),
        _ => arg,
    };
    command.mut_args(hinted).mut_subcommands(|command| command.mut_args(hinted))
}

/// Runs the command.
pub(crate) fn run(args: Args, program: Program) -> Result<Status, Failure> {
    let Args { shell } = args;
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut with_hints((program.command_line)()), "etwkit", &mut script);
    let mut out = std::io::stdout();
    out.write_all(&script)?;
    out.flush()?;
    Ok(Status::Complete)
}
