//! Counts events per processor over a memory map, at the speed of the walk:
//! `cargo run --example count_processors [FILE]`.

use std::io::Write;

use etwkit::{Input, RawTrace};

/// Writes a line per processor to `out`.
pub fn run(file: &str, out: &mut impl Write) -> etwkit::Result<()> {
    #[expect(
        unsafe_code,
        reason = "a file that shrinks under its map ends the process; `RawTrace::open` reads it safely"
    )]
    // SAFETY: nothing truncates or changes the file while it is mapped.
    let input = unsafe { Input::map(file) }?;
    let trace = RawTrace::open(input)?;
    for processor in &trace.processors()? {
        let (mut events, mut bytes) = (0_u64, 0_usize);
        let mut buffers = processor.buffers();
        while let Some(buffer) = buffers.next()? {
            for event in buffer {
                events += 1;
                bytes += event.payload().len();
            }
        }
        writeln!(out, "processor {}: {events} events, {bytes} bytes of payload", processor.number())?;
    }
    Ok(())
}

fn main() -> etwkit::Result<()> {
    let fixture = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/many-processors.etl");
    run(&std::env::args().nth(1).unwrap_or_else(|| fixture.to_owned()), &mut std::io::stdout().lock())
}
