//! `etwkit twapi-header`: the header of a trace as TWAPI reports it.

use std::io::Write;

use clap::ValueEnum;
use etwkit_windows_formats::{twapi_logfile, twapi_session};

use crate::args::FailOnArgs;
use crate::exit_status::Status;
use crate::failure::Failure;
use crate::input::InputArgs;
use crate::output::{self, PlainLines};
use crate::program::Program;
use crate::session::Session;

const HELP: &str = "\
One Tcl dictionary per file. `session` is the report of etw_stop_trace, as far as the file contains it; `logfile` the \
record etw_event_trace_logfile with the header in it.

Examples:
  etwkit twapi-header http.etl
  etwkit twapi-header http.etl --report logfile";

/// What was typed.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,
    /// Which of TWAPI's reports
    #[arg(long, value_name = "REPORT", default_value = "session")]
    report: ReportArg,
}

/// A report of TWAPI.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum ReportArg {
    /// What `etw_stop_trace` returns
    Session,
    /// The record `etw_event_trace_logfile`
    Logfile,
}

/// Runs the command.
pub(crate) fn run(args: Args, Program { printer, .. }: Program) -> Result<Status, Failure> {
    let Args { input, report } = args;
    let session = Session::open(&input, etwkit_parsers::standard(), FailOnArgs::default(), printer)?;
    let mut out = PlainLines::new(output::stdout());
    for file in session.trace().files() {
        let dict = match report {
            ReportArg::Session => twapi_session(&file.head.log),
            ReportArg::Logfile => twapi_logfile(&file.head.log),
        };
        writeln!(out, "{dict}")?;
    }
    out.flush()?;
    Ok(session.finish())
}
