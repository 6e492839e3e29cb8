//! `etwkit info`: what a trace contains, and what is missing in it.

mod brief;
mod groups;
mod json;
mod layout;
mod machines;
mod plain;
mod report;
mod schemas;
mod undecoded;
mod uses;

use std::io::{self, Write};

use anstream::adapter::strip_str;
use anstream::{AutoStream, ColorChoice};
use etwkit::parser::Parsers;
use etwkit::trace::RunOptions;

use crate::args::{FailOn, FailOnArgs, ReportFormat, SchemaArgs};
use crate::exit_status::Status;
use crate::failure::Failure;
use crate::input::{InputArgs, Opened, collection};
use crate::printer::Printer;
use crate::program::Program;
use crate::session::{self, Findings, all_inputs, for_each_input};
use crate::text::{counted, safe_json};

use brief::Width;
use report::Report;

const HELP: &str = "\
Each file is reported by itself, with the schemas that it contains; with --together all files are one trace, as in \
dump.

Examples:
  etwkit info trace.etl
  etwkit info --brief traces/                      one line per file
  etwkit info --brief -f jsonl traces/             the same as one short JSON object per file
  etwkit info --together collection/*.etl          what one file explains applies to all
  etwkit info -f jsonl traces/ > traces.jsonl     one JSON object per file, each on one line
  etwkit info trace.etl --fail-on lost,undecoded   for scripts: exit code 1 if something is missing";

/// What was typed.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
#[expect(clippy::struct_excessive_bools, reason = "switches of a command line")]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    format: ReportFormat,
    /// One line per file: events, duration (hours, minutes, seconds), share of decoded events, lost events and buffers
    /// (`3+1b`; `?` if not recorded), notes (damage, and which commands it is for: packets, requests, counters; symbols
    /// wanted), system, computer. With `-f jsonl` a short JSON object
    #[arg(long)]
    brief: bool,
    /// Read all inputs as one trace and report on them together: what one file of a collection explains applies to all
    #[arg(long)]
    together: bool,
    /// Add the SHA-256 of the file (of an archive member: unpacked)
    #[arg(long, conflicts_with_all = ["together", "brief"])]
    sha256: bool,
    /// Join stacks with their events, and state how many were not joined and why; reads the file once more
    #[arg(long, conflicts_with = "brief")]
    stacks: bool,
    #[command(flatten)]
    schemas: SchemaArgs,
    #[command(flatten)]
    fail_on: FailOnArgs,
}

/// What a report contains if it is asked for.
#[derive(Clone, Copy)]
struct ReportOptions {
    sha256: bool,
    stacks: bool,
}

/// Runs the command.
pub(crate) fn run(args: Args, Program { printer, .. }: Program) -> Result<Status, Failure> {
    let Args { input, format, brief, together, sha256, stacks, schemas, fail_on } = args;
    let options = ReportOptions { sha256, stacks };
    let form = match (brief, format.is_json()) {
        (true, false) => Form::Brief,
        (true, true) => Form::BriefJson,
        (false, true) => Form::Json,
        (false, false) => Form::Page,
    };
    let mut findings = Findings::new(fail_on, printer);
    if together {
        let opened = all_inputs(&input, &mut findings)?;
        if !opened.is_empty() {
            let report = read(opened, schemas.parsers(printer)?, options, printer)?;
            judge(&report, &mut findings, printer);
            print(&report, form, true)?;
        }
        return Ok(findings.status());
    }
    let mut is_first = true;
    for_each_input(&input, &mut findings, |opened, findings| {
        // What is wrong with a schema is not a fault of the trace: it ends the run.
        let parsers = schemas.parsers(printer)?;
        let Some(report) = read_one(opened, parsers, options, findings, printer) else { return Ok(()) };
        judge(&report, findings, printer);
        print(&report, form, std::mem::take(&mut is_first))
    })?;
    Ok(findings.status())
}

/// Reads a file by itself; nothing if that fails, which is reported.
fn read_one(
    opened: Opened,
    parsers: Parsers,
    options: ReportOptions,
    findings: &mut Findings,
    printer: Printer,
) -> Option<Report> {
    let name = opened.input.name().to_owned();
    match read(vec![opened], parsers, options, printer) {
        Ok(report) => {
            let siblings = if report.undecoded_types().is_empty() { Vec::new() } else { collection(&name) };
            Some(report.with_siblings(siblings))
        }
        Err(failure) => {
            Printer::failure(&failure.of(name));
            findings.input_failed();
            None
        }
    }
}

/// Reads files as one trace.
fn read(opened: Vec<Opened>, parsers: Parsers, options: ReportOptions, printer: Printer) -> Result<Report, Failure> {
    let hash = match &*opened {
        [only] if options.sha256 => Some(report::sha256(&only.input)?),
        _ => None,
    };
    let parsers = if options.stacks { etwkit_parsers::with_stacks(parsers) } else { parsers };
    let (trace, archive_problems) = session::read(opened, parsers, RunOptions::default().threads, printer)?;
    let joins = if options.stacks { Some(trace.stack_joins()?) } else { None };
    Ok(Report::new(trace, archive_problems).with_hash(hash).with_stacks(joins))
}

/// What a report looks like.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Page,
    Brief,
    BriefJson,
    Json,
}

fn print(report: &Report, form: Form, is_first: bool) -> Result<(), Failure> {
    let width = Width::of_stdout();
    let text = match form {
        Form::Page if is_first => plain::page(report),
        Form::Page => format!("\n{}", plain::page(report)),
        Form::Brief if is_first => brief::head(width) + &brief::line(report, width),
        Form::Brief => brief::line(report, width),
        Form::BriefJson => safe_json(&brief::object(report)) + "\n",
        Form::Json => safe_json(&json::object(report)) + "\n",
    };
    let (mut out, choice) = (io::stdout(), AutoStream::choice(&io::stdout()));
    if choice == ColorChoice::Never {
        // One write. The stream would write each part between two styles.
        out.write_all(strip_str(&text).to_string().as_bytes())?;
    } else {
        AutoStream::new(&mut out, choice).write_all(text.as_bytes())?;
    }
    Ok(out.flush()?)
}

/// Decides the exit code. The report holds all problems, so that stderr gets one line.
fn judge(report: &Report, findings: &mut Findings, printer: Printer) {
    let (ranges, bytes) = report.damage();
    if ranges > 0 {
        findings.found_damage();
        let (ranges, bytes) = (counted(ranges, "range"), counted(bytes, "byte"));
        printer.warning(format_args!("{}: part of it could not be read: {ranges}, {bytes}", report.name()));
    }
    if report.lost() != (0, 0) {
        findings.found(FailOn::Lost);
    }
    if report.trace.decoded().1 > 0 {
        findings.found(FailOn::Undecoded);
    }
}
