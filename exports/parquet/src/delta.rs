//! The encoding `DELTA_BINARY_PACKED`: differences of neighbours, in blocks of as few bits as these need.

use crate::hybrid::{push_eight, varint};

/// Values of a block, and of a part of it whose differences have one width.
const BLOCK: usize = 128;
const PART: usize = 32;

/// Appends integers of 64 bits.
pub(crate) fn push_deltas(out: &mut Vec<u8>, values: &[u64]) {
    varint(out, BLOCK as u64);
    varint(out, (BLOCK / PART) as u64);
    varint(out, values.len() as u64);
    let first = values.first().copied().unwrap_or(0);
    varint(out, zigzag(first));
    let mut before = first;
    for block in values.get(1..).unwrap_or_default().chunks(BLOCK) {
        before = push_block(out, before, block);
    }
}

/// Appends a block of values after another one; returns the last one.
fn push_block(out: &mut Vec<u8>, before: u64, values: &[u64]) -> u64 {
    let mut deltas = [0_u64; BLOCK];
    let last = values.last().copied().unwrap_or(before);
    if let ([slot, slots @ ..], Some(first)) = (&mut deltas, values.first()) {
        *slot = first.wrapping_sub(before);
        let neighbours = values.iter().zip(values.iter().skip(1));
        slots.iter_mut().zip(neighbours).for_each(|(slot, (one, next))| *slot = next.wrapping_sub(*one));
    }
    let used = deltas.get_mut(..values.len()).unwrap_or_default();
    let least = used.iter().map(|delta| delta.cast_signed()).min().unwrap_or(0).cast_unsigned();
    for delta in used.iter_mut() {
        *delta = delta.wrapping_sub(least);
    }
    varint(out, zigzag(least));
    let widths = out.len();
    out.extend_from_slice(&[0; BLOCK / PART]);
    for (number, part) in deltas.as_chunks::<PART>().0.iter().enumerate().take(values.len().div_ceil(PART)) {
        let width = 64 - part.iter().fold(0, |all, delta| all | delta).leading_zeros();
        if let Some(slot) = out.get_mut(widths + number) {
            *slot = width as u8;
        }
        pack(out, part, width);
    }
    last
}

fn pack(out: &mut Vec<u8>, part: &[u64; PART], width: u32) {
    if width <= 16 {
        for eight in part.as_chunks().0 {
            push_eight(out, eight, width);
        }
        return;
    }
    if width <= 32 {
        // Sixteen words have room for all.
        let (mut words, mut at) = ([[0; 8]; PART / 2], 0);
        let (mut word, mut bits) = (0_u64, 0);
        for delta in part {
            word |= delta << bits;
            bits += width;
            if bits >= 64 {
                if let Some(slot) = words.get_mut(at % (PART / 2)) {
                    *slot = word.to_le_bytes();
                }
                at += 1;
                bits -= 64;
                // What had no room: of fewer bits than a delta has.
                word = delta >> ((width - bits) % 64);
            }
        }
        // 32 values take whole words of 32 bits.
        out.extend_from_slice(words.as_flattened().get(..8 * at).unwrap_or_default());
        if bits > 0 {
            out.extend_from_slice(&(word as u32).to_le_bytes());
        }
        return;
    }
    let (mut word, mut bits) = (0_u128, 0);
    for delta in part {
        word |= u128::from(*delta) << bits;
        bits += width;
        while bits >= 32 {
            out.extend_from_slice(&(word as u32).to_le_bytes());
            word >>= 32;
            bits -= 32;
        }
    }
}

/// Returns a number that is small for signed ones near zero.
const fn zigzag(value: u64) -> u64 {
    let value = value.cast_signed();
    (value << 1 ^ value >> 63).cast_unsigned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads what was written, as the format's description states.
    fn read(bytes: &[u8]) -> Vec<u64> {
        let mut at = 0;
        let varint = |at: &mut usize| {
            let (mut value, mut shift) = (0_u64, 0);
            loop {
                let byte = bytes[*at];
                *at += 1;
                value |= u64::from(byte & 0x7F) << shift;
                shift += 7;
                if byte < 0x80 {
                    return value;
                }
            }
        };
        let signed = |value: u64| (value >> 1) ^ 0_u64.wrapping_sub(value & 1);
        assert_eq!((varint(&mut at), varint(&mut at)), (128, 4));
        let count = varint(&mut at) as usize;
        let mut values = vec![signed(varint(&mut at))];
        while values.len() < count {
            let least = signed(varint(&mut at));
            let widths = &bytes[at..at + 4];
            at += 4;
            for width in widths.iter().map(|width| usize::from(*width)) {
                for number in 0..32.min(count - values.len()) {
                    let bit = |bit: usize| u64::from(bytes[at + bit / 8] >> (bit % 8) & 1);
                    let delta = (0..width).map(|n| bit(number * width + n) << n).sum::<u64>();
                    let before = *values.last().unwrap();
                    values.push(before.wrapping_add(least).wrapping_add(delta));
                }
                at += 4 * width;
            }
        }
        assert_eq!(at, bytes.len());
        values.truncate(count);
        values
    }

    #[test]
    fn values_are_read_back() {
        for width in [0, 1, 5, 13, 31, 32, 33, 47, 63, 64] {
            for len in [1, 2, 33, 128, 129, 130, 300] {
                let mask = if width == 64 { u64::MAX } else { (1 << width) - 1 };
                let values: Vec<u64> =
                    (0..len).map(|number: u64| number.wrapping_mul(0x9E37_79B9_7F4A_7C15) & mask).collect();
                let mut out = Vec::new();
                push_deltas(&mut out, &values);
                assert_eq!(read(&out), values, "{width} {len}");
            }
        }
    }
}
