//! `etwkit info`: what a trace holds, and what is missing in it.

mod groups;
mod json;
mod layout;
mod missing;
mod plain;
mod report;
mod schemas;

pub(crate) use json::problem as problem_json;

use std::io::Write;
use std::ops::ControlFlow;

use etwkit::input::Input;
use etwkit::parser::Parsers;
use etwkit::trace::RawTrace;

use crate::failure::Failure;
use crate::input::{InputArgs, Opened};
use crate::printer::Printer;
use crate::progress::Progress;
use crate::schemas::SchemaArgs;
use crate::verdict::{FailOn, FailOnArgs, Status, Verdict};

use report::Report;

const HELP: &str = "\
Each file is reported by itself, with the schemas that it holds; with --together all files are one trace, as in \
dump.

Examples:
  etwkit info trace.etl
  etwkit info --together collection/*.etl          what one file explains serves all
  etwkit info --json traces/ > traces.jsonl       one JSON object a file, each on one line
  etwkit info trace.etl --fail-on lost,undecoded   for scripts: exit code 1 if something is missing";

/// What was typed.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
#[expect(clippy::struct_excessive_bools, reason = "switches of a command line")]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,
    /// One JSON object a file instead of text
    #[arg(long)]
    json: bool,
    /// Read all inputs as one trace and report on them together: what one file of a collection explains serves all
    #[arg(long)]
    together: bool,
    /// Add the SHA-256 of the file (of an archive member: unpacked)
    #[arg(long, conflicts_with = "together")]
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
pub(crate) fn run(args: &Args, printer: Printer) -> Result<Status, Failure> {
    let mut verdict = Verdict::new(args.fail_on.fail_on.clone());
    if args.together {
        let opened = args.input.all(&mut verdict)?;
        if !opened.is_empty() {
            let report = read(opened, args.schemas.parsers(printer)?, args, printer)?;
            judge(&report, &mut verdict, printer);
            print(&report, args.json)?;
        }
        return Ok(verdict.status());
    }
    let mut first = true;
    args.input.for_each(&mut verdict, |opened, verdict| {
        let name = opened.source.name().to_owned();
        // What is wrong with a schema is no fault of the trace: it ends the run.
        let parsers = args.schemas.parsers(printer)?;
        let report = match read(vec![opened], parsers, args, printer) {
            Ok(report) => report,
            Err(failure) => {
                Printer::failure(&failure.of(name));
                verdict.input_failed();
                return Ok(());
            }
        };
        let siblings = if report.gaps().is_empty() { Vec::new() } else { crate::input::collection(&name) };
        let report = report.with_siblings(siblings);
        judge(&report, verdict, printer);
        if !args.json && !std::mem::take(&mut first) {
            writeln!(anstream::stdout())?;
        }
        print(&report, args.json)
    })?;
    Ok(verdict.status())
}

/// Reads files as one trace.
fn read(opened: Vec<Opened>, parsers: Parsers, args: &Args, printer: Printer) -> Result<Report, Failure> {
    let hash = match &*opened {
        [only] if args.sha256 => Some(report::sha256(&only.source)?),
        _ => None,
    };
    let (mut sources, mut damage) = (Vec::new(), Vec::new());
    for (file, Opened { source, damage: wrong }) in opened.into_iter().enumerate() {
        damage.extend(wrong.map(|problem| problem.of_file(file)));
        sources.push(source);
    }
    let bytes = sources.iter().map(Input::len).sum();
    let mut progress = Progress::reading(printer);
    let parsers = if args.stacks { etwkit_parsers::with_stacks(parsers) } else { parsers };
    let trace = RawTrace::open_all(sources)?;
    let trace = trace.decode_with(parsers, &mut |done| {
        progress.at(done, bytes);
        ControlFlow::Continue(())
    })?;
    progress.at(bytes, bytes);
    progress.finish();
    crate::verbose::census(&trace, printer);
    let joins = if args.stacks { Some(trace.stack_joins()?) } else { None };
    Ok(Report::new(trace, damage).with_hash(hash).with_stacks(joins))
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
    if report.trace.decoded().1 > 0 {
        verdict.found(FailOn::Undecoded);
    }
}
