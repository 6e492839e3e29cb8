//! `etwkit check`: whether traces are whole.

use std::io::Write;

use etwkit::Severity;
use etwkit::render::terminal;
use etwkit_check::{Finding, Report, Verdict, check};
use serde_json::{Value, json};

use crate::args::{FailOn, FailOnArgs, ReportFormat, SchemaArgs, ThreadArgs};
use crate::exit_status::Status;
use crate::failure::Failure;
use crate::input::InputArgs;
use crate::program::Program;
use crate::session::Session;
use crate::text::{counted, grouped, safe_json};

const HELP: &str = "\
Reads everything and lists what is wrong: bytes that cannot be read, what the session lost, buffers that the header counts \
and that are not there, numbers of buffers that are missing, buffers that state that events were lost before them, a second \
log-file header in a file, clocks, processes that no event names, stacks without their events, events without a \
description. Several files are checked as one trace.

The verdict is `whole`, `whole, with notes` (no byte of the files is missing and their headers count no \
loss), `incomplete` (the session lost events while it recorded) or `damaged` (bytes of the file cannot be read, or buffers were removed).

The exit code is 1 for a damaged trace, and for others if --fail-on names what was found.

Examples:
  etwkit check trace.etl
  etwkit check --json --fail-on lost *.etl";

/// What was typed.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    format: ReportFormat,
    #[command(flatten)]
    schemas: SchemaArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    fail_on: FailOnArgs,
}

/// Runs the command.
pub(crate) fn run(args: Args, Program { printer, .. }: Program) -> Result<Status, Failure> {
    let Args { input, format, schemas, threads, fail_on } = args;
    let (parsers, _) = schemas.parsers_with_stacks(printer)?;
    let mut session = Session::open_by(threads.count(), &input, parsers, fail_on, printer)?;
    let mut report = check(session.trace())?;
    report.findings.splice(0..0, session.archive_problems().iter().map(Finding::from));
    let names: Vec<&str> = session.trace().files().iter().map(|file| file.source.name()).collect();
    let mut out = crate::output::stdout();
    if format.is_json() {
        writeln!(out, "{}", safe_json(&as_json(&report, &names)))?;
    } else {
        let mut text = as_text(&report, &names).into_bytes();
        terminal::escape_lines_from(&mut text, 0);
        out.write_all(&text)?;
    }
    out.flush()?;
    session.say_partial_copies()?;
    note_findings(&mut session, &report);
    Ok(session.finish_reported())
}

/// Notes what changes the exit code.
fn note_findings(session: &mut Session, report: &Report) {
    match report.verdict() {
        Verdict::Damaged => session.found_damage(),
        Verdict::Incomplete => session.found(FailOn::Lost),
        _ => {}
    }
    if report.findings.iter().any(|finding| finding.kind == "undecoded") {
        session.found(FailOn::Undecoded);
    }
}

fn as_json(report: &Report, names: &[&str]) -> Value {
    let findings: Vec<Value> = report.findings.iter().map(|finding| of_finding(finding, names)).collect();
    json!({
        "verdict": report.verdict().to_string(),
        "files": names,
        "events": report.events,
        "findings": findings,
        "unlisted": report.unlisted,
    })
}

fn of_finding(finding: &Finding, names: &[&str]) -> Value {
    let (offset, len) = finding.place.unzip();
    json!({
        "severity": finding.severity.name(),
        "kind": finding.kind,
        "file": finding.file.and_then(|file| names.get(file.index())),
        "offset": offset,
        "len": len,
        "detail": finding.detail,
        "meaning": finding.meaning,
    })
}

fn as_text(report: &Report, names: &[&str]) -> String {
    let mut parts = vec![headline(report)];
    parts.extend(report.findings.iter().map(|finding| paragraph(finding, names)));
    if report.unlisted > 0 {
        parts.push(format!("{} more that are not listed\n", grouped(report.unlisted)));
    }
    parts.join("\n")
}

/// The verdict, and how much of what was found.
fn headline(report: &Report) -> String {
    let count =
        |severity: Severity| report.findings.iter().filter(|finding| finding.severity == severity).count() as u64;
    let counts = [(Severity::Damage, "damaged place"), (Severity::Loss, "loss report"), (Severity::Note, "note")];
    let found = counts.map(|(severity, word)| (count(severity), word)).into_iter().filter(|(count, _)| *count > 0);
    let found: Vec<String> = found.map(|(count, word)| counted(count, word)).collect();
    let found = if found.is_empty() { "nothing to report".to_owned() } else { found.join(", ") };
    format!("{}: {}, {found}\n", report.verdict(), counted(report.events, "event"))
}

fn paragraph(finding: &Finding, names: &[&str]) -> String {
    let Finding { severity, kind, detail, meaning, .. } = finding;
    let name = finding.file.and_then(|file| names.get(file.index())).filter(|_| names.len() > 1);
    let file = name.map(|name| format!("{name}: ")).unwrap_or_default();
    let place =
        finding.place.map(|(offset, len)| format!(" at {offset:#x}, {}", counted(len, "byte"))).unwrap_or_default();
    format!("{:<7} {file}{kind}{place}\n        {detail}\n        {meaning}\n", severity.name())
}
