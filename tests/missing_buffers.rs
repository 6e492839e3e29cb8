//! Buffers that were taken out of a file, or cut off after the end of another one, are missed; where a count or a
//! number states something else for another reason, nothing is.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test")]

mod support;

use etwkit::container::BufferInfo;
use etwkit::format::LogFileMode;
use etwkit::trace::Trace;
use etwkit::{Problem, ProblemKind, Severity};
use etwkit_synth::{Buffer, Guid, LogfileHeader, ModernEvent, TraceBuilder};
use support::{census_of, corpus_files};

const STRIDE: usize = 4 << 10;

fn builder(mode: u32) -> TraceBuilder {
    let header = LogfileHeader { buffer_size: STRIDE as u32, mode, ..LogfileHeader::default() };
    let t0 = header.t0;
    let buffer = |n: i64| Buffer::on(n as u16 % 3).event(ModernEvent::new(Guid::new(7)).id(1).at(t0 + 10 * n));
    TraceBuilder::new(header).buffers((0..9).map(buffer))
}

fn missing(bytes: &[u8]) -> Vec<Problem> {
    let trace: Trace = census_of(bytes).unwrap();
    trace.problems().iter().filter(|problem| problem.kind == ProblemKind::BuffersMissing).cloned().collect()
}

#[test]
fn each_buffer_that_is_taken_out_is_missed() {
    let whole = builder(0).build().bytes;
    assert_eq!(missing(&whole), []);
    // Without the last one there is no gap: that is a cut.
    for number in 1..9 {
        let mut bytes = whole.clone();
        bytes.drain(number * STRIDE..(number + 1) * STRIDE);
        let [found] = &*missing(&bytes) else { panic!("buffer {number}: {:?}", missing(&bytes)) };
        assert_eq!((found.severity, found.offset), (Severity::Damage, (number * STRIDE) as u64), "{found}");
        assert!(found.detail.contains(&format!("number {number} ")), "{found}");
    }
}

#[test]
fn a_cut_at_the_end_of_a_buffer_is_missed() {
    let whole = builder(0).build().bytes;
    for number in 2..10 {
        let [found] = &*missing(&whole[..number * STRIDE]) else { panic!("{number}") };
        assert_eq!((found.severity, found.offset), (Severity::Damage, (number * STRIDE) as u64), "{found}");
    }
}

#[test]
fn a_buffer_that_takes_the_place_of_another_does_not_hide_it() {
    let mut bytes = builder(0).build().bytes;
    bytes.copy_within(2 * STRIDE..3 * STRIDE, 5 * STRIDE);
    assert_eq!(missing(&bytes).len(), 1);
}

#[test]
fn counts_that_say_nothing_are_no_loss() {
    // Buffers that a circular file overwrote, a session that was not stopped, numbers that begin later.
    let circular = LogFileMode::CIRCULAR.0;
    assert_eq!(missing(&builder(circular).circular(4).build().bytes), []);
    assert_eq!(missing(&builder(0).unfinalised(0).build().bytes), []);
    assert_eq!(missing(&builder(LogFileMode::NEW_FILE.0).first_sequence(40).build().bytes), []);
    // Windows leaves numbers out where its count is right.
    let mut bytes = builder(0).build().bytes;
    bytes[9 * STRIDE + 0x18] = 12;
    assert_eq!(missing(&bytes), []);
}

/// The last buffers are gone, and the one before them ends a flush, as the last one of a session does.
#[test]
fn a_count_alone_tells_of_a_cut() {
    let mut bytes = builder(0).build().bytes;
    bytes[72 + 32 + 0x24] = 14;
    let [found] = &*missing(&bytes) else { panic!("{:?}", missing(&bytes)) };
    assert_eq!((found.severity, found.offset), (Severity::Damage, bytes.len() as u64), "{found}");
}

#[test]
fn no_real_trace_misses_a_buffer_until_one_is_cut_off() {
    // Blocks of .btl files are not those that the header counts.
    for (name, path) in corpus_files(2 << 20)
        .into_iter()
        .filter(|(name, _)| std::path::Path::new(name).extension().is_none_or(|kind| kind != "btl"))
    {
        let bytes = std::fs::read(path).unwrap();
        let trace = census_of(&bytes).unwrap();
        assert_eq!(missing(&bytes), [], "{name}");
        // The buffer of number 1 may be in a file before this one, or overwritten in one whose size is not known.
        let log = &trace.files()[0].head.log;
        let may_wrap = log.mode.intersects(LogFileMode::CIRCULAR) && log.maximum_file_size == 0;
        let may_begin_later = may_wrap || log.mode.intersects(LogFileMode::NEW_FILE);
        let is_missed = |last: &BufferInfo| last.offset > 0 && !(may_begin_later && last.sequence == 1);
        let Some(last) = trace.buffers().last().filter(is_missed) else { continue };
        assert_eq!(missing(&bytes[..last.offset as usize]).len(), 1, "{name}");
    }
}

/// Windows does not write the buffers of several processors in the order of their numbers.
#[test]
fn a_circular_file_that_did_not_wrap_misses_any_buffer() {
    let circular = LogFileMode::CIRCULAR.0;
    for number in 1..10 {
        // As many buffers as the file has room for.
        let mut bytes = builder(circular).circular(9).build().bytes;
        bytes.drain(number * STRIDE..(number + 1) * STRIDE);
        assert_eq!(missing(&bytes).len(), 1, "{number}");
    }
    // Without a maximum, the buffer of number 1 may have been overwritten.
    let mut bytes = builder(circular).build().bytes;
    bytes.drain(STRIDE..2 * STRIDE);
    assert_eq!(missing(&bytes), []);
}

#[test]
fn a_file_of_a_set_misses_buffers_after_its_first_number() {
    let mut bytes = builder(LogFileMode::NEW_FILE.0).build().bytes;
    // The one of number 1 may be in the file before.
    bytes.drain(STRIDE..2 * STRIDE);
    assert_eq!(missing(&bytes), []);
    bytes.drain(3 * STRIDE..4 * STRIDE);
    let [found] = &*missing(&bytes) else { panic!("{:?}", missing(&bytes)) };
    assert_eq!(found.offset, 3 * STRIDE as u64);
    let detail = "of 10 buffers that the header counts, 1 is missing; number 4 is the first of them";
    assert_eq!(found.detail, detail);
}

#[test]
fn a_circular_file_that_wrapped_misses_what_is_cut_off() {
    let whole = builder(LogFileMode::CIRCULAR.0).circular(4).build().bytes;
    assert_eq!(whole.len(), 5 * STRIDE);
    assert_eq!(missing(&whole), []);
    for buffers in 1..5 {
        let [found] = &*missing(&whole[..buffers * STRIDE]) else { panic!("{buffers}") };
        assert_eq!((found.severity, found.offset), (Severity::Damage, (buffers * STRIDE) as u64), "{found}");
    }
}

/// Some header buffers end a flush, too.
#[test]
fn a_header_alone_misses_all_others() {
    let bytes = builder(0).header_buffer(|buffer| buffer.flags(1)).build().bytes;
    assert_eq!(missing(&bytes), []);
    let [found] = &*missing(&bytes[..STRIDE]) else { panic!("{:?}", missing(&bytes[..STRIDE])) };
    assert_eq!(found.severity, Severity::Damage);
}
