//! Picks events by a condition on header and fields, and exports them as JSON lines on all processors.
//!
//! `cargo run --example filter_export [FILE [EXPRESSION]]`

use std::io::Write;

use etwkit::input::Input;
use etwkit::output::JsonLines;
use etwkit::query::Expression;
use etwkit::trace::{Filter, RunOptions, Summary, Trace};

/// Writes the events that meet the condition (`docs/where.md`) to `out`.
pub fn run(file: &str, condition: &str, out: &mut impl Write) -> Result<Summary, Box<dyn std::error::Error>> {
    // A mistake in it is reported with its column.
    let expression: Expression = condition.parse()?;
    let trace = Trace::open(Input::open(file)?, etwkit_parsers::standard())?;
    let filter = Filter::default().expression(expression);
    // Decoding runs on several threads; the sink gets whole lines, in order.
    let mut sink = JsonLines::new(&trace, out);
    Ok(trace.run(&RunOptions::default().filter(filter), &mut sink)?)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let fixture = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/hello.etl");
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().unwrap_or_else(|| fixture.to_owned());
    let condition = arguments.next().unwrap_or_else(|| "provider ~ 'Cafe' and Item.Cups >= 2".to_owned());
    run(&file, &condition, &mut std::io::stdout().lock())?;
    Ok(())
}
