//! `etwkit baseline`: a trace as short stable text.

use std::io::Write;

use etwkit_baseline::{Options, Release, write_baseline};

use crate::args::{FailOnArgs, SchemaArgs};
use crate::exit_status::Status;
use crate::failure::Failure;
use crate::input::InputArgs;
use crate::output::{self, PlainLines};
use crate::program::Program;
use crate::session::Session;
use crate::text::{counted, parse_count};

const HELP: &str = "\
The format is that of TraceEvent's regression baselines: EVENT lines of the first events of each kind in time \
order, then COUNT lines. Kept beside a trace it shows what a change of a parser did. With --traceevent-compat the \
text is what TraceEvent writes of the same trace: without the events that it leaves out, and with its mistakes. \
docs/traceevent-differences.md lists them, and what \
changed between its releases: --traceevent-compat=2019-04 or =2.0.44 writes what that one wrote.

Examples:
  etwkit baseline trace.etl > trace.baseline.txt
  etwkit baseline trace.etl | diff trace.baseline.txt -
  etwkit baseline --traceevent-compat=2019-04 trace.etl";

/// What was typed.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    schemas: SchemaArgs,
    /// Events shown of each kind
    #[arg(long, value_name = "N", value_parser = parse_count::<u64>, allow_negative_numbers = true, default_value = "5")]
    per_type: u64,
    /// Write what TraceEvent writes, with its omissions and mistakes; VERSION is a month (2019-04) or a release
    /// (2.0.44)
    #[arg(
        long,
        value_name = "VERSION",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "newest",
        hide_default_value = true
    )]
    traceevent_compat: Option<Release>,
}

/// Runs the command.
pub(crate) fn run(args: Args, Program { printer, .. }: Program) -> Result<Status, Failure> {
    let Args { input, schemas, per_type, traceevent_compat } = args;
    let mut session = Session::open(&input, schemas.parsers(printer)?, FailOnArgs::default(), printer)?;
    let mut out = std::io::BufWriter::new(PlainLines::new(output::stdout()));
    let (compat, release) = (traceevent_compat.is_some(), traceevent_compat.unwrap_or_default());
    let options = Options::default().per_type(per_type).compat(compat).release(release);
    let totals = write_baseline(session.trace(), &options, &mut out)?;
    out.flush()?;
    session.report_problems();
    if totals.left_out > 0 {
        printer.note(format_args!(
            "{} left out, as TraceEvent does ({} of them only by its baseline test)",
            counted(totals.left_out, "event"),
            totals.skipped
        ));
    }
    Ok(session.finish())
}
