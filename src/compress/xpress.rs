//! Plain LZ77, the compression of real `.etl` buffers.
//!
//! The format, after [MS-XCA] section 2.4 ("Plain LZ77 Decompression Algorithm Details"): a stream
//! of tokens, each either one literal byte or a match, which repeats earlier output. Whether a
//! token is a literal (0) or a match (1) is indicated by a *flag*; 32 flags are gathered in a
//! little-endian `u32` that precedes the first of its tokens, most significant bit first.
//!
//! A match is a little-endian `u16`: the upper 13 bits are the distance less one, the lower three
//! the length less three. Length codes which do not fit grow in steps:
//!
//! 1. 7 in the `u16`: a nibble follows and is added. Two nibbles share one byte; the byte is
//!    where the first is needed, and the second waits for the next match that wants a nibble.
//! 2. 15 in the nibble: a byte follows and is added.
//! 3. 255 in the byte: a `u16` follows which *is* the length less three, not an addition.
//! 4. 0 in that `u16`: a `u32` follows instead.
//!
//! Nothing marks the end. The decoder stops when the output is full; encoders of Windows sometimes
//! leave an unused flag word `FF FF FF FF` after it, which is not consumed here.
//!
//! # How it is made fast
//!
//! There are two loops over the same `State`. `careful` is the format in plain words and decides
//! everything. The one in `fast` goes before it and takes tokens while the input and the output have
//! so much room left that it can copy whole blocks where fewer bytes are wanted; what is too much is
//! overwritten by the next token. What it does not like — the tail, damage, a match across the end —
//! it leaves untouched to `careful`, so it needs no errors of its own, and cannot panic since every
//! access is a `get`.
//!
//! [MS-XCA]: https://learn.microsoft.com/openspecs/windows_protocols/ms-xca/

mod fast;
mod state;
mod window;

use super::{Corrupt, copy_match};
use state::{NIBBLE, NO_FLAGS, State, with_end};

/// Decodes the stream at the start of `input` until `output` is full, and returns the number of
/// input bytes it took.
///
/// # Errors
///
/// [`Corrupt`] if the input ends early, or a match reaches beyond either end of the output.
pub fn decompress(input: &[u8], output: &mut [u8]) -> Result<usize, Corrupt> {
    let mut state = State::START;
    while state.written < output.len() {
        fast::tokens(&mut state, input, output);
        careful(&mut state, input, output)?;
    }
    Ok(state.read)
}

/// Does the same as [`decompress`], without the fast loop.
#[cfg(test)]
pub(super) fn decompress_spec(input: &[u8], output: &mut [u8]) -> Result<usize, Corrupt> {
    let mut state = State::START;
    while state.written < output.len() {
        careful(&mut state, input, output)?;
    }
    Ok(state.read)
}

/// Decodes up to and with the next match, every step checked. A function of its own, so that its constants take no
/// registers from the fast loop.
#[inline(never)]
fn careful(state: &mut State, input: &[u8], output: &mut [u8]) -> Result<(), Corrupt> {
    while state.written < output.len() {
        if state.flags == NO_FLAGS {
            state.flags = with_end(u32::from_le_bytes(take(state, input)?));
        }
        let is_match = state.flags >> 63 == 1;
        state.flags <<= 1;
        if is_match {
            let at = state.read;
            let (distance, length) = match_token(state, input)?;
            state.written = copy_match(output, state.written, distance, length)
                .map_err(|bad| bad.at(at, state.written, output.len()))?;
            break;
        }
        let [literal] = take(state, input)?;
        if let Some(slot) = output.get_mut(state.written) {
            *slot = literal;
        }
        state.written += 1;
    }
    Ok(())
}

/// Reads a match: its distance and its length.
fn match_token(state: &mut State, input: &[u8]) -> Result<(usize, usize), Corrupt> {
    let token = usize::from(u16::from_le_bytes(take(state, input)?));
    let distance = (token >> 3) + 1;
    let mut code = token & 7;
    if code == 7 {
        let nibble = if state.nibble == 0 {
            let [byte] = take(state, input)?;
            state.nibble = usize::from(byte) >> 4 | NIBBLE;
            usize::from(byte) & 15
        } else {
            std::mem::take(&mut state.nibble) & 15
        };
        code += nibble;
        if nibble == 15 {
            code = long_code(state, input)?;
        }
    }
    Ok((distance, code + 3))
}

/// Reads the rest of a length code whose nibble was 15.
fn long_code(state: &mut State, input: &[u8]) -> Result<usize, Corrupt> {
    let at = state.read;
    let [byte] = take(state, input)?;
    if byte < 255 {
        return Ok(usize::from(byte) + SHORT_CODES);
    }
    let mut code = u32::from(u16::from_le_bytes(take(state, input)?));
    if code == 0 {
        code = u32::from_le_bytes(take(state, input)?);
    }
    // A length of 4 GiB must not wrap where a `usize` has 32 bits.
    match usize::try_from(code) {
        Ok(code) if (SHORT_CODES..usize::MAX - 3).contains(&code) => Ok(code),
        _ => Err(corrupt(at, state, "match length in a longer form than it needs")),
    }
}

/// Takes the next `N` input bytes.
fn take<const N: usize>(state: &mut State, input: &[u8]) -> Result<[u8; N], Corrupt> {
    let bytes = input.get(state.read..).and_then(<[u8]>::first_chunk);
    let bytes = bytes.ok_or_else(|| corrupt(input.len(), state, "input ends within a token"))?;
    state.read += N;
    Ok(*bytes)
}

#[cold]
fn corrupt(at: usize, state: &State, what: &'static str) -> Corrupt {
    Corrupt::new(at, state.written, what)
}

/// Length codes below this one never need the `u16` form: 7 + 15.
const SHORT_CODES: usize = 22;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_literals_only() {
        // The alphabet, an example of [MS-XCA] section 3.1.
        let mut input = vec![0x3F, 0x00, 0x00, 0x00]; // 26 flags for literals, 6 unused
        input.extend(b'a'..=b'z');
        let mut output = [0; 26];
        assert_eq!(decompress(&input, &mut output), Ok(30));
        assert!(output.iter().copied().eq(b'a'..=b'z'));
    }

    #[test]
    fn decodes_a_long_match() {
        // "abc" 100 times, an example of [MS-XCA] section 3.1.
        let input = [
            0xFF, 0xFF, 0xFF, 0x1F, // flags: three literals, a match, the rest unused
            b'a', b'b', b'c', //
            0x17, 0x00, // distance (0x17 >> 3) + 1 = 3, length code 7
            0x0F, // lower nibble 15; the upper one is never wanted
            0xFF, // so a u16 follows
            0x26, 0x01, // 294 + 3 = 297
        ];
        let mut output = [0; 300];
        assert_eq!(decompress(&input, &mut output), Ok(input.len()));
        assert_eq!(output[..], b"abc".repeat(100));
    }

    #[test]
    fn shares_a_byte_between_two_nibbles() {
        let input = [
            0xFF, 0xFF, 0xFF, 0x6F, // flags: literal, match, match, literal, match, unused ones
            b'x', //
            0x07, 0x00, // distance 1, length code 7
            0x21, // lower nibble: length 7 + 1 + 3 = 11
            0x07, 0x00, // upper nibble: length 7 + 2 + 3 = 12
            b'y', //
            0x08, 0x00, // distance 2, length 3
            0xFF, 0xFF, 0xFF, 0xFF, // not part of the stream
        ];
        let mut output = [0; 1 + 11 + 12 + 1 + 3];
        assert_eq!(decompress(&input, &mut output), Ok(13));
        assert_eq!(&output, b"xxxxxxxxxxxxxxxxxxxxxxxxyxyx");
    }

    #[test]
    fn decodes_a_length_of_four_bytes() {
        let input = [
            0xFF, 0xFF, 0xFF, 0x7F, // flags: literal, match
            b'x', //
            0x07, 0x00, 0x0F, 0xFF, 0x00, 0x00, // distance 1, all smaller forms full, u16 of 0
            0x00, 0x00, 0x02, 0x00, // 131072
        ];
        let mut output = vec![0; 1 + 131_072 + 3];
        assert_eq!(decompress(&input, &mut output), Ok(input.len()));
        assert!(output.iter().all(|&byte| byte == b'x'));
    }

    #[test]
    fn says_where_and_after_how_much_a_stream_breaks() {
        let far = [0xFF, 0xFF, 0xFF, 0x7F, b'x', 0x08, 0x00];
        let what = "match distance beyond the start of the output";
        assert_eq!(decompress(&far, &mut [0; 9]), Err(Corrupt::new(5, 1, what)));
        let what = "input ends within a token";
        assert_eq!(decompress(&far[..6], &mut [0; 9]), Err(Corrupt::new(6, 1, what)));
        let long = [0xFF, 0xFF, 0xFF, 0x7F, b'x', 0x06, 0x00];
        let what = "match longer than the rest of the output";
        let mut output = [0; 9];
        assert_eq!(decompress(&long, &mut output), Err(Corrupt { filled: 9, ..Corrupt::new(5, 1, what) }));
        assert_eq!(&output, b"xxxxxxxxx");
        let short = [0xFF, 0xFF, 0xFF, 0x7F, b'x', 0x07, 0x00, 0x0F, 0xFF, 21, 0];
        let what = "match length in a longer form than it needs";
        assert_eq!(decompress(&short, &mut [0; 99]), Err(Corrupt::new(8, 1, what)));
    }

    #[test]
    fn takes_nothing_for_an_empty_output() {
        assert_eq!(decompress(&[1, 2, 3], &mut []), Ok(0));
    }
}
