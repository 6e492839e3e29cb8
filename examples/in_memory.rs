//! Reads a trace that is in memory, and hands its events to another thread: `cargo run --example in_memory [FILE]`.

use std::io::Write;
use std::sync::mpsc::sync_channel;

use etwkit::{Input, OwnedEvent, Trace};

/// Writes a line per event to `out`.
pub fn run(bytes: Vec<u8>, out: &mut impl Write) -> etwkit::Result<()> {
    // The name is for messages only. `Input::read` takes everything from a reader, such as a socket.
    let trace = Trace::open(Input::bytes("memory", bytes), etwkit_parsers::standard())?;
    // Events that own their bytes go through channels and outlive the trace; the channel bounds the memory.
    let (sender, receiver) = sync_channel::<etwkit::Result<OwnedEvent>>(1024);
    let reader = std::thread::spawn(move || {
        for event in trace {
            if sender.send(event).is_err() {
                return;
            }
        }
    });
    for event in receiver {
        let event = event?;
        writeln!(out, "{} {}", event.provider(), event.name())?;
    }
    drop(reader);
    Ok(())
}

fn main() -> etwkit::Result<()> {
    let fixture = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/hello.etl");
    let bytes = std::fs::read(std::env::args().nth(1).unwrap_or_else(|| fixture.to_owned()))?;
    run(bytes, &mut std::io::stdout().lock())
}
