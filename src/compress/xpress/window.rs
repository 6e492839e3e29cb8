//! The part of an output that tokens are decoded into.

/// A part of an output, of constant size. Places are masked, so that blocks need no check of bounds.
pub(super) type Window = [u8; SPAN + SLACK];

/// The greatest distance of a match.
pub(super) const REACH: usize = 1 << 13;
/// Places of a window: a power of two, twice what matches reach back.
pub(super) const SPAN: usize = 2 * REACH;
/// Bytes that a match of any length that is taken may touch: 3 + 7 + 15 + 254, and a block after them.
pub(super) const MATCH_ROOM: usize = 3 + 7 + 15 + 254 + 2 * FAR;
/// Matches whose distance is less are copied in smaller blocks.
pub(super) const FAR: usize = 16;

/// Bytes after the last place that a block may touch.
const SLACK: usize = 32;
const MASK: usize = SPAN - 1;

/// Writes a block.
#[inline(always)]
#[expect(clippy::inline_always, reason = "it is one instruction")]
pub(super) fn put<const N: usize>(window: &mut Window, at: usize, block: [u8; N]) {
    const { assert!(N <= SLACK, "a block at the last place has room") };
    if let Some(slot) = window.get_mut(at & MASK..).and_then(|rest| rest.first_chunk_mut()) {
        *slot = block;
    }
}

/// Copies a block to a place after it.
#[inline(always)]
#[expect(clippy::inline_always, reason = "it is two instructions")]
pub(super) fn copy<const N: usize>(window: &mut Window, from: usize, to: usize) {
    const { assert!(N <= SLACK, "a block at the last place has room") };
    if let Some(block) = window.get(from & MASK..).and_then(|rest| rest.first_chunk::<N>()) {
        put(window, to, *block);
    }
}

/// Copies a match whose distance is at least [`FAR`], and junk after it.
#[inline(always)]
#[expect(clippy::inline_always, reason = "measured: most matches end before the call")]
pub(super) fn far_match(window: &mut Window, from: usize, to: usize, length: usize) {
    copy::<FAR>(window, from, to);
    copy::<FAR>(window, from + FAR, to + FAR);
    if length > 2 * FAR {
        far_rest(window, from + 2 * FAR, to + 2 * FAR, length - 2 * FAR);
    }
}

#[inline(never)]
fn far_rest(window: &mut Window, from: usize, to: usize, length: usize) {
    let mut done = 0;
    loop {
        copy::<FAR>(window, from + done, to + done);
        copy::<FAR>(window, from + done + FAR, to + done + FAR);
        done += 2 * FAR;
        if done >= length {
            break;
        }
    }
}

/// Copies a match whose distance is less than [`FAR`], and junk after it: as many bytes at once as can be without
/// reading one that is yet to be written.
#[inline(never)]
pub(super) fn near_match(window: &mut Window, from: usize, to: usize, length: usize) {
    let distance = to - from;
    if distance < 8 {
        return repeat(window, from, distance, length);
    }
    let mut done = 0;
    while done < length {
        copy::<8>(window, from + done, to + done);
        done += 8;
    }
}

/// Copies a match with a distance below 8: the bytes of the distance are repeated throughout a register, which is
/// then written at every multiple of the distance that it fills.
#[inline]
fn repeat(window: &mut Window, from: usize, distance: usize, length: usize) {
    let Some((factor, step)) = REPEAT.get(distance) else { return };
    let Some(known) = window.get(from & MASK..).and_then(|rest| rest.first_chunk()) else { return };
    let pattern = (u64::from_le_bytes(*known) & ((1 << (8 * distance)) - 1)).wrapping_mul(*factor).to_le_bytes();
    let mut done = 0;
    while done < length {
        put(window, from + distance + done, pattern);
        done += step;
    }
}

/// For each distance below 8: the factor which repeats that many bytes throughout a `u64`, and the
/// greatest multiple of the distance which is not above 8.
const REPEAT: [(u64, usize); 8] = [
    (0, 1),
    (0x0101_0101_0101_0101, 8),
    (0x0001_0001_0001_0001, 8),
    (0x0001_0000_0100_0001, 6),
    (0x0000_0001_0000_0001, 8),
    (0x0000_0100_0000_0001, 5),
    (0x0001_0000_0000_0001, 6),
    (0x0100_0000_0000_0001, 7),
];
