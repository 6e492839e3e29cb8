//! A minimal walker, written from `docs/format` alone, checks every fixture against its ground truth.
#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test"
)]

use etwkit_synth::{Expected, ExpectedEvent, Fixture, HeaderKind, fixtures};

#[test]
fn names_are_unique_and_files_small() {
    let all = fixtures();
    let mut names: Vec<_> = all.iter().map(|fixture| fixture.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all.len());
    for fixture in &all {
        // The session of the Tcl script had eight buffers of 64 KB.
        // Values of all types are many events.
        let most = match fixture.name {
            "twapi.etl" => 512 * 1024,
            "values.etl" => 96 * 1024,
            _ => 64 * 1024 - 1,
        };
        assert!(fixture.bytes.len() <= most, "{}: {} bytes", fixture.name, fixture.bytes.len());
        assert_eq!(fixture.expected.is_trace(), !fixture.name.starts_with("x-"), "{}", fixture.name);
    }
}

#[test]
fn two_calls_give_the_same() {
    assert_eq!(fixtures(), fixtures());
}

#[test]
fn sound_traces_are_walked_to_the_last_byte() {
    for fixture in sound() {
        let pre_vista = fixture.name == "prevista.etl";
        let stride = if pre_vista { Some(u32_at(&fixture.bytes, 104)) } else { None };
        let mut walked = 0;
        for (index, buffer) in buffers(&fixture, stride).into_iter().enumerate() {
            let truth = &fixture.expected.buffers[index];
            let used = u32_at(buffer, 0x30);
            assert_eq!(used, truth.used, "{}: buffer {index}", fixture.name);
            let found = if truth.compressed { None } else { Some(walk(&buffer[..used as usize])) };
            let expected: Vec<_> = fixture.expected.events.iter().filter(|event| event.buffer == index).collect();
            walked += expected.len();
            let Some(found) = found else { continue };
            assert_eq!(found.len(), expected.len(), "{}: buffer {index}", fixture.name);
            found.iter().zip(expected).for_each(|(found, expected)| found.check(expected, &fixture));
        }
        assert_eq!(walked, fixture.expected.events.len(), "{}", fixture.name);
    }
}

#[test]
fn positions_point_at_the_events() {
    for fixture in fixtures() {
        for event in &fixture.expected.events {
            let Some(position) = event.position else { continue };
            let at = usize::try_from(position).unwrap();
            let bytes = &event.event.bytes;
            assert_eq!(&fixture.bytes[at..at + bytes.len()], &bytes[..], "{} at {at}", fixture.name);
        }
    }
}

#[test]
fn gaps_and_events_do_not_overlap() {
    for fixture in fixtures() {
        assert_eq!(!fixture.expected.gaps.is_empty(), fixture.name.starts_with("damaged-"), "{}", fixture.name);
        for gap in &fixture.expected.gaps {
            assert!(gap.offset + gap.len <= fixture.bytes.len() as u64, "{}: {gap:?}", fixture.name);
            let inside = |event: &&ExpectedEvent| {
                event
                    .position
                    .is_some_and(|at| at < gap.offset + gap.len && gap.offset < at + event.event.bytes.len() as u64)
            };
            assert_eq!(fixture.expected.events.iter().find(inside), None, "{}", fixture.name);
        }
    }
}

#[test]
fn no_gap_holds_what_looks_like_an_event() {
    let has_markers = |f: &Fixture| f.expected.damaged_buffers.is_empty() && !f.name.contains("bperf");
    for fixture in fixtures().into_iter().filter(has_markers) {
        for gap in &fixture.expected.gaps {
            let (start, len) = (usize::try_from(gap.offset).unwrap(), usize::try_from(gap.len).unwrap());
            let whole_buffer = fixture.name == "damaged-zero-header.etl";
            let marker = |at: &usize| {
                let event = &fixture.bytes[*at..];
                let known = matches!((event[3], event[2]), (0xc0, 1..=4 | 10 | 11 | 13 | 16..=21) | (0x90, 0));
                known && *at > start && !whole_buffer
            };
            let last = (start + len).min(fixture.bytes.len() - 8);
            assert_eq!((start..last).step_by(8).find(marker), None, "{}", fixture.name);
        }
    }
}

#[test]
fn every_kind_item_flag_and_mode_is_covered() {
    let all = fixtures();
    let counts: Vec<_> = all.iter().map(|fixture| fixture.expected.counts()).collect();
    for kind in [
        HeaderKind::System32,
        HeaderKind::System64,
        HeaderKind::Compact32,
        HeaderKind::Compact64,
        HeaderKind::PerfInfo32,
        HeaderKind::PerfInfo64,
        HeaderKind::Full32,
        HeaderKind::Full64,
        HeaderKind::Instance32,
        HeaderKind::Instance64,
        HeaderKind::Event32,
        HeaderKind::Event64,
        HeaderKind::Message,
        HeaderKind::Error,
        HeaderKind::Record32,
        HeaderKind::Record64,
    ] {
        assert!(counts.iter().any(|counts| counts.by_header.contains_key(kind.name())), "{kind:?}");
    }
    assert!((1..=18).all(|kind| counts.iter().any(|counts| counts.by_extended_item.contains_key(&kind))));
    let flags = all.iter().flat_map(|f| &f.expected.buffers).fold(0, |flags, buffer| flags | buffer.flags);
    assert_eq!(flags, 0x7f);
    let modes = all.iter().filter_map(|f| f.expected.header.as_ref()).fold(0, |modes, header| modes | header.mode);
    assert_eq!(modes & 0x0001_082f, 0x0001_082f);
}

#[test]
fn a_wrapped_file_lacks_its_oldest_buffers() {
    let sequences = sequences_of("circular-wrapped.etl");
    assert_eq!(sequences, [0, 13, 14, 15, 10, 11, 12]);
    assert_eq!(sequences_of("append-sessions.etl"), [0, 1, 2, 3, 1, 2, 3, 1, 2, 3]);
    assert_eq!(sequences_of("newfile_2.etl"), [0, 4, 5, 6]);
}

#[test]
fn times_follow_the_truncation_rule() {
    let fixture = named("clock-qpc.etl");
    let start = fixture.expected.header.as_ref().unwrap().start_time;
    let relative: Vec<_> = fixture.expected.events.iter().map(|event| event.utc.unwrap() - start).collect();
    assert_eq!(relative[..9], [0, -10_000_005, -38, -5, 0, 5, 10, 16, 27]);
    let order = fixture.expected.in_time_order();
    assert_eq!(order[..4], [1, 2, 3, 0]);
}

struct Found<'a> {
    offset: usize,
    bytes: &'a [u8],
}

impl Found<'_> {
    fn check(&self, expected: &ExpectedEvent, fixture: &Fixture) {
        let event = &expected.event;
        let context = format!("{} buffer {} offset {}", fixture.name, expected.buffer, expected.offset);
        assert_eq!(self.offset, expected.offset as usize, "{context}");
        assert_eq!(self.bytes, &event.bytes[..], "{context}");
        let kind = (self.bytes[3], self.bytes[2]);
        let time_at = match kind {
            (0xc0, 16 | 17) => Some(8),
            // Only the length is known of ERROR headers.
            (0xc0, 13) => None,
            (0xc0, _) => Some(16),
            _ => None,
        };
        if let Some(at) = time_at {
            assert_eq!(Some(i64_at(self.bytes, at)), event.time, "{context}");
        }
        if let (0xc0, 1..=4 | 10 | 11 | 18..=21) = kind {
            assert_eq!(Some(u32_at(self.bytes, 8)), event.tid, "{context}");
            assert_eq!(Some(u32_at(self.bytes, 12)), event.pid, "{context}");
        }
        assert_eq!(self.bytes.len() - header_len(self.bytes, fixture), event.payload().len(), "{context}");
    }
}

/// Header length by the tables of sections 5 to 7.
fn header_len(event: &[u8], fixture: &Fixture) -> usize {
    let counters = usize::from(event[1] & 7) * 8 + usize::from(event[1] >> 7) * 8;
    match (event[3], event[2]) {
        (0x90, _) => message_header(u16_at(event, 6)),
        (_, 1 | 2) => 32 + counters,
        (_, 3 | 4) => 24 + counters,
        (_, 16 | 17) => 16 + counters,
        (_, 10 | 20) => 48,
        (_, 11 | 21) if fixture.name == "prevista.etl" => 56,
        (_, 11 | 21) => 72,
        (_, 13) => 80,
        (_, 18 | 19) if u16_at(event, 4) & 1 == 0 => 80,
        (_, 18 | 19) => items_end(event),
        other => panic!("unknown header kind {other:?}"),
    }
}

fn message_header(options: u16) -> usize {
    let has = |bit: u16, size: usize| if options & bit != 0 { size } else { 0 };
    let identity = if options & 4 != 0 { 4 } else { has(2, 16) };
    8 + has(1, 4) + identity + has(8, 8) + has(0x20, 8)
}

fn items_end(event: &[u8]) -> usize {
    let mut at = 80;
    loop {
        let (size, linkage, data) = (u16_at(event, at), u16_at(event, at + 4), u16_at(event, at + 6));
        assert_eq!(size % 8, 0);
        assert!(data + 8 <= size && size < data + 16);
        at += usize::from(size);
        if linkage == 0 {
            return at;
        }
        assert_eq!(linkage, 1);
    }
}

fn walk(buffer: &[u8]) -> Vec<Found<'_>> {
    let mut found = Vec::new();
    let mut at = 72;
    while at < buffer.len() {
        let event = &buffer[at..];
        let system = event[3] == 0xc0 && matches!(event[2], 1..=4 | 16 | 17);
        let len = usize::from(u16_at(event, if system { 4 } else { 0 }));
        found.push(Found { offset: at, bytes: &event[..len] });
        at += len.div_ceil(8) * 8;
    }
    found
}

fn buffers(fixture: &Fixture, stride: Option<u32>) -> Vec<&[u8]> {
    let (mut rest, mut found) = (&fixture.bytes[..fixture.bytes.len() - fixture.expected.zero_tail], Vec::new());
    while !rest.is_empty() {
        let size = stride.unwrap_or_else(|| u32_at(rest, 0)) as usize;
        found.push(&rest[..size]);
        rest = &rest[size..];
    }
    assert_eq!(found.len(), fixture.expected.buffers.len(), "{}", fixture.name);
    found
}

fn sequences_of(name: &str) -> Vec<i64> {
    named(name).expected.buffers.iter().filter_map(|buffer| buffer.sequence).collect()
}

fn named(name: &str) -> Fixture {
    fixtures().into_iter().find(|fixture| fixture.name == name).unwrap()
}

fn sound() -> impl Iterator<Item = Fixture> {
    let is_sound = |expected: &Expected| expected.is_trace() && expected.gaps.is_empty();
    // `.btl` files have no buffers; another test unpacks their blocks.
    fixtures().into_iter().filter(move |fixture| is_sound(&fixture.expected) && !fixture.name.contains("bperf"))
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap())
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

fn i64_at(bytes: &[u8], at: usize) -> i64 {
    i64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
}
