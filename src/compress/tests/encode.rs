//! Encoders which take tokens as they come, so that the streams have all forms, also silly ones.

/// A literal, or a match of `length` from `distance` bytes back.
#[derive(Debug, Clone, Copy)]
pub(super) enum Token {
    Literal(u8),
    Match { distance: usize, length: usize },
}
use Token::{Literal, Match};

/// Returns the output of the tokens, byte by byte.
pub(super) fn expand(tokens: &[Token]) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::new();
    for &token in tokens {
        match token {
            Literal(byte) => out.push(byte),
            Match { distance, length } => {
                (0..length).for_each(|_| out.push(out[out.len() - distance]));
            }
        }
    }
    out
}

pub(super) fn xpress(tokens: &[Token]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut nibble_at = None;
    for group in tokens.chunks(32) {
        let flags = group.iter().fold(0_u32, |flags, token| flags << 1 | u32::from(matches!(token, Match { .. })));
        let spare = 32 - group.len();
        let flags = u64::from(flags) << spare | ((1 << spare) - 1);
        out.extend(&flags.to_le_bytes()[..4]);
        for &token in group {
            match token {
                Literal(byte) => out.push(byte),
                Match { distance, length } => {
                    xpress_match(&mut out, &mut nibble_at, distance, length - 3);
                }
            }
        }
    }
    out
}

fn xpress_match(out: &mut Vec<u8>, nibble_at: &mut Option<usize>, distance: usize, code: usize) {
    let token = u16::try_from((distance - 1) << 3 | code.min(7)).unwrap();
    out.extend(token.to_le_bytes());
    if code < 7 {
        return;
    }
    let nibble = u8::try_from((code - 7).min(15)).unwrap();
    if let Some(at) = nibble_at.take() {
        out[at] |= nibble << 4;
    } else {
        *nibble_at = Some(out.len());
        out.push(nibble);
    }
    if code >= 22 {
        long(out, code, 22);
    }
}

fn long(out: &mut Vec<u8>, code: usize, base: usize) {
    if let Ok(byte @ 0..=254) = u8::try_from(code - base) {
        out.push(byte);
    } else if let Ok(code) = u16::try_from(code) {
        out.push(255);
        out.extend(code.to_le_bytes());
    } else {
        out.extend([255, 0, 0]);
        out.extend(u32::try_from(code).unwrap().to_le_bytes());
    }
}

/// The words of bits of a block, and their places among the bytes.
struct Bits {
    out: Vec<u8>,
    places: [usize; 2],
    word: u64,
    held: u32,
}

impl Bits {
    fn start(&mut self) {
        let at = self.out.len();
        self.out.extend([0; 4]);
        (self.places, self.word, self.held) = ([at, at + 2], 0, 0);
    }

    fn put(&mut self, value: usize, count: u32) {
        self.word = self.word << count | value as u64;
        self.held += count;
        if self.held > 16 {
            self.held -= 16;
            self.flush(self.word >> self.held);
            self.places = [self.places[1], self.out.len()];
            self.out.extend([0; 2]);
            self.word &= (1 << self.held) - 1;
        }
    }

    fn flush(&mut self, word: u64) {
        let at = self.places[0];
        self.out[at..at + 2].copy_from_slice(&word.to_le_bytes()[..2]);
    }
}

/// `lengths` must be a complete code of 512 symbols; it is used for all blocks.
pub(super) fn huffman(tokens: &[Token], lengths: &[u32], with_end: bool) -> Vec<u8> {
    let codes = canonical(lengths);
    let mut bits = Bits { out: Vec::new(), places: [0; 2], word: 0, held: 0 };
    let mut room = 0;
    for &token in tokens {
        if room <= 0 {
            if !bits.out.is_empty() {
                bits.flush(bits.word << (16 - bits.held));
            }
            bits.out.extend(lengths.chunks(2).map(|pair| u8::try_from(pair[0] | pair[1] << 4).unwrap()));
            bits.start();
            room = 65_536;
        }
        match token {
            Literal(byte) => {
                bits.put(codes[usize::from(byte)], lengths[usize::from(byte)]);
                room -= 1;
            }
            Match { distance, length } => {
                let (code, log) = (length - 3, distance.ilog2());
                let symbol = 256 + 16 * log as usize + code.min(15);
                bits.put(codes[symbol], lengths[symbol]);
                if code >= 15 {
                    long(&mut bits.out, code, 15);
                }
                bits.put(distance - (1 << log), log);
                room -= i64::try_from(length).unwrap();
            }
        }
    }
    if with_end && !bits.out.is_empty() {
        bits.put(codes[256], lengths[256]);
    }
    bits.flush(bits.word << (16 - bits.held));
    bits.out
}

fn canonical(lengths: &[u32]) -> Vec<usize> {
    let mut codes = vec![0; lengths.len()];
    let mut next = 0;
    for length in 1..=15 {
        next <<= 1;
        for symbol in (0..lengths.len()).filter(|&symbol| lengths[symbol] == length) {
            codes[symbol] = next;
            next += 1;
        }
    }
    assert_eq!(next, 1 << 15, "complete code");
    codes
}

/// One chunk; matches must fit, see [`lznt1_limits`].
pub(super) fn lznt1_chunk(tokens: &[Token]) -> Vec<u8> {
    let mut body = Vec::new();
    let mut position = 0;
    for group in tokens.chunks(8) {
        let flags_at = body.len();
        body.push(0);
        for (bit, &token) in group.iter().enumerate() {
            match token {
                Literal(byte) => {
                    body.push(byte);
                    position += 1;
                }
                Match { distance, length } => {
                    body[flags_at] |= 1 << bit;
                    let shift = (lznt1_limits(position).1 - 2).ilog2();
                    let token = (distance - 1) << shift | (length - 3);
                    body.extend(u16::try_from(token).unwrap().to_le_bytes());
                    position += length;
                }
            }
        }
    }
    let header = 0xB000 | u16::try_from(body.len() - 1).unwrap();
    [&header.to_le_bytes()[..], &body].concat()
}

/// Returns the greatest distance and length of a match at a position of a chunk.
pub(super) fn lznt1_limits(position: usize) -> (usize, usize) {
    let mut bits = 4;
    while 1 << bits < position {
        bits += 1;
    }
    (position, (1 << (16 - bits)) + 2)
}
