//! `etwkit tmf`: the definitions of WPP messages in a PDB file, as tracepdb extracts them.

use std::fs;
use std::path::PathBuf;

use etwkit_parsers::wpp::extract;

use crate::exit_status::Status;
use crate::failure::Failure;
use crate::hints::FOLDER;
use crate::program::Program;
use crate::text::counted;

const HELP: &str = "\
Only private PDB files have these definitions; public ones are stripped of them.

Examples:
  etwkit tmf driver.pdb -o tmf
  etwkit dump trace.etl --symbols tmf --format tracefmt";

/// What was typed.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// PDB file
    #[arg(value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    file: PathBuf,
    /// Folder to write to; created if it does not exist
    #[arg(short, long, value_name = "DIR", default_value = ".")]
    output: PathBuf,
}

/// Runs the command.
pub(crate) fn run(args: Args, Program { printer, .. }: Program) -> Result<Status, Failure> {
    let Args { file, output } = args;
    if file.is_dir() {
        return Err(Failure::new("it is a folder").of(file.display()).hint(FOLDER));
    }
    let symbols = extract(&file).map_err(|error| {
        Failure::from(error)
            .of(file.display())
            .hint("this command reads a PDB file; a trace goes to `etwkit dump TRACE --symbols FILE.pdb`")
    })?;
    if symbols.files.is_empty() {
        return Err(Failure::new("it contains no definitions of WPP messages")
            .of(file.display())
            .hint("only private PDB files have them; a public one is stripped of them"));
    }
    fs::create_dir_all(&output).map_err(|error| Failure::from(error).of(output.display()))?;
    for tmf in &symbols.files {
        let path = output.join(tmf.name());
        fs::write(&path, tmf.tmf.to_string()).map_err(|error| Failure::from(error).of(path.display()))?;
    }
    printer.note(format_args!("{} written", counted(symbols.files.len() as u64, "TMF file")));
    Ok(Status::Complete)
}
