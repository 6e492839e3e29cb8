//! A test of a plug-in without a Windows machine: `etwkit-synth` writes the trace. `cargo run --example plugin_test`.
#![allow(clippy::unwrap_used, clippy::missing_panics_doc, reason = "a test")]

use etwkit::parser::SchemaTables;
use etwkit::{Input, Trace};
use etwkit_synth::{Buffer, Guid, LogfileHeader, ModernEvent, Payload, TraceBuilder};

static DOOR: SchemaTables = SchemaTables::built_in(
    "door",
    &[etwkit::Guid::from_u128(0x0012_3456_789a_bcde_f012_3456_789a_bcde)],
    &[
        "provider \"Door\" {00123456-789a-bcde-f012-3456789abcde}\nevent id 7 task \"Opened\" {\n Number u32\n Name utf16\n}",
    ],
);

/// A trace with two events of the provider, one cut in the middle of a field, and what a reader must find in it.
fn trace() -> etwkit_synth::Trace {
    let header = LogfileHeader::default();
    let event = |at: i64, payload: Payload| {
        let provider = Guid::new(0x0012_3456_789a_bcde_f012_3456_789a_bcde);
        ModernEvent::new(provider).id(7).at(header.t0 + at).by(400, 404).payload(payload)
    };
    let whole = event(1_000, Payload::new().u32(42).utf16z("front"));
    let cut = event(2_000, Payload::new().u8(43));
    TraceBuilder::new(header.clone()).buffer(Buffer::on(0).event(whole).event(cut)).build()
}

/// Tests the plug-in.
pub fn run() -> etwkit::Result<()> {
    let trace = Trace::open(Input::bytes("made", trace().bytes), etwkit_parsers::standard().with(&DOOR))?;
    let events: Vec<_> = trace.into_events().collect::<Result<_, _>>()?;
    let mut doors = events.iter().filter(|event| event.name() == "Opened");
    assert_eq!(doors.next().unwrap().get::<&str>("Name"), Ok("front"));
    assert!(doors.next().unwrap().get::<u32>("Number").is_err(), "the payload ends within it");
    Ok(())
}

fn main() -> etwkit::Result<()> {
    run()
}
