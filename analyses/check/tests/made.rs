//! Checks of made traces.
#![expect(clippy::unwrap_used, reason = "a test")]

use std::path::Path;

use etwkit::{Input, Trace};
use etwkit_check::{Report, Verdict, check};

fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(name)).unwrap()
}

fn report(bytes: Vec<u8>) -> Report {
    let parsers = etwkit_parsers::with_stacks(etwkit_parsers::standard());
    check(&Trace::open(Input::bytes("made.etl", bytes), parsers).unwrap()).unwrap()
}

fn kinds(report: &Report) -> Vec<&'static str> {
    report.findings.iter().map(|finding| finding.kind).collect()
}

#[test]
fn a_whole_trace_has_no_loss() {
    let whole = report(fixture("many-processors.etl"));
    assert!(whole.verdict() <= Verdict::Notes, "{:?}", whole.findings);
    assert!(whole.events > 0);
}

#[test]
fn damage_is_the_verdict_and_has_its_place() {
    let damaged = report(fixture("damaged-event-size.etl"));
    assert_eq!(damaged.verdict(), Verdict::Damaged);
    let first = damaged.findings.first().unwrap();
    assert!(first.place.is_some_and(|(offset, len)| offset > 0 && len > 0), "{first:?}");
}

#[test]
fn a_buffer_that_was_taken_out_is_missed() {
    let mut bytes = fixture("many-processors.etl");
    let size = |bytes: &[u8], at: usize| u32::from_le_bytes(*bytes[at..].first_chunk().unwrap()) as usize;
    let first = size(&bytes, 0);
    let second = size(&bytes, first);
    bytes.drain(first + second..first + second + size(&bytes, first + second));
    let cut = report(bytes);
    assert_eq!(cut.verdict(), Verdict::Damaged, "{:?}", cut.findings);
    assert!(kinds(&cut).contains(&"buffers-missing") && kinds(&cut).contains(&"sequence-gap"), "{:?}", cut.findings);
}

#[test]
fn a_session_that_was_not_stopped_is_noted() {
    let open = report(fixture("unfinalised.etl"));
    assert!(kinds(&open).contains(&"not-closed"), "{:?}", open.findings);
}
