//! `etwkit man`: manual pages, made of the help.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use crate::exit_status::Status;
use crate::failure::Failure;
use crate::program::Program;
use crate::text::counted;

const HELP: &str = "\
Examples:
  etwkit man | man -l -
  etwkit man -o ~/.local/share/man/man1       then: man etwkit-dump";

/// What was typed.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// Folder for the pages of all commands; made if it is not there [default: the main page to stdout]
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
}

/// Runs the command.
pub(crate) fn run(args: Args, Program { printer, command_line }: Program) -> Result<Status, Failure> {
    let mut command = command_line().name("etwkit");
    command.build();
    let names: Vec<String> = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    // The help lists commands for special purposes apart.
    let command = names.into_iter().fold(command, |all, name| all.mut_subcommand(name, |one| one.hide(false)));
    let Some(folder) = args.output else {
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page)?;
        let mut out = std::io::stdout();
        out.write_all(&page)?;
        out.flush()?;
        return Ok(Status::Complete);
    };
    let here = |error: std::io::Error| Failure::from(error).of(folder.display());
    fs::create_dir_all(&folder).map_err(here)?;
    let mut pages = 0;
    for command in
        std::iter::once(&command).chain(command.get_subcommands().filter(|command| command.get_name() != "help"))
    {
        let man = clap_mangen::Man::new(command.clone());
        let mut page = Vec::new();
        man.render(&mut page)?;
        let path = folder.join(man.get_filename());
        fs::write(&path, page).map_err(|error| Failure::from(error).of(path.display()))?;
        pages += 1;
    }
    printer.note(format_args!("{} written to {}", counted(pages, "page"), folder.display()));
    Ok(Status::Complete)
}
