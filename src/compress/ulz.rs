//! ULZ, the compression of `.btl` files.
//!
//! The format, after the reader of `PerfView` and one real file (section 17): a sequence of items, each a token byte,
//! literal bytes and a match, which repeats earlier output.
//!
//! | token bits | meaning |
//! |---|---|
//! | 5..8 | number of literals that follow; 7 means that a varint is to be added |
//! | 4 | bit 16 of the match's distance |
//! | 0..4 | length of the match less four; 15 means that a varint is to be added |
//!
//! A varint has up to four bytes, each worth 128 times the one before it; a byte of 128 and more is followed by another
//! one and counts as a whole, high bit included. The literals follow the varint of their number; then the varint of the
//! match's length; then the lower 16 bits of the distance, little-endian. The last item ends with its literals.

use super::{Corrupt, copy_match};

/// Decodes the stream at the start of `input` until `output` is full, and returns the number of input bytes it took.
///
/// # Errors
///
/// [`Corrupt`] if the input ends early, or literals or a match reach beyond the output.
pub fn decompress(input: &[u8], output: &mut [u8]) -> Result<usize, Corrupt> {
    let mut stream = Stream { input, at: 0, output, produced: 0 };
    while stream.produced < stream.output.len() {
        let start = stream.at;
        let token = stream.byte()?;
        if token >= 1 << 5 {
            let count = stream.number(token >> 5, 7)?;
            stream.literals(count)?;
            // The last item has literals and no match (section 17).
            if stream.produced == stream.output.len() {
                break;
            }
        }
        let length = stream.number(token & 15, 15)?.saturating_add(MIN_MATCH);
        // 17 bits: the highest one is in the token (section 17).
        let distance = usize::from(token & 16) << 12 | usize::from(stream.byte()?) | usize::from(stream.byte()?) << 8;
        let capacity = stream.output.len();
        stream.produced = copy_match(stream.output, stream.produced, distance, length)
            .map_err(|bad| bad.at(start, stream.produced, capacity))?;
    }
    Ok(stream.at)
}

const MIN_MATCH: usize = 4;
/// Bytes of a length.
const MAX_VARINT: u32 = 4;

struct Stream<'a> {
    input: &'a [u8],
    at: usize,
    output: &'a mut [u8],
    produced: usize,
}

impl Stream<'_> {
    fn byte(&mut self) -> Result<u8, Corrupt> {
        let Some(byte) = self.input.get(self.at) else { return Err(self.ends()) };
        self.at += 1;
        Ok(*byte)
    }

    /// Returns the number in a token's bits; when they are all `full`, a varint is added.
    fn number(&mut self, bits: u8, full: u8) -> Result<usize, Corrupt> {
        let mut number = usize::from(bits);
        if bits == full {
            for place in 0..MAX_VARINT {
                let byte = self.byte()?;
                // The writer does not mask the continuation bit, so the whole byte counts (section 17).
                number += usize::from(byte) << (7 * place);
                if byte < 128 {
                    break;
                }
            }
        }
        Ok(number)
    }

    fn literals(&mut self, count: usize) -> Result<(), Corrupt> {
        let rest = self.input.get(self.at..).unwrap_or_default();
        let room = self.output.get_mut(self.produced..).unwrap_or_default();
        let fits = count.min(rest.len()).min(room.len());
        let literals = room.iter_mut().zip(rest.iter().take(fits));
        literals.for_each(|(to, from)| *to = *from);
        self.produced += fits;
        if fits == count {
            self.at += count;
            return Ok(());
        }
        if fits == rest.len() {
            return Err(self.ends());
        }
        Err(Corrupt::new(self.at, self.produced, "more literals than room in the output"))
    }

    #[cold]
    fn ends(&self) -> Corrupt {
        Corrupt::new(self.input.len(), self.produced, "input ends early")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unpacked(input: &[u8], len: usize) -> Result<Vec<u8>, Corrupt> {
        let mut output = vec![0; len];
        let taken = decompress(input, &mut output)?;
        assert_eq!(taken, input.len());
        Ok(output)
    }

    #[test]
    fn literals_and_matches() {
        assert_eq!(unpacked(b"\x60abc", 3).unwrap(), b"abc");
        // Two literals, then six bytes from two bytes before.
        assert_eq!(unpacked(b"\x42ab\x02\0", 8).unwrap(), b"abababab");
        // A match alone follows.
        assert_eq!(unpacked(b"\x40ab\x02\0\x00\x01\0", 10).unwrap(), b"abababbbbb");
        // 7 + 3 literals, a match of 4 + 15 + 1.
        assert_eq!(unpacked(b"\xEF\x030123456789\x01\x0A\0", 30).unwrap(), b"012345678901234567890123456789");
    }

    #[test]
    fn long_numbers_and_far_matches() {
        let run: Vec<u8> = (0..70_000_u32).map(|n| (n.wrapping_mul(n) >> 7) as u8).collect();
        let varint = |mut number: usize| {
            let mut bytes = Vec::new();
            while number >= 128 {
                number -= 128;
                bytes.push(128 + (number & 127) as u8);
                number >>= 7;
            }
            bytes.push(number as u8);
            bytes
        };
        let far = 69_999_usize;
        let token = 0xE0 | u8::from(far > 0xFFFF) << 4;
        let packed = [&[token], &*varint(70_000 - 7), &run, &far.to_le_bytes()[..2]].concat();
        let output = unpacked(&packed, 70_004).unwrap();
        assert_eq!((&output[..70_000], &output[70_000..]), (&run[..], &run[1..5]));
    }

    #[test]
    fn errors_tell_what_is_good() {
        let error = |input: &[u8], len: usize| unpacked(input, len).unwrap_err();
        let cut = error(b"\x60ab", 3);
        assert_eq!((cut.produced, cut.what), (2, "input ends early"));
        assert_eq!(error(b"\x60abc", 4).produced, 3);
        assert_eq!(error(b"\x60abc", 2).what, "more literals than room in the output");
        assert_eq!(error(b"\x60abc\x04\0", 9).what, "match distance beyond the start of the output");
        let long = error(b"\x6Fabc\xFF\xFF\xFF\xFF\x01\0", 9);
        assert_eq!((long.produced, long.filled), (3, 9));
        assert_eq!(error(b"", 1).produced, 0);
    }
}
