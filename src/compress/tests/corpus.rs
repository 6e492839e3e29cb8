//! Real traces; skipped where the corpus is absent.

use super::*;

#[test]
fn every_compressed_buffer_decodes_to_events() {
    let Some(corpus) = etwkit_corpus::folder() else { return };
    let mut seen = 0;
    for (file, count) in FILES {
        let trace = std::fs::read(corpus.join(file)).unwrap();
        let buffers = compressed_buffers(&trace);
        assert_eq!(buffers.len(), count, "{file}");
        for (stream, size) in buffers {
            check(stream, size);
            seen += 1;
        }
    }
    assert_eq!(seen, 403);
}

fn check(stream: &[u8], size: usize) {
    let (mut fast, mut spec) = (vec![0; size], vec![0; size]);
    let used = xpress::decompress(stream, &mut fast).unwrap();
    assert!(stream[used..].is_empty() || stream[used..] == [0xFF; 4]);
    assert_eq!(xpress::decompress_spec(stream, &mut spec), Ok(used));
    assert!(fast == spec);
    walk(&fast);
}

/// The events must follow one another without a gap.
fn walk(events: &[u8]) {
    let mut at = 0;
    while at < events.len() {
        let head = &events[at..at + 8];
        let size_at = match head[3] {
            0xC0 if matches!(head[2], 1..=4 | 16 | 17) => 4,
            0xC0 if matches!(head[2], 10..=21) => 0,
            0x90 => 0,
            _ => panic!("no event marker at {at}: {head:x?}"),
        };
        let size = u16::from_le_bytes([head[size_at], head[size_at + 1]]);
        assert!(size >= 8);
        at += usize::from(size).next_multiple_of(8);
    }
    assert!(at < events.len() + 8);
}

fn compressed_buffers(trace: &[u8]) -> Vec<(&[u8], usize)> {
    let u32_at = |at: usize| u32::from_le_bytes(trace[at..at + 4].try_into().unwrap()) as usize;
    let mut buffers = Vec::new();
    let mut at = 0;
    while at + 72 <= trace.len() {
        let size = u32_at(at);
        if u32_at(at + 0x34) & 0x40 != 0 {
            buffers.push((&trace[at + 72..at + size], u32_at(at + 0x30) - 72));
        }
        at += size;
    }
    buffers
}

const FILES: [(&str, usize); 6] = [
    ("perfview/net.4.5.2.x64.etl", 359),
    ("perfview/SelfDescribingSingleEvent.etl", 2),
    ("misc/msbuild-compressed32.etl", 29),
    ("misc/ms-rpc-capture-arrays.etl", 10),
    ("pktmon/PktMon.etl", 2),
    ("perfview/smallEtlFile.etl", 1),
];
