//! Prints the stacks of a trace with the methods and images that their frames are in: `cargo run --example stacks [FILE]`.

use std::io::Write;

use etwkit::Trace;

/// Writes each event that has a stack, and its frames, to `out`.
pub fn run(file: &str, out: &mut impl Write) -> etwkit::Result<()> {
    // Stacks that are events of their own are joined with their events only on request: they take memory.
    let trace = Trace::open(file, etwkit_parsers::with_stacks(etwkit_parsers::standard()))?;
    let (mut events, mut frames) = (trace.events(), Vec::new());
    while let Some(event) = events.next()? {
        let Some(stack) = event.stack(&mut frames) else { continue };
        let pid = stack.pid.unwrap_or(0);
        let process = trace.system().process_name_at(pid, event.raw());
        writeln!(out, "{} {}", process.unwrap_or("-"), event.name())?;
        for (place, address) in frames.iter().enumerate() {
            writeln!(out, "    {}", trace.system().frame_at(pid, *address, place, event.raw()))?;
        }
    }
    Ok(())
}

fn main() -> etwkit::Result<()> {
    let fixture = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/kernel-stacks.etl");
    run(&std::env::args().nth(1).unwrap_or_else(|| fixture.to_owned()), &mut std::io::stdout().lock())
}
