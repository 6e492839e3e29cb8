//! `etwkit repair`: the readable part of a damaged trace as a new file.

use std::path::PathBuf;

use etwkit::trace::Filter;

use crate::args::{FailOnArgs, SchemaArgs, ThreadArgs};
use crate::exit_status::Status;
use crate::failure::Failure;
use crate::input::InputArgs;
use crate::program::Program;
use crate::session::Session;

use super::relog;

const HELP: &str = "\
The new file has every event that can be read, in buffers without damage; what is wrong with the old one is listed on \
stderr. Its header says that it is a copy, and the first event after the header is `etwkit/Copy`. A trace whose header \
cannot be read gets one without the names and the clock of the session: its times count from 1601.

The exit code is 0 when the new file has all that can be read, even if the old one is damaged, and 2 when one of several \
files cannot be opened.

Examples:
  etwkit repair broken.etl -o whole.etl";

/// What was typed.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,
    /// The new file
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Compress the buffers, as Windows does when it merges files; otherwise they are not compressed
    #[arg(short, long)]
    compress: bool,
    #[command(flatten)]
    schemas: SchemaArgs,
    #[command(flatten)]
    threads: ThreadArgs,
}

/// Runs the command.
pub(crate) fn run(args: Args, Program { printer, .. }: Program) -> Result<Status, Failure> {
    let Args { input, output, compress, schemas, threads } = args;
    let (parsers, _) = schemas.parsers_with_stacks(printer)?;
    let mut session = Session::open_by(threads.count(), &input, parsers, FailOnArgs::default(), printer)?;
    let (new, copied) = relog::write(&session, &Filter::default(), compress, &output)?;
    new.keep()?;
    session.report_problems();
    relog::say(&output, &copied, printer);
    relog::say_clock(session.trace(), printer);
    // What is damaged is the reason for a repair; an input that is not there is none.
    Ok(if session.finish_reported() == Status::Failed { Status::Failed } else { Status::Complete })
}
