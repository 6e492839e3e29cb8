//! Tables have TraceEvent's names; outputs that match Windows' own reports have Windows' names, from any source.
#![allow(clippy::unwrap_used, reason = "helpers of tests, which clippy does not count as tests")]

use etwkit::event::Kind;
use etwkit::input::Input;
use etwkit::schema::Schema;
use etwkit::trace::{Filter, Order, Trace};
use etwkit_synth::{Buffer, Guid, LogfileHeader, ModernEvent, Payload, TraceBuilder};

const RUNTIME: Guid = Guid::new(0xe13c_0d23_ccbc_4e12_931b_d9cc_2eee_27e4);
const NETWORK: Guid = Guid::new(0x7dd4_2a49_5329_4832_8dfd_43d9_7915_3a88);

/// Returns the schema of the only manifest event of a trace.
fn schema(event: ModernEvent) -> Schema {
    let event = event.at(LogfileHeader::default().t0 + 1_000);
    let bytes = TraceBuilder::new(LogfileHeader::default()).buffer(Buffer::on(0).event(event)).build().bytes;
    let trace = Trace::open(Input::bytes("made", bytes), etwkit_parsers::standard()).unwrap();
    let mut events = trace.events_in(Order::File, &Filter::default());
    let mut found = None;
    while let Some(event) = events.next().unwrap() {
        found = event.schema().filter(|_| event.raw().kind() == Kind::Manifest).cloned().or(found);
    }
    found.unwrap()
}

#[test]
fn a_table_is_reported_in_windows_words() {
    let payload = Payload::new().u32(1).u32(0).u16(2);
    let ours = schema(ModernEvent::new(RUNTIME).id(10).version(1).task(1).opcode(11).keyword(1).payload(payload));
    let theirs = ours.reported().names();
    assert_eq!(ours.names().full().as_deref(), Some("GC/AllocationTick"));
    assert_eq!(theirs.task.as_deref(), Some("GarbageCollection"));
    assert!(theirs.keywords.iter().any(|(mask, name)| (*mask, &**name) == (1, "GCKeyword")), "{theirs:?}");
}

#[test]
fn a_correction_stays_what_it_is() {
    let payload = Payload::new().u32(4).u32(100).u32(1).u32(2).u16(80).u16(81).u32(0).u64(7);
    let ours = schema(ModernEvent::new(NETWORK).id(11).task(10).opcode(11).keyword(0x10).payload(payload));
    assert_eq!(ours.reported(), &ours);
}
