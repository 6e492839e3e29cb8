//! A damaged file: everything that can be read is delivered, and what is missing is told with its place.
//!
//! `cargo run --example damaged [FILE]`

use std::io::Write;

use etwkit::input::Input;
use etwkit::trace::Trace;
use etwkit::{ErrorKind, Severity};

/// Writes what could be read and what could not to `out`.
pub fn run(file: &str, out: &mut impl Write) -> etwkit::Result<()> {
    // Only a file that is no trace at all, or one that the system refuses, is an error.
    let trace = match Trace::open(Input::open(file)?, etwkit_parsers::standard()) {
        Ok(trace) => trace,
        Err(error) if matches!(error.kind(), ErrorKind::NotATrace(_)) => {
            writeln!(out, "{error}")?;
            return Ok(());
        }
        Err(error) => return Err(error),
    };
    let mut events = trace.events();
    let mut read = 0;
    while events.next()?.is_some() {
        read += 1;
    }
    writeln!(out, "{read} events in {} buffers could be read", trace.buffers().len())?;
    let mut missing = 0;
    for problem in trace.problems() {
        writeln!(out, "{}: {problem}", problem.severity.name())?;
        if problem.severity == Severity::Damage {
            missing += problem.len;
        }
    }
    let whole = if trace.is_damaged() { "damaged" } else { "whole" };
    writeln!(out, "the file is {whole}: {missing} bytes are in no event")?;
    Ok(())
}

fn main() -> etwkit::Result<()> {
    let fixture = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/damaged-event-size.etl");
    run(&std::env::args().nth(1).unwrap_or_else(|| fixture.to_owned()), &mut std::io::stdout().lock())
}
