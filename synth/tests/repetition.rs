//! `repeat`: sizes, counts, shifted times and sequence numbers.
#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test"
)]

#[expect(dead_code, reason = "only one of the decoders is needed here")]
mod unpack;

use etwkit_synth::{Fixture, fixtures, repeat};

#[test]
fn three_rounds_of_a_plain_trace() {
    let fixture = named("kernel-stacks.etl");
    let (once, times) = (&fixture.bytes, 3);
    let mut big = Vec::new();
    let written = repeat(once, times).write_to(&mut big).unwrap();
    let body = once.len() - 8192;
    assert_eq!(big.len(), 8192 + 3 * body);
    assert_eq!(written.bytes, big.len() as u64);
    assert_eq!(written.events, 1 + 3 * (fixture.expected.events.len() as u64 - 1));
    assert_eq!(u32_at(&big, 72 + 32 + 0x24), 7);
    assert_eq!(big[8192..once.len()], once[8192..]);
    let times: Vec<_> = fixture.expected.events[1..].iter().map(|event| event.event.time.unwrap()).collect();
    let span = times.iter().max().unwrap() - times.iter().min().unwrap() + 1;
    for event in &fixture.expected.events[1..] {
        let at = usize::try_from(event.position.unwrap()).unwrap() + 2 * body;
        let field = if matches!(big[at + 2], 16 | 17) { 8 } else { 16 };
        assert_eq!(i64_at(&big, at + field), event.event.time.unwrap() + 2 * span);
        if matches!(event.event.hook, Some(0x1820 | 0x1825 | 0x1826)) {
            assert_eq!(i64_at(&big, at + 16), i64_at(event.event.payload(), 0) + 2 * span);
        }
    }
    let sequences: Vec<_> = (1..7).map(|n| i64_at(&big, n * 8192 + 0x18)).collect();
    assert_eq!(sequences, [1, 2, 3, 4, 5, 6]);
}

#[test]
fn messages_keep_their_optional_fields() {
    let fixture = named("message-options.etl");
    let mut big = Vec::new();
    repeat(&fixture.bytes, 2).write_to(&mut big).unwrap();
    let body = fixture.bytes.len() - 16384;
    let changed: u64 = fixture.expected.events[1..]
        .iter()
        .map(|event| {
            let at = usize::try_from(event.position.unwrap()).unwrap();
            let len = event.event.bytes.len();
            u64::from(big[at..at + len] != big[at + body..at + body + len])
        })
        .sum();
    assert_eq!(changed, 128);
}

#[test]
fn compressed_buffers_need_a_decompressor() {
    let fixture = named("compressed-xpress.etl");
    let left_out = repeat(&fixture.bytes, 2).write_to(&mut std::io::sink()).unwrap();
    let packed = fixture.expected.buffers.iter().filter(|buffer| buffer.compressed).count();
    assert_eq!(left_out.left_out, packed as u64);
    let unpack = |body: &[u8], len: usize| unpack::xpress(body, len).ok().map(|(out, _)| out);
    let written = repeat(&fixture.bytes, 2).decompressor(&unpack).write_to(&mut std::io::sink()).unwrap();
    assert_eq!(written.left_out, 0);
    assert_eq!(written.events, 1 + 2 * (fixture.expected.events.len() as u64 - 1));
}

#[test]
fn every_vista_fixture_can_be_repeated() {
    let unpack = |body: &[u8], len: usize| unpack::xpress(body, len).ok().map(|(out, _)| out);
    for fixture in fixtures() {
        let result = repeat(&fixture.bytes, 2).decompressor(&unpack).write_to(&mut std::io::sink());
        let other = fixture.name == "prevista.etl" || fixture.name.contains("bperf");
        let refused = fixture.name.starts_with("x-") || other;
        if fixture.expected.gaps.is_empty() {
            assert_eq!(result.is_err(), refused, "{}", fixture.name);
        }
    }
}

fn named(name: &str) -> Fixture {
    fixtures().into_iter().find(|fixture| fixture.name == name).unwrap()
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

fn i64_at(bytes: &[u8], at: usize) -> i64 {
    i64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
}
