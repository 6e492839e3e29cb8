//! The encoders against decoders, and compressed fixtures against their ground truth.
#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test"
)]

mod unpack;

use etwkit_synth::compress::{huffman, lznt1, ulz, xpress};
use etwkit_synth::{Fixture, fixtures};

#[test]
fn all_give_back_what_they_got() {
    for data in samples() {
        let len = data.len();
        let packed = xpress::compress(&data);
        let (out, read) = unpack::xpress(&packed, len).unwrap();
        assert!(out == data && read == packed.len(), "xpress of {len} bytes");
        let packed = huffman::compress(&data);
        assert!(unpack::huffman(&packed, len).unwrap() == data, "huffman of {len} bytes");
        let packed = lznt1::compress(&data);
        assert!(unpack::lznt1(&packed, len).unwrap() == data, "lznt1 of {len} bytes");
        for packed in [ulz::compress(&data), ulz::literally(&data)] {
            assert!(len == 0 || unpack::ulz(&packed) == data, "ulz of {len} bytes");
        }
    }
}

#[test]
fn they_shrink_what_repeats() {
    let text = b"the quick brown fox jumps over the lazy dog; ".repeat(300);
    let packed = [xpress::compress(&text), huffman::compress(&text), lznt1::compress(&text), ulz::compress(&text)];
    for packed in packed {
        assert!(packed.len() < text.len() / 8, "{}", packed.len());
    }
}

#[test]
fn compressed_fixtures_unpack_to_their_events() {
    for (name, unpack) in [
        ("compressed-xpress.etl", xpress_all as fn(&[u8], usize) -> Vec<u8>),
        ("compressed-huffman.etl", |body, len| unpack::huffman(body, len).unwrap()),
        ("compressed-lznt1.etl", |body, len| unpack::lznt1(body, len).unwrap()),
    ] {
        let fixture = named(name);
        let compressed: Vec<_> = fixture.expected.buffers.iter().filter(|buffer| buffer.compressed).collect();
        assert!(compressed.len() >= 3 && compressed.len() + 1 < fixture.expected.buffers.len(), "{name}");
        for (index, buffer) in fixture.expected.buffers.iter().enumerate().filter(|(_, b)| b.compressed) {
            let start = usize::try_from(buffer.offset).unwrap();
            let mut body = &fixture.bytes[start + 72..start + buffer.size as usize];
            if name.contains("lznt1") && body.ends_with(&[0xff; 4]) {
                body = &body[..body.len() - 4];
            }
            let area = unpack(body, buffer.used as usize - 72);
            check_area(&fixture, index, &area);
        }
    }
}

#[test]
fn a_cut_stream_gives_exactly_the_events_before_the_cut() {
    let fixture = named("damaged-compression.etl");
    assert_eq!(fixture.expected.damaged_buffers, [2, 3]);
    for &index in &fixture.expected.damaged_buffers {
        let buffer = &fixture.expected.buffers[index];
        let start = usize::try_from(buffer.offset).unwrap();
        let body = &fixture.bytes[start + 72..start + buffer.size as usize];
        let area = unpack::xpress(body, buffer.used as usize - 72).unwrap_err();
        check_area(&fixture, index, &area);
    }
}

#[test]
fn the_test_decoders_read_the_examples_of_the_specification() {
    // [MS-XCA] 3.2: "abc" 100 times.
    let mut packed = vec![0; 256];
    (packed[48], packed[49], packed[128], packed[143]) = (0x30, 0x23, 0x02, 0x20);
    packed.extend([0xa8, 0xdc, 0x00, 0x00, 0xff, 0x26, 0x01]);
    assert_eq!(unpack::huffman(&packed, 300).unwrap(), b"abc".repeat(100));
    // [MS-XCA] 3.3: a tune.
    let tune = "F# F# G A A G F# E D D E F# F# E E F# F# G A A G F# E D D E F# E D D E E F# D E F# G F# D E F# G F# \
        E D E A F# F# G A A G F# E D D E F# E D D\0";
    let packed = [
        0x38, 0xb0, 0x88, 0x46, 0x23, 0x20, 0x00, 0x20, 0x47, 0x20, 0x41, 0x00, 0x10, 0xa2, 0x47, 0x01, 0xa0, 0x45,
        0x20, 0x44, 0x00, 0x08, 0x45, 0x01, 0x50, 0x79, 0x00, 0xc0, 0x45, 0x20, 0x05, 0x24, 0x13, 0x88, 0x05, 0xb4,
        0x02, 0x4a, 0x44, 0xef, 0x03, 0x58, 0x02, 0x8c, 0x09, 0x16, 0x01, 0x48, 0x45, 0x00, 0xbe, 0x00, 0x9e, 0x00,
        0x04, 0x01, 0x18, 0x90, 0x00,
    ];
    assert_eq!(String::from_utf8(unpack::lznt1(&packed, tune.len()).unwrap()).unwrap(), tune);
}

fn check_area(fixture: &Fixture, index: usize, area: &[u8]) {
    let mut end = 72;
    for event in fixture.expected.events.iter().filter(|event| event.buffer == index) {
        let at = event.offset as usize;
        assert_eq!(at, end, "{}", fixture.name);
        let bytes = &event.event.bytes;
        assert_eq!(area[at - 72..at - 72 + bytes.len()], bytes[..], "{} buffer {index}", fixture.name);
        end = at + bytes.len().div_ceil(8) * 8;
    }
    assert_eq!(end, 72 + area.len());
}

#[test]
fn blocks_unpack_to_their_records() {
    check_blocks("bperf.btl", |packed, _| unpack::ulz(packed));
    check_blocks("bperf-huffman.btl", |packed, len| unpack::huffman(packed, len).unwrap());
}

fn check_blocks(name: &str, unpack: impl Fn(&[u8], usize) -> Vec<u8>) {
    let fixture = named(name);
    let mut at = 0;
    for (index, block) in fixture.expected.buffers.iter().enumerate() {
        assert_eq!(block.offset, at as u64);
        let size = |from: usize| u32::from_le_bytes(fixture.bytes[from..from + 4].try_into().unwrap()) as usize;
        let (packed, unpacked) = (size(at), size(at + 4));
        let area = unpack(&fixture.bytes[at + 8..at + 8 + packed], unpacked);
        assert_eq!((area.len(), unpacked), (unpacked, block.used as usize - 72));
        let mut end = 0;
        for event in fixture.expected.events.iter().filter(|event| event.buffer == index) {
            let bytes = &event.event.bytes;
            assert_eq!((end + 72, &area[end..end + bytes.len()]), (event.offset as usize, &bytes[..]));
            assert_eq!(u16::from_le_bytes([bytes[80], bytes[81]]), event.processor);
            assert_eq!(bytes[112..112 + event.event.payload().len()], *event.event.payload());
            end += bytes.len().next_multiple_of(16);
        }
        assert_eq!(end, area.len());
        at += 8 + packed.next_multiple_of(4);
    }
    assert_eq!(at, fixture.bytes.len());
}

fn xpress_all(body: &[u8], len: usize) -> Vec<u8> {
    let (out, read) = unpack::xpress(body, len).unwrap();
    assert!(read == body.len() || body[read..] == [0xff; 4]);
    out
}

fn named(name: &str) -> Fixture {
    fixtures().into_iter().find(|fixture| fixture.name == name).unwrap()
}

fn samples() -> Vec<Vec<u8>> {
    let mut state = 1u64;
    let mut random = |modulus: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u8::try_from((state >> 33) % modulus).unwrap()
    };
    let mut samples = vec![vec![], vec![7], vec![0; 3], vec![0; 5], b"abababab".to_vec()];
    for len in [15, 16, 17, 18, 31, 33, 297, 298, 300, 4095, 4096, 4097, 70_000, 200_000] {
        samples.push(vec![b'a'; len]);
        for modulus in [2, 4, 17, 256] {
            samples.push((0..len).map(|_| random(modulus)).collect());
        }
        samples.push((0..len).map(|n| (n * n / 64).to_le_bytes()[0]).collect());
        samples.push((0..len).map(|n| (n / 700).to_le_bytes()[n % 2]).collect());
    }
    // Fibonacci frequencies make the deepest Huffman tree.
    let mut pair = (1usize, 1usize);
    let mut deep = Vec::new();
    for symbol in 0..21 {
        deep.extend(std::iter::repeat_n(symbol, pair.0));
        pair = (pair.1, pair.0 + pair.1);
    }
    let len = deep.len();
    samples.push((0..len).map(|n| deep[n * 7919 % len]).collect());
    samples.extend(fixtures().into_iter().map(|fixture| fixture.bytes));
    samples
}
