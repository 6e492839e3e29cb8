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

#[test]
fn a_buffer_after_a_loss_is_noted() {
    let mut bytes = fixture("many-processors.etl");
    let whole = report(bytes.clone());
    assert!(!kinds(&whole).contains(&"lost-before"), "{:?}", whole.findings);
    let second = u32::from_le_bytes(*bytes.first_chunk().unwrap()) as usize;
    // BufferFlag: EVENTS_LOST, BUFFER_LOST.
    for flag in [0x02, 0x04] {
        bytes[second + 0x34] |= flag;
        let found = report(bytes.clone());
        let finding = found.findings.iter().find(|finding| finding.kind == "lost-before").unwrap();
        assert_eq!(finding.place.map(|(offset, _)| offset), Some(second as u64));
        assert_eq!(found.verdict(), whole.verdict().max(Verdict::Notes));
    }
}

#[test]
fn a_second_header_is_noted_with_its_place() {
    let (first, second) = (fixture("hello.etl"), fixture("many-processors.etl"));
    let found = report([first.clone(), second].concat());
    let headers: Vec<_> = found.findings.iter().filter(|finding| finding.kind == "second-header").collect();
    // Behind the header of its buffer.
    let places: Vec<_> = headers.iter().filter_map(|finding| finding.place).map(|(offset, _)| offset).collect();
    assert_eq!(places, [first.len() as u64 + 72], "{:?}", found.findings);
}

/// Merged and appended files have one header, and so have all traces without damage.
#[test]
fn a_trace_has_one_header() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let fixtures = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let is_trace = |path: &Path| path.extension().is_some_and(|extension| extension == "etl" || extension == "btl");
    let fixtures = fixtures.filter(|path| is_trace(path)).map(|path| (path, &["second-header"][..]));
    let is_small = |path: &Path| std::fs::metadata(path).unwrap().len() <= 16 << 20;
    let real = etwkit_corpus::traces().into_iter().map(|(_, path)| path).filter(|path| is_small(path));
    // Some fixtures have flags of losses.
    let real = real.map(|path| (path, &["second-header", "lost-before"][..]));
    let mut count = 0;
    for (path, unexpected) in fixtures.chain(real) {
        let parsers = etwkit_parsers::with_stacks(etwkit_parsers::standard());
        let Ok(trace) = Trace::open(&path, parsers) else { continue };
        let found = check(&trace).unwrap();
        count += 1;
        let wrong = unexpected.iter().find(|kind| kinds(&found).contains(kind));
        assert_eq!(wrong, None, "{}: {:?}", path.display(), found.findings);
    }
    assert!(count > 30, "{count}");
}
