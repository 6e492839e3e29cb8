//! Checks of made traces.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]

use std::path::Path;

use etwkit::{Input, Trace};
use etwkit_check::{Report, Verdict, check};
use etwkit_synth::{Buffer, Guid, LogfileHeader, ModernEvent, TraceBuilder};

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

/// The session was not stopped, so that its header does not state how many buffers there are.
fn unstopped() -> (Vec<u8>, usize) {
    let mut bytes = fixture("many-processors.etl");
    bytes[72 + 32 + 0x10..][..8].fill(0);
    bytes[72 + 32 + 0x24..][..4].copy_from_slice(&1_u32.to_le_bytes());
    let size = u32::from_le_bytes(*bytes.first_chunk().unwrap()) as usize;
    (bytes, size)
}

fn gaps(bytes: Vec<u8>) -> Vec<String> {
    let found = report(bytes).findings;
    found.into_iter().filter(|finding| finding.kind == "sequence-gap").map(|finding| finding.detail).collect()
}

#[test]
fn more_missing_buffers_than_are_left_are_noted() {
    let (bytes, size) = unstopped();
    assert_eq!((bytes.len() % size, gaps(bytes.clone())), (0, vec![]));
    let last = bytes.len() / size - 1;
    for first_left in [4, 16, last] {
        let cut = [&bytes[..3 * size], &bytes[first_left * size..]].concat();
        let detail = format!("{} of the numbers 1 to {last} of buffers are missing", first_left - 3);
        assert_eq!(gaps(cut), [detail]);
    }
}

#[test]
fn a_number_that_no_buffer_has_is_no_gap() {
    let (bytes, size) = unstopped();
    let last = bytes.len() / size - 1;
    for number in [i64::MIN, -1, 1 << 32, i64::MAX] {
        let mut damaged = bytes.clone();
        damaged[last * size + 24..][..8].copy_from_slice(&number.to_le_bytes());
        assert_eq!(gaps(damaged.clone()), [""; 0], "{number}");
        damaged.drain(3 * size..5 * size);
        assert_eq!(gaps(damaged), [format!("2 of the numbers 1 to {} of buffers are missing", last - 1)], "{number}");
    }
    // Where the header counts buffers, a number far beyond is a damaged one.
    let mut counted = fixture("many-processors.etl");
    counted[last * size + 24..][..8].copy_from_slice(&100_000_i64.to_le_bytes());
    assert_eq!(gaps(counted), [""; 0]);
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

/// Returns a file with the buffers of these numbers and flags.
fn numbered(mode: u32, buffers: &[(i64, u16)]) -> Vec<u8> {
    let header = LogfileHeader { mode, ..LogfileHeader::default() };
    let buffers = (1..).zip(buffers).map(|(time, (number, flags))| {
        let event = ModernEvent::new(Guid::new(1)).id(1).at(header.after(time));
        Buffer::on(0).sequence(*number).flags(*flags).event(event)
    });
    TraceBuilder::new(header.clone()).buffers(buffers).build().bytes
}

#[test]
fn each_session_of_an_append_file_has_numbers_of_its_own() {
    let appended = |numbers: &[i64]| {
        let buffers: Vec<_> = numbers.iter().map(|number| (*number, 0)).collect();
        gaps(numbered(5, &buffers)).join("; ")
    };
    for whole in [&[1, 2, 3, 1, 2][..], &[2, 1, 3, 1, 2], &[1, 1, 1], &[1, 2], &[1, 2, 3, 2, 1, 3]] {
        assert_eq!(appended(whole), "", "{whole:?}");
    }
    let one = "1 of the numbers 1 to 3 of buffers are missing";
    for cut in [&[1, 2, 3, 1, 3][..], &[1, 3, 1, 2, 3], &[1, 3], &[1, 1, 3]] {
        assert_eq!(appended(cut), one, "{cut:?}");
    }
    assert_eq!(appended(&[1, 2, 3, 4, 5, 1, 2, 5]), "2 of the numbers 1 to 5 of buffers are missing");
    assert_eq!(appended(&[1, 3, 1, 4]), "3 of the numbers of buffers are missing, in 2 sessions");
}

#[test]
fn a_damaged_backup_is_noted() {
    let found = report(numbered(1, &[(1, 0x10), (2, 0x18), (3, 0x18)]));
    let finding = found.findings.iter().find(|finding| finding.kind == "damaged-backup").unwrap();
    assert!(finding.detail.starts_with("2 buffers") && finding.place.is_some(), "{finding:?}");
    assert!(!kinds(&report(numbered(1, &[(1, 0x10)]))).contains(&"damaged-backup"));
}

#[test]
fn a_second_header_is_noted_with_its_place() {
    let (first, second) = (fixture("hello.etl"), fixture("many-processors.etl"));
    let found = report([first.clone(), second].concat());
    let headers: Vec<_> = found.findings.iter().filter(|finding| finding.kind == "second-header").collect();
    // Where its buffer begins: what is behind a cut there is a trace.
    let places: Vec<_> = headers.iter().filter_map(|finding| finding.place).map(|(offset, _)| offset).collect();
    assert_eq!(places, [first.len() as u64], "{:?}", found.findings);
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

/// Offsets of the frequency and the kind of the clock, of start and end in the header of a trace of 64 bits.
const FREQUENCY: usize = 72 + 32 + 0x100;
const CLOCK: usize = 72 + 32 + 0x110;
const START: usize = 72 + 32 + 0x108;
const END: usize = 72 + 32 + 0x10;

#[test]
fn what_a_header_cannot_state_is_noted() {
    let found = |changes: &[(usize, &[u8])]| {
        let mut bytes = fixture("many-processors.etl");
        for (at, value) in changes {
            bytes[*at..at + value.len()].copy_from_slice(value);
        }
        let findings = report(bytes).findings.into_iter();
        findings
            .filter(|finding| ["unknown-clock", "session-times"].contains(&finding.kind))
            .map(|finding| finding.detail)
            .collect::<Vec<_>>()
    };
    assert_eq!(found(&[]), [""; 0]);
    assert_eq!(found(&[(FREQUENCY, &[0; 8])]), ["the header states a clock of 0 ticks per second"]);
    assert_eq!(found(&[(CLOCK, &[9])]), ["the header states clock 9, which is not known"]);
    assert_eq!(found(&[(START, &[0; 8])]), ["the header states no start of the session"]);
    assert_eq!(found(&[(END, &1_i64.to_le_bytes())]), ["the header states an end before the start"]);
    assert_eq!(found(&[(END, &[0; 8])]), [""; 0]);
}
