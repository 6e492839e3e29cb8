//! Traces that are made here.
#![allow(dead_code, clippy::unwrap_used, clippy::panic, reason = "tests, and not every one uses all")]

use etwkit::Input;
use etwkit::trace::{RunOptions, Trace};
use etwkit_analysis::{Analysis, rows};
use etwkit_synth::{Event, Guid, LogfileHeader, ModernEvent, Payload, TraceBuilder};

pub(crate) const RUNTIME: Guid = Guid::new(0xe13c_0d23_ccbc_4e12_931b_d9cc_2eee_27e4);

/// An event of the runtime at a time in milliseconds, on a thread.
pub(crate) fn runtime(ms: i64, tid: u32, (id, version): (u16, u8), payload: Payload) -> Event {
    modern(RUNTIME, ms, tid, (id, version), payload)
}

pub(crate) fn modern(provider: Guid, ms: i64, tid: u32, (id, version): (u16, u8), payload: Payload) -> Event {
    let time = LogfileHeader::default().after(ms * 10_000);
    ModernEvent::new(provider).id(id).version(version).payload(payload).at(time).by(40, tid).into()
}

pub(crate) fn trace(events: Vec<Event>) -> Trace {
    let header = LogfileHeader::default();
    let builder = events.into_iter().fold(TraceBuilder::new(header), |builder, event| builder.log(0, event));
    Trace::open(Input::bytes("made", builder.build().bytes), etwkit_parsers::standard()).unwrap()
}

pub(crate) fn found<A: Analysis>(trace: &Trace) -> Vec<A::Row> {
    rows::<A>(trace, &RunOptions::default()).unwrap()
}

pub(crate) fn only<T>(rows: Vec<T>) -> T {
    let [row] = <[T; 1]>::try_from(rows).unwrap_or_else(|rows| panic!("{} rows", rows.len()));
    row
}

pub(crate) fn is_near(found: f64, expected: f64) -> bool {
    (found - expected).abs() < 1e-6
}
