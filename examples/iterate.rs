//! Walks through a trace: what it holds, then every event in time order.
//!
//! `cargo run --example iterate [FILE]`

use std::io::Write;

use etwkit::input::Input;
use etwkit::trace::Trace;

/// Writes a line per event to `out`.
pub fn run(file: &str, out: &mut impl Write) -> etwkit::Result<()> {
    // The first pass counts, learns what the trace states about itself, and finds a schema for each kind of event.
    let trace = Trace::open(Input::open(file)?, etwkit_parsers::standard())?;
    let (decoded, unknown) = trace.decoded();
    writeln!(out, "{} events: {decoded} with a schema, {unknown} without", trace.events_total())?;

    // The second pass hands out events. Not an `Iterator`: an event borrows from the trace.
    let mut events = trace.events();
    while let Some(event) = events.next()? {
        let fields: Vec<&str> = event.fields().map(|field| field.name()).collect();
        let (cpu, provider, name) = (event.processor(), event.provider(), event.name());
        writeln!(out, "cpu {cpu} {provider} {name} [{}]", fields.join(" "))?;
    }
    Ok(())
}

fn main() -> etwkit::Result<()> {
    let fixture = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/hello.etl");
    run(&std::env::args().nth(1).unwrap_or_else(|| fixture.to_owned()), &mut std::io::stdout().lock())
}
