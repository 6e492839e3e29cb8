//! The hybrid of runs and packed bits that levels and codes are written in.

use crate::same::all_are;

/// Equal values from which on a run takes less than packed bits.
const RUN: usize = 16;

/// Appends codes of so many bits each (1 to 32): runs of equal ones, and the others packed.
pub(crate) fn push_codes(out: &mut Vec<u8>, codes: &[u32], width: u32) {
    let mut rest = codes;
    while !rest.is_empty() {
        let packed = packed_before_run(rest);
        let (now, later) = rest.split_at(packed);
        pack(out, now, width);
        rest = later;
        if let Some(first) = rest.first() {
            let run = run_len(rest);
            push_run(out, run, *first, width);
            rest = rest.get(run..).unwrap_or_default();
        }
    }
}

/// Appends a run of one value.
pub(crate) fn push_run(out: &mut Vec<u8>, len: usize, value: u32, width: u32) {
    varint(out, (len as u64) << 1);
    out.extend(value.to_le_bytes().iter().take(width.div_ceil(8) as usize));
}

/// Appends levels of one bit, given eight in a byte.
pub(crate) fn push_packed_levels(out: &mut Vec<u8>, bits: &[u8]) {
    varint(out, (bits.len() as u64) << 1 | 1);
    out.extend_from_slice(bits);
}

/// Returns how many codes come before the next run that is worth it: a multiple of eight, or all.
fn packed_before_run(codes: &[u32]) -> usize {
    let mut at = 0;
    while at < codes.len() {
        let next = codes.get(at..(at + RUN).min(codes.len())).unwrap_or_default();
        // Most groups have different neighbours.
        let may_run = next.first() == next.get(1) && next.first() == next.last();
        if may_run && run_len(next) >= RUN {
            return at;
        }
        at += 8;
    }
    codes.len()
}

fn run_len(codes: &[u32]) -> usize {
    let Some(first) = codes.first() else { return 0 };
    let mut len = 0;
    for some in codes.chunks(64) {
        if !all_are(some, *first) {
            return len + some.iter().position(|code| code != first).unwrap_or(some.len());
        }
        len += some.len();
    }
    len
}

/// Appends packed bits; the last group of eight is filled up.
fn pack(out: &mut Vec<u8>, codes: &[u32], width: u32) {
    if codes.is_empty() {
        return;
    }
    let groups = codes.len().div_ceil(8);
    varint(out, (groups as u64) << 1 | 1);
    let end = out.len() + groups * width as usize;
    out.reserve(groups * width as usize + 16);
    if width <= 16 {
        let (eights, rest) = codes.as_chunks::<8>();
        for eight in eights {
            push_eight(out, eight, width);
        }
        if !rest.is_empty() {
            let mut last = [0_u32; 8];
            last.iter_mut().zip(rest).for_each(|(slot, code)| *slot = *code);
            push_eight(out, &last, width);
        }
        return;
    }
    let (mut word, mut bits) = (0_u64, 0);
    for code in codes {
        word |= u64::from(*code) << bits;
        bits += width;
        if bits >= 32 {
            out.extend_from_slice(&(word as u32).to_le_bytes());
            word >>= 32;
            bits -= 32;
        }
    }
    out.extend_from_slice(&word.to_le_bytes());
    out.resize(end, 0);
}

/// Appends eight numbers of at most sixteen bits each: half of them fit a word, and all of them if they have at most
/// eight.
#[inline]
pub(crate) fn push_eight<T: Copy + Into<u64>>(out: &mut Vec<u8>, eight: &[T; 8], width: u32) {
    let word = |numbers: &[T]| numbers.iter().rev().fold(0_u64, |word, number| word << width | (*number).into());
    if width <= 8 {
        out.extend_from_slice(&word(eight).to_le_bytes());
        out.truncate(out.len() - 8 + width as usize);
        return;
    }
    let (low, high) = eight.split_at(4);
    let both = u128::from(word(high)) << (4 * width) | u128::from(word(low));
    out.extend_from_slice(&both.to_le_bytes());
    out.truncate(out.len() - 16 + width as usize);
}

pub(crate) fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads what was written, as the format's description states.
    fn read(bytes: &[u8], width: u32, count: usize) -> Vec<u32> {
        let (mut at, mut codes) = (0, Vec::new());
        while codes.len() < count {
            let (mut head, mut shift) = (0_u64, 0);
            loop {
                let byte = bytes[at];
                at += 1;
                head |= u64::from(byte & 0x7F) << shift;
                shift += 7;
                if byte < 0x80 {
                    break;
                }
            }
            if head & 1 == 0 {
                let len = width.div_ceil(8) as usize;
                let value = bytes[at..at + len].iter().rev().fold(0, |value, byte| value << 8 | u32::from(*byte));
                at += len;
                codes.extend(std::iter::repeat_n(value, (head >> 1) as usize));
            } else {
                let bits = (head >> 1) as usize * 8;
                let bit = |place: usize| u32::from(bytes[at + place / 8] >> (place % 8) & 1);
                let code =
                    |number: usize| (0..width as usize).map(|n| bit(number * width as usize + n) << n).sum::<u32>();
                codes.extend((0..bits).map(code));
                at += bits / 8 * width as usize;
            }
        }
        assert_eq!(at, bytes.len());
        codes.truncate(count);
        codes
    }

    #[test]
    fn codes_are_read_back() {
        for width in [1, 2, 3, 7, 8, 9, 13, 17, 31, 32] {
            let mask = ((1_u64 << width) - 1) as u32;
            for runs in [&[1, 1, 1][..], &[40, 3, 20, 1, 1, 100], &[5, 200], &[0], &[16, 16, 8, 8], &[1000]] {
                let mut codes = Vec::new();
                for (number, len) in runs.iter().enumerate() {
                    codes.extend(std::iter::repeat_n(0x9E37_79B9_u32.wrapping_mul(number as u32 + 1) & mask, *len));
                }
                codes.extend((0..37).map(|number: u32| number.wrapping_mul(0x85EB_CA6B) & mask));
                let mut out = Vec::new();
                push_codes(&mut out, &codes, width);
                assert_eq!(read(&out, width, codes.len()), codes, "{width} {runs:?}");
            }
        }
    }

    #[test]
    fn levels_are_read_back() {
        for pattern in [&[true][..], &[false], &[true, false, true], &[false; 20], &[true; 30]] {
            for times in [1, 3, 11] {
                let levels: Vec<bool> = pattern.iter().copied().cycle().take(pattern.len() * times).collect();
                let byte = |eight: &[bool]| eight.iter().rev().fold(0, |byte, bit| byte << 1 | u8::from(*bit));
                let bits: Vec<u8> = levels.chunks(8).map(byte).collect();
                let mut out = Vec::new();
                push_packed_levels(&mut out, &bits);
                let expected: Vec<u32> = levels.iter().map(|is_there| u32::from(*is_there)).collect();
                assert_eq!(read(&out, 1, levels.len()), expected);
            }
        }
    }
}
