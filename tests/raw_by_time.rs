//! One pass in time order gives what a census gives, wherever time does not run backwards within a processor.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

mod support;

use etwkit::input::Input;
use etwkit::trace::{Filter, Order, RawTrace};
use support::{census, corpus_files, events};

/// (time, processor, the event's own bytes), in the order delivered, and the inversions.
fn streamed(source: Input) -> (Vec<(i64, u16, Vec<u8>)>, u64) {
    let trace = RawTrace::open(source).unwrap();
    let mut stream = trace.raw_by_time().unwrap();
    let mut all = Vec::new();
    while let Some(event) = stream.next().unwrap() {
        all.push((event.time().0, event.processor(), event.bytes().to_vec()));
    }
    (all, stream.inversions())
}

fn same(name: &str, open: impl Fn() -> Input) {
    let (mut got, inversions) = streamed(open());
    let trace = census(open()).unwrap();
    let mut want: Vec<_> =
        events(&trace, Order::Time, &Filter::default()).into_iter().map(|e| (e.time, e.processor, e.bytes)).collect();
    assert_eq!(got.len(), want.len(), "{name}");
    if inversions > 0 {
        // Late events are delivered too, only not in their place.
        got.sort();
        want.sort();
    }
    assert!(got == want, "{name}: another order, {inversions} inversions");
}

#[test]
fn fixtures_stream_as_they_are_sorted() {
    for fixture in etwkit_synth::fixtures().into_iter().filter(|fixture| fixture.expected.is_trace()) {
        same(fixture.name, || Input::bytes(fixture.name, fixture.bytes.clone()));
    }
}

#[test]
fn real_traces_stream_as_they_are_sorted() {
    for (name, path) in corpus_files(16 << 20) {
        same(&name, || Input::open(&path).unwrap());
    }
}

#[test]
fn too_many_open_buffers_are_refused_and_a_census_reads_them() {
    use etwkit_synth::{Buffer, LogfileHeader, ModernEvent, TraceBuilder};
    let header = LogfileHeader::default();
    let at = header.t0;
    let guid = etwkit_synth::Guid::new(7);
    let buffers =
        (0..600u16).map(|cpu| Buffer::on(cpu).size(1 << 19).event(ModernEvent::new(guid).at(at + i64::from(cpu))));
    let mut bytes = TraceBuilder::new(header).buffers(buffers).build().bytes;
    // Each buffer claims that all of it is used.
    let stride = 1usize << 19;
    let first = bytes.len() % stride;
    for start in (first..bytes.len()).step_by(stride) {
        bytes[start + 0x30..start + 0x34].copy_from_slice(&(stride as u32).to_le_bytes());
    }
    let trace = RawTrace::open(Input::bytes("many", bytes.clone())).unwrap();
    assert!(trace.raw_by_time().is_err());
    assert_eq!(census(Input::bytes("many", bytes)).unwrap().events_total(), 601);
}
