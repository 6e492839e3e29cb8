//! LZNT1, the compression of NTFS.
//!
//! The format, after [MS-XCA] section 2.5 ("LZNT1 Algorithm Details"): the output is divided into
//! independent chunks of 4 KiB; the last one may be shorter. A chunk
//! starts with a little-endian `u16`:
//!
//! | bits | meaning |
//! |---|---|
//! | 0..12 | number of bytes that follow, less one |
//! | 12..15 | signature, always 3 |
//! | 15 | the chunk is compressed; otherwise its bytes are the output |
//!
//! A header of 0 ends the stream; it may be absent.
//!
//! A compressed chunk is a sequence of tokens, each either a literal byte or a match, which repeats earlier output of
//! the chunk. A byte of flags precedes each group of eight tokens, least significant bit first, where 1 is a match. A
//! match is a little-endian `u16`: in its upper bits the distance less one, in its lower bits the length less three.
//! Distances are short while there is little output, so the distance field starts with four bits and grows whenever the
//! chunk's output doubles from 16 bytes on, at the cost of the length.
//!
//! A chunk that gives less than 4 KiB before the output is complete is an error.
//!
//! [MS-XCA]: https://learn.microsoft.com/openspecs/windows_protocols/ms-xca/

use super::{Corrupt, copy_match};

/// Decodes the stream at the start of `input` until `output` is full, and returns the number of
/// input bytes it took, with those of an end marker if there is one.
///
/// # Errors
///
/// [`Corrupt`] if the input ends early, a chunk has no valid header or the wrong size, or a match
/// reaches beyond either end of its chunk.
pub fn decompress(input: &[u8], output: &mut [u8]) -> Result<usize, Corrupt> {
    let mut rest = input;
    let mut produced = 0;
    for piece in output.chunks_mut(CHUNK) {
        let start = input.len() - rest.len();
        rest = chunk(rest, piece).map_err(|corrupt| corrupt.behind(start, produced))?;
        produced += piece.len();
    }
    // The end marker, a chunk header of 0, is optional.
    if let Some((&[0, 0], behind)) = rest.split_first_chunk() {
        rest = behind;
    }
    Ok(input.len() - rest.len())
}

/// Fills `output` from the chunk at the start of `input` and returns the input after the chunk.
fn chunk<'a>(input: &'a [u8], output: &mut [u8]) -> Result<&'a [u8], Corrupt> {
    let truncated = Corrupt::new(input.len(), 0, "input ends within a chunk");
    let (header, body) = input.split_first_chunk().ok_or(truncated)?;
    let header = u16::from_le_bytes(*header);
    if header >> 12 & 7 != SIGNATURE {
        let what = if header == 0 { "stream ends early" } else { "no chunk header" };
        return Err(Corrupt::new(0, 0, what));
    }
    let size = usize::from(header & 0x0FFF) + 1;
    // Of a chunk that is cut off, decode what is there.
    let (body, rest) = body.split_at_checked(size).unwrap_or((body, &[]));
    let produced = if header & COMPRESSED == 0 { stored(body, output) } else { tokens(body, output) };
    let produced = produced.map_err(|corrupt| corrupt.behind(HEADER, 0))?;
    if body.len() < size {
        return Err(Corrupt::new(truncated.at, produced, truncated.what));
    }
    if produced < output.len() {
        return Err(Corrupt::new(HEADER + size, produced, "chunk gives too few bytes"));
    }
    Ok(rest)
}

/// Copies an uncompressed chunk and returns its size.
fn stored(body: &[u8], output: &mut [u8]) -> Result<usize, Corrupt> {
    let count = body.len().min(output.len());
    for (to, from) in output.iter_mut().zip(body) {
        *to = *from;
    }
    if count < body.len() { Err(too_many(count, count)) } else { Ok(count) }
}

/// Decodes a compressed chunk and returns the number of bytes it gives.
fn tokens(body: &[u8], output: &mut [u8]) -> Result<usize, Corrupt> {
    let mut rest = body;
    let mut written = 0;
    while let Some((&flags, behind)) = rest.split_first() {
        rest = behind;
        for bit in 0..8 {
            let at = body.len() - rest.len();
            // The last group of a chunk may have fewer than eight tokens.
            if rest.is_empty() {
                break;
            }
            written = if flags >> bit & 1 == 0 {
                literal(&mut rest, output, written).ok_or(too_many(at, written))?
            } else {
                let truncated = Corrupt::new(at, written, "chunk ends within a match");
                let (distance, length) = match_token(&mut rest, written).ok_or(truncated)?;
                copy_match(output, written, distance, length).map_err(|bad| bad.at(at, written, output.len()))?
            };
        }
    }
    Ok(written)
}

/// Copies a literal and returns the new position, if there is room.
fn literal(rest: &mut &[u8], output: &mut [u8], position: usize) -> Option<usize> {
    let (literal, behind) = rest.split_first()?;
    *output.get_mut(position)? = *literal;
    *rest = behind;
    Some(position + 1)
}

/// Reads the match at `position` of a chunk's output: its distance and its length.
fn match_token(rest: &mut &[u8], position: usize) -> Option<(usize, usize)> {
    let (token, behind) = rest.split_first_chunk()?;
    *rest = behind;
    let token = usize::from(u16::from_le_bytes(*token));
    // A distance cannot exceed the output so far. The bits that it does not need extend the length.
    let highest = position.saturating_sub(1).checked_ilog2().unwrap_or(0);
    let length_bits = 15 - highest.clamp(3, 11);
    let length = token & ((1 << length_bits) - 1);
    Some(((token >> length_bits) + 1, length + 3))
}

#[cold]
fn too_many(at: usize, produced: usize) -> Corrupt {
    Corrupt::new(at, produced, "chunk gives too many bytes")
}

impl Corrupt {
    /// Returns the same error in a stream that has `input` and `output` more bytes before.
    fn behind(self, input: usize, output: usize) -> Self {
        Self { at: self.at + input, produced: self.produced + output, filled: self.filled + output, ..self }
    }
}

/// Output bytes of a chunk.
const CHUNK: usize = 4096;
/// Bytes of a chunk's header.
const HEADER: usize = 2;
/// The value of bits 12..15 of a header.
const SIGNATURE: u16 = 3;
/// The header's flag of a compressed chunk.
const COMPRESSED: u16 = 0x8000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_a_melody() {
        // The example of [MS-XCA] section 3.3.
        let input = [
            0x38, 0xB0, // compressed chunk, 0x39 bytes
            0x88, // literals and, with bits 3 and 7, matches
            b'F', b'#', b' ', 0x00, 0x20, // position 3: four bits, distance 3, length 3
            b'G', b' ', b'A', 0x00, 0x10, // position 9: distance 2, length 3
            0xA2, 0x47, 0x01, 0xA0, 0x45, 0x20, 0x44, 0x00, 0x08, 0x45, 0x01, 0x50, 0x79, 0x00, 0xC0, 0x45, 0x20, 0x05,
            0x24, 0x13, 0x88, 0x05, 0xB4, 0x02, 0x4A, 0x44, 0xEF, 0x03, 0x58, 0x02, 0x8C, 0x09, 0x16, 0x01, 0x48, 0x45,
            0x00, 0xBE, 0x00, 0x9E, 0x00, 0x04, 0x01, 0x18, 0x90, 0x00,
        ];
        let melody = b"F# F# G A A G F# E D D E F# F# E E F# F# G A A G F# E D D E F# E D D E E F# D E \
            F# G F# D E F# G F# E D E A F# F# G A A G F# E D D E F# E D D\0";
        let mut output = vec![0; melody.len()];
        assert_eq!(decompress(&input, &mut output), Ok(input.len()));
        assert_eq!(output, melody);
    }

    #[test]
    fn splits_a_match_by_its_position() {
        for (position, bits) in [
            (1, 4),
            (16, 4),
            (17, 5),
            (32, 5),
            (33, 6),
            (64, 6),
            (65, 7),
            (128, 7),
            (129, 8),
            (256, 8),
            (257, 9),
            (512, 9),
            (513, 10),
            (1024, 10),
            (1025, 11),
            (2048, 11),
            (2049, 12),
            (4095, 12),
        ] {
            let distance = 1 << bits;
            let length = (1 << (16 - bits)) + 2;
            assert_eq!(match_token(&mut &[0xFF, 0xFF][..], position), Some((distance, length)));
        }
    }

    #[test]
    fn takes_the_end_marker_but_nothing_behind() {
        let input = [0x01, 0x30, b'o', b'k', 0, 0, 7, 7];
        let mut output = [0; 2];
        assert_eq!(decompress(&input, &mut output), Ok(6));
        assert_eq!(&output, b"ok");
        assert_eq!(decompress(&input[..5], &mut output), Ok(4));
    }

    #[test]
    fn says_where_and_after_how_much_a_stream_breaks() {
        let fails = |input: &[u8], at, produced, what| {
            assert_eq!(decompress(input, &mut [0; 5]), Err(Corrupt::new(at, produced, what)));
        };
        fails(&[], 0, 0, "input ends within a chunk");
        fails(&[0, 0, 1], 0, 0, "stream ends early");
        fails(&[0, 0x40, 1], 0, 0, "no chunk header");
        fails(&[1, 0x30, b'o', b'k'], 4, 2, "chunk gives too few bytes");
        fails(&[4, 0x30, b'o', b'k'], 4, 2, "input ends within a chunk");
        fails(&[4, 0xB0, 0, b'o', b'k'], 5, 2, "input ends within a chunk");
        fails(&[6, 0x30, 1, 2, 3, 4, 5, 6, 7], 7, 5, "chunk gives too many bytes");
        fails(&[6, 0xB0, 0, 1, 2, 3, 4, 5, 6], 8, 5, "chunk gives too many bytes");
        fails(&[2, 0xB0, 2, b'o', 0], 4, 1, "chunk ends within a match");
        fails(&[3, 0xB0, 1, 0, 0, 1], 3, 0, "match distance beyond the start of the output");
        let what = "match longer than the rest of the output";
        let long = decompress(&[3, 0xB0, 2, b'o', 2, 0], &mut [0; 5]);
        assert_eq!(long, Err(Corrupt { filled: 5, ..Corrupt::new(4, 1, what) }));
    }
}
