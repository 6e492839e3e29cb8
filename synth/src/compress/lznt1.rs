//! LZNT1, [MS-XCA] 2.5: independent chunks of 4096 bytes.

use super::matcher::{Limits, Matcher, Token};
use crate::narrow::u16_of;

/// Compresses `data`; chunks that would not shrink are stored. No end mark follows the last chunk.
pub fn compress(data: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for chunk in data.chunks(CHUNK) {
        let packed = pack(chunk);
        let (flag, body) = if packed.len() < chunk.len() { (COMPRESSED, &packed[..]) } else { (0, chunk) };
        out.extend_from_slice(&(flag | SIGNATURE | u16_of(body.len() - 1)).to_le_bytes());
        out.extend_from_slice(body);
    }
    out
}

fn pack(chunk: &[u8]) -> Vec<u8> {
    let limits = |at| Limits { distance: at, length: (0xffff >> distance_bits(at)) + 3 };
    let tokens = Matcher::new(chunk).tokens(0..chunk.len(), 0, limits);
    let (mut out, mut at) = (Vec::new(), 0);
    for group in tokens.chunks(8) {
        let flags = group.iter().rev().fold(0, |flags, token| flags << 1 | u8::from(is_match(token)));
        out.push(flags);
        for token in group {
            at += write(*token, at, &mut out);
        }
    }
    out
}

fn write(token: Token, at: usize, out: &mut Vec<u8>) -> usize {
    match token {
        Token::Literal(byte) => {
            out.push(byte);
            1
        }
        Token::Match { distance, length } => {
            let word = (distance - 1) << (16 - distance_bits(at)) | (length - 3);
            out.extend_from_slice(&u16_of(word).to_le_bytes());
            length
        }
    }
}

/// Returns how many of the 16 bits of a pair are distance: enough for the whole chunk so far, at least 4.
fn distance_bits(at: usize) -> u32 {
    (4..12).find(|bits| at <= 1 << bits).unwrap_or(12)
}

fn is_match(token: &Token) -> bool {
    matches!(token, Token::Match { .. })
}

const CHUNK: usize = 4096;
const COMPRESSED: u16 = 0x8000;
const SIGNATURE: u16 = 0x3000;
