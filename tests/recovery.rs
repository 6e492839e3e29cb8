//! What damage hides no more: buffers after shifted bytes, after a first page of something else, under a wrong flag,
//! between damaged ones; and what a crafted file may unpack to.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

mod support;

use std::collections::BTreeSet;
use std::ops::Range;

use etwkit::ProblemKind;
use etwkit::container::BufferInfo;
use etwkit::trace::{Filter, Order, Trace};
use etwkit_synth::{
    Block, Buffer as Made, Compression, Guid, LogfileHeader, ModernEvent, Payload, TraceBuilder, block_file, fixtures,
};
use support::{census_of, events, is_no_trace};

/// A trace before it is damaged.
struct Whole {
    bytes: Vec<u8>,
    buffers: Vec<Range<usize>>,
}

impl Whole {
    fn of(bytes: Vec<u8>) -> Self {
        let trace = census_of(&bytes).unwrap();
        let buffers = trace.buffers().map(|info| info.offset as usize..(info.offset + u64::from(info.size)) as usize);
        Self { buffers: buffers.collect(), bytes }
    }

    fn fixture(name: &str) -> Self {
        Self::of(fixtures().into_iter().find(|fixture| fixture.name == name).unwrap().bytes)
    }
}

/// A trace of plain buffers.
fn plain() -> Whole {
    plain_of(4096)
}

/// The same of buffers of a size.
fn plain_of(buffer_size: u32) -> Whole {
    let header = LogfileHeader { buffer_size, ..LogfileHeader::default() };
    let t0 = header.t0;
    let buffers = (0..12).map(|number| {
        let event = |n| ModernEvent::new(Guid::new(9)).id(n as u16).at(t0 + 100 * number + n).payload([n as u8; 40]);
        (0..30).fold(Made::on(0), |buffer, n| buffer.event(event(n)))
    });
    Whole::of(TraceBuilder::new(header).buffers(buffers).build().bytes)
}

/// Events by their times: places move with the bytes.
fn times(bytes: &[u8]) -> BTreeSet<i64> {
    let trace = census_of(bytes).unwrap_or_else(|error| panic!("{error}"));
    events(&trace, Order::File, &Filter::default()).iter().map(|event| event.time).collect()
}

/// The second removal moves buffers back to multiples of the buffer size, where those between are not.
#[test]
fn two_removals_of_half_a_buffer_cost_their_buffers_only() {
    let whole = plain();
    let mut bytes = whole.bytes.clone();
    bytes.drain(4096 * 9 + 700..4096 * 9 + 2748);
    // The end of one buffer and the head of the next one.
    bytes.drain(4096 * 3 + 3000..4096 * 4 + 952);
    let first = |buffer: usize| times(&whole.bytes[..whole.buffers[buffer].end]);
    let before = times(&whole.bytes);
    let damaged: BTreeSet<i64> = [3, 4, 9].into_iter().flat_map(|buffer| &first(buffer) - &first(buffer - 1)).collect();
    assert!((&(&before - &damaged) - &times(&bytes)).is_empty());
}

#[test]
fn bytes_that_are_inserted_or_removed_cost_their_buffer_only() {
    let whole = plain();
    let before = times(&whole.bytes);
    for at in [4096 * 3 + 20, 4096 * 3 + 500, 4096 * 4 - 3] {
        for len in [1, 3, 5, 11, 512] {
            let (mut longer, mut shorter) = (whole.bytes.clone(), whole.bytes.clone());
            longer.splice(at..at, std::iter::repeat_n(0xA5, len));
            shorter.drain(at..at + len);
            for bytes in [longer, shorter] {
                let after = times(&bytes);
                let hit = |time: &i64| {
                    (at / 4096 - 1..(at + len) / 4096).any(|n| Ok((time - 722_450_000_000) / 100) == i64::try_from(n))
                };
                let lost: Vec<_> = before.difference(&after).filter(|time| !hit(time)).collect();
                assert!(lost.is_empty(), "{at:#x} {len} {}: {lost:?}", bytes.len());
            }
        }
    }
}

#[test]
fn a_first_page_of_something_else_hides_nothing_but_itself() {
    let whole = plain();
    // The header's event is of the time of the first one.
    let before = times(&whole.bytes).len();
    for page in [b"PK\x03\x04".as_slice(), b"just text, ", &[0xFF], b"MZ\x90\0", b"\x1F\x8B\x08"] {
        let mut bytes = whole.bytes.clone();
        let fill = page.iter().copied().cycle();
        bytes.iter_mut().take(4096).zip(fill).for_each(|(byte, other)| *byte = other);
        assert_eq!(times(&bytes).len(), before, "{page:?}");
    }
    // A zip archive that stores a trace is not a trace.
    let archive = [b"PK\x03\x04rest".as_slice(), &whole.bytes, b"PK\x05\x06", &[0; 18]].concat();
    assert!(is_no_trace(&census_of(&archive).unwrap_err()));
}

/// The rest of such a stream may still unpack, and takes its last bytes from the next buffer.
#[test]
fn a_byte_removed_from_a_compressed_stream_costs_its_buffer_only() {
    for name in ["compressed-xpress.etl", "compressed-huffman.etl"] {
        let whole = Whole::fixture(name);
        let before = times(&whole.bytes);
        let first = |buffer: usize| times(&whole.bytes[..whole.buffers[buffer].end]);
        for (number, buffer) in whole.buffers.iter().enumerate().skip(1) {
            let damaged = &first(number) - &first(number - 1);
            let last = buffer.end - 40..buffer.end;
            for (at, len) in last.flat_map(|at| [(at, 1), (at, buffer.end - at)]) {
                let mut bytes = whole.bytes.clone();
                bytes.drain(at..at + len);
                let lost = &(&before - &damaged) - &times(&bytes);
                assert!(lost.is_empty(), "{name} {at:#x} {len}: {lost:?}");
            }
        }
    }
}

/// The rest of such an event reaches into the next buffer, and looks whole.
/// Damage turns tokens into matches that repeat earlier events up to the end.
#[test]
fn a_damaged_stream_repeats_no_event() {
    let header = LogfileHeader::default().compressed();
    let t0 = header.t0;
    let event =
        |n: i64| ModernEvent::new(Guid::new(9)).id(1).at(t0 + n).payload((n as u64 * 0x9E37_79B9).to_le_bytes());
    let buffer = (1..700).fold(Made::on(0), |buffer, n| buffer.event(event(n)));
    let whole = Whole::of(TraceBuilder::new(header).buffer(buffer.compress(Compression::Xpress)).build().bytes);
    for at in (whole.buffers[1].start + 80..whole.buffers[1].end - 16).step_by(97) {
        let mut bytes = whole.bytes.clone();
        bytes[at..at + 16].fill(0xFF);
        let trace = census_of(&bytes).unwrap();
        let all = events(&trace, Order::File, &Filter::default());
        let mut seen: Vec<i64> = all.iter().map(|event| event.time).filter(|time| *time > t0).collect();
        seen.sort_unstable();
        let count = seen.len();
        seen.dedup();
        assert_eq!(seen.len(), count, "{at:#x}");
    }
}

#[test]
fn bytes_removed_from_one_long_event_cost_its_buffers_only() {
    let whole = Whole::fixture("compressed-huffman.etl");
    let behind = |buffer: usize| &times(&whole.bytes) - &times(&whole.bytes[..whole.buffers[buffer].end]);
    assert_eq!([3, 4].map(|buffer| behind(buffer).len()), [3, 2]);
    for at in (whole.buffers[3].start + 0x100..whole.buffers[5].start - 0x1000).step_by(0x333) {
        let mut bytes = whole.bytes.clone();
        bytes.drain(at..at + 0x1000);
        let damaged = if at + 0x1000 <= whole.buffers[4].start { 3 } else { 4 };
        assert!((&behind(damaged) - &times(&bytes)).is_empty(), "{at:#x}");
    }
}

/// The buffer's size leads to the session's then, and a buffer after the compressed ones begins there.
#[test]
fn a_mode_and_a_first_size_that_are_damaged_hide_no_compressed_buffers() {
    for name in ["compressed-huffman.etl", "compressed-xpress.etl"] {
        let whole = Whole::fixture(name);
        let mut bytes = whole.bytes.clone();
        // The bit of compression (0x0400_0000) in `LogFileMode`, and the size in the header.
        bytes[0x88 + 3] &= !0x04;
        for size in [*b"MZ\x90\0", [0; 4], [0xFF; 4]] {
            bytes[..4].copy_from_slice(&size);
            assert_eq!(times(&bytes), times(&whole.bytes), "{name}: {size:x?}");
        }
    }
}

/// A page of text claims to unpack to gigabytes.
#[test]
fn a_page_of_text_leaves_others_their_repairs() {
    let whole = plain_of(1 << 16);
    let mut bytes = whole.bytes.clone();
    let text = b"just text, ".iter().copied().cycle();
    bytes.iter_mut().take(4096).zip(text).for_each(|(byte, other)| *byte = other);
    // A header whose words are not a buffer's.
    let third = whole.buffers[2].start;
    bytes[third + 0x36..third + 0x38].fill(0xFF);
    let first = |buffer: usize| times(&whole.bytes[..whole.buffers[buffer].end]);
    let damaged = &first(2) - &first(1);
    assert!((&(&times(&whole.bytes) - &damaged) - &times(&bytes)).is_empty());
}

/// The header's event then reads as one of before Vista.
#[test]
fn bytes_removed_from_the_header_event_hide_nothing_but_itself() {
    let whole = plain();
    let before = times(&whole.bytes);
    for at in 0x48..0x80 {
        let mut bytes = whole.bytes.clone();
        bytes.drain(at..at + 8);
        let lost = &before - &times(&bytes);
        assert!(lost.len() <= 1, "{at:#x}: {} of {}", lost.len(), before.len());
    }
}

#[test]
fn a_header_event_that_claims_more_than_the_file_hides_nothing_but_itself() {
    let whole = plain();
    let mut bytes = whole.bytes.clone();
    bytes[0x4C..0x4E].copy_from_slice(&[0xFF; 2]);
    assert_eq!(times(&bytes).len(), times(&whole.bytes).len());
    // A file that ends within it is not a trace.
    assert!(is_no_trace(&census_of(&bytes[..300]).unwrap_err()));
}

/// Such a size leads to a buffer, and over others.
#[test]
fn a_size_of_several_buffers_hides_none_whatever_the_header_event_is() {
    let whole = plain();
    let before = times(&whole.bytes).len();
    // As it is, with a length beyond the file, and without a marker.
    for (damage, without_header) in [(&[][..], false), (&[2, 0, 2, 0xC0, 0xFF, 0xFF], false), (&[0; 8], true)] {
        let mut bytes = whole.bytes.clone();
        bytes[0x48..0x48 + damage.len()].copy_from_slice(damage);
        bytes[4096 * 5..4096 * 5 + 4].copy_from_slice(&(4096_u32 * 4).to_le_bytes());
        assert_eq!(times(&bytes).len(), before, "{damage:x?}");
        let problems = census_of(&bytes).unwrap().problems().to_vec();
        let is_missing = problems.iter().any(|problem| problem.kind == ProblemKind::BadHeader);
        assert_eq!(is_missing, without_header, "{damage:x?}");
    }
}

#[test]
fn fill_in_place_of_all_buffers_but_the_first_is_reported() {
    let whole = plain();
    for size in [*b"MZ\x90\0", *b"some"] {
        let mut bytes = whole.bytes.clone();
        bytes[..4].copy_from_slice(&size);
        bytes[4096..].fill(0xFF);
        let trace = census_of(&bytes).unwrap();
        let places: Vec<_> = trace.problems().iter().map(|problem| (problem.kind, problem.offset)).collect();
        assert!(places.contains(&(ProblemKind::BadBuffer, 4096)), "{places:?}");
        assert!(trace.is_damaged());
    }
}

/// The search for the next buffer leads over the one whose header is fill.
#[test]
fn a_damaged_size_before_a_header_that_is_fill_hides_no_loss() {
    let whole = plain();
    let before = census_of(&whole.bytes).unwrap().events_total();
    // Only the first buffer is read whatever its size is.
    for size in [*b"<?xm", [0; 4]] {
        let mut bytes = whole.bytes.clone();
        bytes[..4].copy_from_slice(&size);
        bytes[4096..6000].fill(0xFF);
        let trace = census_of(&bytes).unwrap();
        let places: Vec<_> = trace.problems().iter().map(|problem| (problem.kind, problem.offset)).collect();
        assert!(places.contains(&(ProblemKind::BadBuffer, 4096)), "{size:x?}: {places:?}");
        assert_eq!(trace.events_total(), before - 30, "{size:x?}");
    }
}

#[test]
fn a_flag_of_compression_that_is_wrong_costs_nothing() {
    for name in ["hello.etl", "compressed-xpress.etl"] {
        let whole = Whole::fixture(name);
        for buffer in &whole.buffers {
            let mut bytes = whole.bytes.clone();
            bytes[buffer.start + 0x34] ^= 0x40;
            assert_eq!(times(&bytes), times(&whole.bytes), "{name} {buffer:?}");
        }
    }
}

#[test]
fn a_good_buffer_between_damaged_ones_is_read() {
    let whole = Whole::fixture("compressed-xpress.etl");
    let trace = census_of(&whole.bytes).unwrap();
    let all = events(&trace, Order::File, &Filter::default());
    for (good, range) in whole.buffers.iter().enumerate().skip(1) {
        let mut bytes = whole.bytes.clone();
        for (_, other) in whole.buffers.iter().enumerate().skip(1).filter(|(number, _)| *number != good) {
            bytes[other.start..other.start + 0x38].fill(0x5A);
        }
        let wanted = all.iter().filter(|event| event.buffer == range.start as u64).map(|event| event.time);
        assert!(times(&bytes).is_superset(&wanted.collect()), "buffer {good}");
    }
}

/// Returns a buffer of events with a payload of zeros, which shrinks more than 32 times.
fn of_zeros(header: &LogfileHeader, events: usize, payload: usize) -> Made {
    let event = ModernEvent::new(Guid::new(9)).id(1).at(header.t0).payload(Payload::new().bytes(&vec![0; payload]));
    Made::on(0).events(vec![event; events]).compress(Compression::Xpress)
}

/// Returns the bytes of all compressed buffers, packed and unpacked.
fn sizes(trace: &Trace) -> (u64, u64) {
    let packed = trace.buffers().filter(BufferInfo::is_compressed);
    packed.fold((0, 0), |(size, used), info| (size + u64::from(info.size), used + u64::from(info.used)))
}

#[test]
fn buffers_that_shrink_much_are_whole() {
    let header = LogfileHeader { buffer_size: 64 << 10, ..LogfileHeader::default() }.compressed();
    // Packets of zeros that differ in their time and number alone.
    let packet = |len: usize, n: i64| {
        let payload = Payload::new().u64((n as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)).bytes(&vec![0; len]);
        ModernEvent::new(Guid::new(9)).id(1).at(header.t0 + 997 * n).payload(payload)
    };
    let buffer =
        |at: i64| Made::on(0).events((0..40).map(|n| packet(1_514, 40 * at + n))).compress(Compression::Xpress);
    let buffers = (0..24).map(buffer);
    let bytes = TraceBuilder::new(header.clone()).buffers(buffers).build().bytes;
    let trace = census_of(&bytes).unwrap();
    let (packed, unpacked) = sizes(&trace);
    assert!(unpacked > 50 * packed, "{packed} bytes unpack to {unpacked}");
    assert_eq!((trace.events_total(), trace.problems()), (1 + 24 * 40, [].as_slice()));

    let blocks = (0..24).map(|at| (0..80).fold(Block::new(), |block, n| block.event(0, packet(1_400, 80 * at + n))));
    let trace = census_of(&block_file(&header, blocks).bytes).unwrap();
    assert_eq!((trace.events_total(), trace.problems()), (1 + 24 * 80, [].as_slice()));
}

#[test]
fn a_length_beyond_the_sessions_buffers_is_one_problem() {
    let header = LogfileHeader { buffer_size: 64 << 10, ..LogfileHeader::default() }.compressed();
    let whole = Whole::of(TraceBuilder::new(header.clone()).buffer(of_zeros(&header, 40, 1_514)).build().bytes);
    let mut bytes = whole.bytes.clone();
    let at = whole.buffers[1].start + 0x30;
    bytes[at..at + 4].copy_from_slice(&(1_u32 << 20).to_le_bytes());
    let trace = census_of(&bytes).unwrap();
    let found: Vec<_> = trace.problems().iter().map(|problem| problem.kind).collect();
    assert_eq!(found, [ProblemKind::BadCompression]);
    assert!(trace.events_total() > 1, "the beginning is read");
}

/// A stream of a few bytes unpacks to many; all buffers of a file together do not.
#[test]
fn compressed_buffers_unpack_to_a_limit() {
    let header = LogfileHeader { buffer_size: 16 << 20, ..LogfileHeader::default() }.compressed();
    let whole = Whole::of(TraceBuilder::new(header.clone()).buffer(of_zeros(&header, 250, 60_000)).build().bytes);
    let (bytes, last) = (&whole.bytes, whole.buffers[1].clone());
    let bytes = [bytes.clone(), bytes[last].repeat(19)].concat();
    let trace = census_of(&bytes).unwrap();
    let (packed, unpacked) = sizes(&trace);
    let most = 96 * packed + (512 << 10);
    assert!((most / 10 * 9..most).contains(&unpacked), "{packed} bytes unpack to {unpacked}");
    assert!(trace.is_damaged(), "what is left out is reported");
    let cut = trace.problems().iter().filter(|problem| problem.detail.contains("unpacked bytes"));
    let places: BTreeSet<_> = trace.problems().iter().map(|problem| problem.offset).collect();
    assert_eq!(cut.count(), trace.problems().len(), "{:?}", trace.problems());
    assert_eq!(places.len(), trace.problems().len(), "each is reported once");
}

#[test]
fn what_ends_where_a_gap_begins_is_no_event_in_either_pass() {
    // The first pass sees the whole buffer, the second one per segment of 256 events, which ends here with event 256.
    let header = LogfileHeader { buffer_size: 64 << 10, ..LogfileHeader::default() };
    let (first, event) = (header.t0, |n| ModernEvent::new(Guid::new(1)).id(n as u16));
    let buffer = (0..400).fold(Made::on(0), |buffer, n| buffer.event(event(n).at(first + n)));
    let mut bytes = TraceBuilder::new(header).buffer(buffer).build().bytes;
    let place = |n: usize| (64 << 10) + 72 + 80 * n;
    let len = (place(257) - place(100) - 8) as u16;
    bytes[place(100)..place(101)].fill(0);
    bytes[place(257)..place(258)].fill(0);
    bytes[place(100) + 8..place(100) + 10].copy_from_slice(&len.to_le_bytes());
    bytes[place(100) + 10..place(100) + 12].copy_from_slice(&[19, 0xC0]);
    let trace = census_of(&bytes).unwrap();
    let gaps =
        trace.problems().iter().filter(|problem| problem.kind == ProblemKind::BadEvent).map(|problem| problem.len);
    assert_eq!(gaps.collect::<Vec<_>>(), [80, 80]);
    for order in [Order::File, Order::Time] {
        let seen = events(&trace, order, &Filter::default());
        assert_eq!((seen.len(), trace.events_total()), (1 + 398, 1 + 398), "{order:?}");
        assert!(seen.iter().all(|event| event.bytes.len() != usize::from(len)), "{order:?}");
    }
}
