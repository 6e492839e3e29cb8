//! The search for buffers: its cost, and its largest numbers.

use super::frame::Buffers;
use super::resync::{BYTES_PER_STRIDE, Resync};
use super::*;
use crate::FileId;
use crate::bytes::u32_at;
use crate::input::Input;
use crate::limits;

/// Returns the header buffer of a trace whose session has buffers of 64 KiB.
fn header_buffer() -> Vec<u8> {
    let mut bytes = etwkit_synth::TraceBuilder::new(etwkit_synth::LogfileHeader::default()).build().bytes;
    bytes.truncate(u32_at(&bytes, 0) as usize);
    bytes
}

/// Returns a buffer of 80 bytes with one marker.
fn tiny_buffer(used: u32, marker: [u8; 8]) -> [u8; 80] {
    let mut bytes = [0; 80];
    bytes[..4].copy_from_slice(&80_u32.to_le_bytes());
    bytes[0x30..0x34].copy_from_slice(&used.to_le_bytes());
    bytes[72..].copy_from_slice(&marker);
    bytes
}

/// What searches after damage.
fn resync<'f>(frames: &'f Frames<'_>) -> &'f Resync<'f> {
    let Buffers::Modern(modern) = &frames.buffers else { panic!("{frames:?}") };
    &modern.resync
}

/// Returns all frames, the bytes searched, and the strides looked at.
fn walk(bytes: Vec<u8>) -> (Vec<Frame>, u64, u64) {
    let len = bytes.len() as u64;
    let source = Input::bytes("made", bytes);
    let head = Head::read(&source, FileId::FIRST, &mut Vec::new()).unwrap();
    let mut frames = Frames::new(&source, FileId::FIRST, &head);
    let (mut all, strides) = (Vec::new(), resync(&frames).strides);
    while let Some(frame) = frames.next_frame().unwrap() {
        all.push(frame);
    }
    let size = |frame: &Frame| match frame {
        Frame::Buffer(info) => u64::from(info.size),
        Frame::Problem(problem) => problem.len,
    };
    assert_eq!(all.iter().map(size).sum::<u64>(), len, "every byte is in a buffer or reported");
    (all, resync(&frames).searched.total, strides - resync(&frames).strides)
}

#[test]
fn no_byte_is_searched_twice_however_many_buffers_lead_nowhere() {
    const PAIRS: usize = 12_000;
    let (good, bad) = (tiny_buffer(80, [8, 0, 0x14, 0xC0, 0, 0, 0, 0]), tiny_buffer(80, [1; 8]));
    let mut bytes = header_buffer();
    bytes.extend([good, bad].as_flattened().repeat(PAIRS));
    bytes.extend([1; 24]);
    let len = bytes.len() as u64;
    let (frames, searched, strides) = walk(bytes);
    assert!(frames.len() > PAIRS, "{}", frames.len());
    assert!(searched <= len, "{searched} of {len}");
    let most = (limits::MAX_REPAIRS * limits::MAX_STRIDES) as u64 + len / BYTES_PER_STRIDE;
    assert!(strides <= most, "{strides} of {most}");
}

#[test]
fn a_buffer_is_never_larger_than_the_largest_there_can_be() {
    let mut bytes = header_buffer();
    bytes[..4].fill(0);
    bytes[0x30..0x34].fill(0xFF);
    // The bit of compression in `LogFileMode`: then no size is the session's.
    bytes[0x88 + 3] |= 0x04;
    bytes.resize(3 * limits::MAX_BUFFER, 0);
    let (frames, ..) = walk(bytes);
    let [Frame::Buffer(info), Frame::Problem(rest)] = frames.as_slice() else { panic!("{frames:?}") };
    assert_eq!((info.size as usize, rest.len as usize), (limits::MAX_BUFFER, 2 * limits::MAX_BUFFER));
}

/// The next buffer is beyond the range of a 32-bit size.
#[test]
#[cfg(unix)]
fn distances_beyond_four_gigabytes_are_reported_whole() {
    use std::os::unix::fs::FileExt;
    const BUFFER: u64 = limits::MAX_BUFFER as u64;
    let log = etwkit_synth::LogfileHeader { buffer_size: limits::MAX_BUFFER as u32, ..Default::default() };
    let mut first = etwkit_synth::TraceBuilder::new(log).build().bytes;
    let mut last = tiny_buffer(72, [0xFF; 8]);
    last[..4].copy_from_slice(&(BUFFER as u32).to_le_bytes());
    first.truncate(4096);
    first[..4].fill(0);
    let path = std::env::temp_dir().join(format!("etwkit-sparse-{}.etl", std::process::id()));
    let file = std::fs::File::create(&path).unwrap();
    file.set_len(301 * BUFFER).unwrap();
    file.write_all_at(&first, 0).unwrap();
    file.write_all_at(&[1], BUFFER).unwrap();
    file.write_all_at(&last, 300 * BUFFER).unwrap();
    let source = Input::open(&path).unwrap();
    let head = Head::read(&source, FileId::FIRST, &mut Vec::new()).unwrap();
    let mut frames = Frames::new(&source, FileId::FIRST, &head);
    let mut places = Vec::new();
    while let Some(frame) = frames.next_frame().unwrap() {
        places.push(match frame {
            Frame::Buffer(info) => (info.offset / BUFFER, u64::from(info.size) / BUFFER),
            Frame::Problem(problem) => (problem.offset / BUFFER, problem.len / BUFFER),
        });
    }
    std::fs::remove_file(&path).unwrap();
    assert_eq!(places, [(0, 1), (1, 299), (300, 1)]);
}
