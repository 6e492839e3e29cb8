//! Plain LZ77 (LZXPRESS), [MS-XCA] 2.3: the compression of `.etl` buffers (section 2.5).

use super::matcher::{Limits, Matcher, Token};
use crate::narrow::patch;

/// Compresses `data`. Unused bits of the last flag word are 1; a flag word without any item is not written.
pub fn compress(data: &[u8]) -> Vec<u8> {
    let mut writer = Writer::default();
    for token in Matcher::new(data).tokens(0..data.len(), 0, |_| Limits { distance: 8192, length: 1 << 20 }) {
        writer.token(token);
    }
    writer.finish()
}

#[derive(Debug, Default)]
struct Writer {
    out: Vec<u8>,
    flags: u32,
    flag_count: u32,
    flags_at: usize,
    half_byte_at: Option<usize>,
}

impl Writer {
    fn token(&mut self, token: Token) {
        if self.flag_count == 0 {
            self.flags_at = self.out.len();
            self.out.extend_from_slice(&[0; 4]);
        }
        self.flags = self.flags << 1 | u32::from(token_is_match(token));
        self.flag_count += 1;
        match token {
            Token::Literal(byte) => self.out.push(byte),
            Token::Match { distance, length } => self.copy(distance, length),
        }
        if self.flag_count == 32 {
            self.write_flags();
        }
    }

    fn write_flags(&mut self) {
        patch(&mut self.out, self.flags_at, &self.flags.to_le_bytes());
        (self.flags, self.flag_count) = (0, 0);
    }

    fn copy(&mut self, distance: usize, length: usize) {
        let rest = length - 3;
        self.word((distance - 1) << 3 | rest.min(7));
        if rest >= 7 {
            self.half_byte((rest - 7).min(15));
        }
        if rest >= 7 + 15 {
            self.long_length(rest);
        }
    }

    fn half_byte(&mut self, value: usize) {
        let nibble = value.to_le_bytes()[0];
        if let Some(at) = self.half_byte_at.take() {
            self.out[at] |= nibble << 4;
        } else {
            self.half_byte_at = Some(self.out.len());
            self.out.push(nibble);
        }
    }

    fn long_length(&mut self, rest: usize) {
        if rest - 22 < 255 {
            self.out.push((rest - 22).to_le_bytes()[0]);
            return;
        }
        self.out.push(255);
        if rest < 1 << 16 {
            self.word(rest);
        } else {
            self.word(0);
            self.out.extend_from_slice(&rest.to_le_bytes()[..4]);
        }
    }

    fn word(&mut self, value: usize) {
        self.out.extend_from_slice(&value.to_le_bytes()[..2]);
    }

    fn finish(mut self) -> Vec<u8> {
        if self.flag_count > 0 {
            let unused = 32 - self.flag_count;
            self.flags = self.flags << unused | ((1 << unused) - 1);
            self.write_flags();
        }
        self.out
    }
}

fn token_is_match(token: Token) -> bool {
    matches!(token, Token::Match { .. })
}

#[cfg(test)]
mod tests {
    use super::compress;

    #[test]
    fn the_example_of_the_specification() {
        // [MS-XCA] 3.1: 26 letters stay literal after one flag word whose 6 unused bits are 1.
        let alphabet = b"abcdefghijklmnopqrstuvwxyz";
        let mut expected = vec![0x3f, 0, 0, 0];
        expected.extend_from_slice(alphabet);
        assert_eq!(compress(alphabet), expected);
        // [MS-XCA] 3.1: "abc" 100 times.
        let repeated = b"abc".repeat(100);
        assert_eq!(compress(&repeated), [0xff, 0xff, 0xff, 0x1f, 0x61, 0x62, 0x63, 0x17, 0x00, 0x0f, 0xff, 0x26, 0x01]);
    }
}
