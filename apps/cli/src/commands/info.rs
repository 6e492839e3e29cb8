//! `etwkit info`: what a trace holds, and what is missing in it.

mod groups;
mod json;
mod layout;
mod plain;
mod report;

pub(crate) use json::problem as problem_json;

use std::io::Write;

use etwkit::trace::Trace;

use crate::failure::Failure;
use crate::input::{InputArgs, Opened};
use crate::printer::Printer;
use crate::progress::{Progress, Unit};
use crate::schemas::SchemaArgs;
use crate::verdict::{FailOn, FailOnArgs, Status, Verdict};

use report::Report;

const HELP: &str = "\
Each file is reported by itself, with the schemas that it holds.

Examples:
  etwkit info trace.etl
  etwkit info --json traces/ > traces.jsonl       one JSON object a file, each on one line
  etwkit info trace.etl --fail-on lost,undecoded   for scripts: exit code 1 if something is missing";

/// What was typed.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,
    /// One JSON object a file instead of text
    #[arg(long)]
    json: bool,
    /// Add the SHA-256 of the file (of an archive member: unpacked)
    #[arg(long)]
    sha256: bool,
    /// Join stacks with their events, and say how many were not joined and why; reads the file once more
    #[arg(long)]
    stacks: bool,
    #[command(flatten)]
    schemas: SchemaArgs,
    #[command(flatten)]
    fail_on: FailOnArgs,
}

/// Runs the command.
pub(crate) fn run(args: Args, printer: Printer) -> Result<Status, Failure> {
    let Args { input, json, sha256, stacks, schemas, fail_on } = args;
    let mut verdict = Verdict::new(fail_on.fail_on);
    let mut first = true;
    input.for_each(&mut verdict, |opened, verdict| {
        let name = opened.source.name().to_owned();
        let report = match read(opened, sha256, stacks, &schemas, printer) {
            Ok(report) => report,
            Err(failure) => {
                Printer::failure(&failure.of(name));
                verdict.input_failed();
                return Ok(());
            }
        };
        judge(&report, verdict, printer);
        if !json && !std::mem::take(&mut first) {
            writeln!(anstream::stdout())?;
        }
        print(&report, json)
    })?;
    Ok(verdict.status())
}

fn read(opened: Opened, sha256: bool, stacks: bool, schemas: &SchemaArgs, printer: Printer) -> Result<Report, Failure> {
    let Opened { source, damage } = opened;
    let hash = if sha256 { Some(report::sha256(&source)?) } else { None };
    let bytes = source.len();
    let mut progress = Progress::new(Some(bytes), Unit::Bytes, printer);
    let (parsers, asked) = schemas.parsers(printer)?;
    let parsers = if stacks { etwkit_parsers::with_stacks(parsers) } else { parsers };
    let trace = Trace::open(source, parsers)?;
    let census = trace.census_with(&mut |done| progress.at(done))?;
    progress.at(bytes);
    progress.finish();
    crate::verbose::census(&census, printer);
    let joins = if stacks { Some(census.stack_joins()?) } else { None };
    Ok(Report::new(census, damage.as_ref(), hash, &asked).with_stacks(joins))
}

fn print(report: &Report, json: bool) -> Result<(), Failure> {
    let text = if json { format!("{}\n", json::object(report)) } else { plain::page(report) };
    let mut out = anstream::stdout();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// The report holds all problems, so that stderr gets one line.
fn judge(report: &Report, verdict: &mut Verdict, printer: Printer) {
    let (ranges, bytes) = report.damage();
    if ranges > 0 {
        verdict.damaged();
        let (ranges, bytes) = (crate::text::counted(ranges, "range"), crate::text::counted(bytes, "byte"));
        printer.warning(format_args!("{}: part of it could not be read: {ranges}, {bytes}", report.name()));
    }
    if report.lost() != (0, 0) {
        verdict.found(FailOn::Lost);
    }
    if report.census.decoded().1 > 0 {
        verdict.found(FailOn::Undecoded);
    }
}
