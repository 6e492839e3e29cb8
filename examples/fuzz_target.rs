//! The body of a fuzz target: whatever the bytes are, they are a trace or an error, and every event can be looked at.
//!
//! In a crate that `cargo fuzz init` made, with `etwkit` and `etwkit-parsers` as dependencies, it is called so:
//! `libfuzzer_sys::fuzz_target!(|data: &[u8]| { run(data); });`

#![allow(clippy::expect_used, clippy::missing_panics_doc, reason = "a panic is a finding")]

use etwkit::{Input, Parsers, Trace};

/// Reads everything in the bytes; returns the number of events and of fields.
pub fn run(data: &[u8]) -> (usize, usize) {
    // Without the built-in tables an execution takes microseconds; `etwkit_parsers::standard()` tests those as well.
    let Ok(trace) = Trace::open(Input::bytes("fuzz", data), Parsers::none()) else { return (0, 0) };
    let (mut events, mut counts) = (trace.events(), (0, 0));
    while let Some(event) = events.next().expect("memory can be read") {
        counts.0 += 1;
        counts.1 += event.fields().filter(|field| !field.to_string().is_empty()).count();
        assert!(event.remainder().len() <= event.payload().len());
    }
    assert_eq!(counts.0 as u64, trace.events_total(), "both passes see the same events");
    counts
}

fn main() -> std::io::Result<()> {
    let fixture = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/hello.etl");
    let whole = std::fs::read(fixture)?;
    // A poor man's fuzzer: the same file, cut at each length.
    for len in 0..whole.len() {
        run(whole.get(..len).unwrap_or_default());
    }
    Ok(())
}
