//! A damaged file: everything that can be read is delivered, and what is missing is reported with its place.
//!
//! `cargo run --example damaged [FILE]`

use std::io::Write;

use etwkit::{ErrorKind, Severity, Trace};

/// Writes what could be read and what could not to `out`.
pub fn run(file: &str, out: &mut impl Write) -> etwkit::Result<()> {
    // Only a file that is not a trace at all, or one that the system refuses, is an error.
    let trace = match Trace::open(file, etwkit_parsers::standard()) {
        Err(error) if matches!(error.kind(), ErrorKind::NotATrace(_)) => return Ok(writeln!(out, "{error}")?),
        opened => opened?,
    };
    let mut events = trace.events();
    let mut read = 0;
    while events.next()?.is_some() {
        read += 1;
    }
    writeln!(out, "{read} events in {} buffers could be read", trace.buffers().len())?;
    let mut missing = 0;
    // What `changes` has was written to the file by somebody else while it was read.
    for problem in trace.problems().iter().chain(&trace.changes()) {
        writeln!(out, "{}: {problem}", problem.severity.name())?;
        missing += if problem.severity == Severity::Damage { problem.len } else { 0 };
    }
    let whole = if trace.is_damaged() { "damaged" } else { "whole" };
    writeln!(out, "the file is {whole}: {missing} bytes are in no event")?;
    Ok(())
}

fn main() -> etwkit::Result<()> {
    let fixture = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/damaged-event-size.etl");
    run(&std::env::args().nth(1).unwrap_or_else(|| fixture.to_owned()), &mut std::io::stdout().lock())
}
