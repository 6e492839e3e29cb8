//! ULZ, which packs the blocks of `.btl` files (section 17).

use super::matcher::{Limits, Matcher, Token};

/// Compresses `data`.
pub fn compress(data: &[u8]) -> Vec<u8> {
    let limits = |_| Limits { distance: (1 << 17) - 1, length: 1 << 20 };
    let mut out = Vec::new();
    let (mut literals_from, mut at) = (0, 0);
    for token in Matcher::new(data).tokens(0..data.len(), 0, limits) {
        match token {
            Token::Match { distance, length } if length >= MIN_MATCH => {
                item(&mut out, &data[literals_from..at], Some((distance, length)));
                at += length;
                literals_from = at;
            }
            // Too short for the format.
            Token::Match { length, .. } => at += length,
            Token::Literal(_) => at += 1,
        }
    }
    if literals_from < data.len() {
        item(&mut out, &data[literals_from..], None);
    }
    out
}

/// Returns the same without any match: one run of literals.
pub fn literally(data: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    item(&mut out, data, None);
    out
}

fn item(out: &mut Vec<u8>, literals: &[u8], copy: Option<(usize, usize)>) {
    let (distance, more) = copy.map_or((0, 0), |(distance, length)| (distance, length - MIN_MATCH));
    let token = literals.len().min(7) << 5 | (distance >> 16) << 4 | more.min(15);
    out.push(token.to_le_bytes()[0]);
    if literals.len() >= 7 {
        varint(out, literals.len() - 7);
    }
    out.extend_from_slice(literals);
    if copy.is_some() {
        if more >= 15 {
            varint(out, more - 15);
        }
        out.extend_from_slice(&distance.to_le_bytes()[..2]);
    }
}

/// Seven bits per byte; each byte that is followed by another one counts 128 more.
fn varint(out: &mut Vec<u8>, mut number: usize) {
    while number >= 128 {
        number -= 128;
        out.push(128 + (number & 127).to_le_bytes()[0]);
        number >>= 7;
    }
    out.push(number.to_le_bytes()[0]);
}

const MIN_MATCH: usize = 4;
