//! A golden-file test: the events of a trace as stable text, compared with a file in the repository.
//!
//! `cargo run --example golden` compares; with `BLESS=1` in the environment it writes the file.

use std::error::Error;
use std::path::Path;

use etwkit::Trace;
use etwkit::output::JsonLines;
use etwkit::trace::{Filter, Glob, RunOptions};

/// Compares the events of one provider with the golden file, or writes it.
pub fn run(file: &Path, golden: &Path, bless: bool) -> Result<(), Box<dyn Error>> {
    let trace = Trace::open(file, etwkit_parsers::standard())?;
    // Events of the kernel differ from machine to machine.
    let filter = Filter::default().providers([Glob::new("Synth.*")]);
    let mut lines = JsonLines::new(&trace, Vec::new());
    trace.run(&RunOptions::default().filter(filter), &mut lines)?;
    let found = String::from_utf8(lines.finish()?)?;
    if bless {
        return Ok(std::fs::write(golden, found)?);
    }
    let expected = std::fs::read_to_string(golden)?;
    match found.lines().zip(expected.lines()).find(|(found, expected)| found != expected) {
        Some((found, expected)) => Err(format!("expected {expected}\nfound    {found}").into()),
        None if found.lines().count() != expected.lines().count() => Err("events are missing, or new".into()),
        None => Ok(()),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let golden = folder.join("examples/golden.jsonl");
    run(&folder.join("fixtures/hello.etl"), &golden, std::env::var_os("BLESS").is_some())
}
