//! LZ77 with Huffman codes.
//!
//! The format, after [MS-XCA] section 2.2 ("LZ77+Huffman Decompression Algorithm Details"): the
//! output is divided into blocks of 64 KiB; the last one may be shorter. Each block starts with 256 bytes, which
//! contain 512 four-bit code lengths, the even symbol in the lower half of its byte. The
//! codes are canonical: shorter ones first, and among equal lengths the lower symbol first.
//!
//! The codes follow the table. Bits are taken from little-endian `u16` words, most
//! significant first. Symbols below 256 are literals. A symbol above is a match, which repeats earlier output —
//! also that of earlier blocks:
//!
//! * bits 0..4 of `symbol - 256` are the length less three. If they are 15, a byte follows and is
//!   added; if that byte is 255, a `u16` follows which is the length less three by itself; and if
//!   the `u16` is 0, a `u32` follows instead.
//! * bits 4..8 are the number of bits of the distance without its highest, which is always 1. The
//!   other bits follow in the bit stream.
//!
//! Words of bits and bytes of lengths are interleaved in one stream, so it matters how far the bit
//! reader reads ahead: it has always 16 to 31 bits, and takes its next word as soon as it has
//! fewer than 16. A match may reach past the end of its block, which only delays the next table.
//!
//! Symbol 256 ends the stream, but only where the output is complete; elsewhere it is the match it
//! would be by the rules above (length 3, distance 1).
//!
//! A code table may leave bit patterns unused; the decoder fails only when such a pattern occurs.
//!
//! [MS-XCA]: https://learn.microsoft.com/openspecs/windows_protocols/ms-xca/

use super::{Corrupt, copy_match};

/// Decodes the stream at the start of `input` until `output` is full, and returns the number of
/// input bytes it took, with those of an end symbol if there is one.
///
/// # Errors
///
/// [`Corrupt`] if the input ends early, a code table or a code is invalid, or a match reaches
/// beyond either end of the output.
pub fn decompress(input: &[u8], output: &mut [u8]) -> Result<usize, Corrupt> {
    let mut decoder = Decoder { bits: Bits { input, next: 0, word: 0, held: 0, absent: 0 }, written: 0 };
    let mut codes = Codes::EMPTY;
    while decoder.written < output.len() {
        codes = decoder.table()?;
        // Counted from the actual start of the block: a match may have reached past the end of the previous one.
        let end = output.len().min(decoder.written.saturating_add(BLOCK));
        while decoder.written < end {
            decoder.token(&codes, output)?;
        }
    }
    decoder.end_symbol(&codes);
    Ok(decoder.bits.next)
}

/// The input, and how far the output is.
struct Decoder<'a> {
    bits: Bits<'a>,
    written: usize,
}

impl Decoder<'_> {
    /// Reads the code table of a block and starts the bit stream after it.
    fn table(&mut self) -> Result<Codes, Corrupt> {
        let at = self.bits.next;
        let lengths = self.bits.bytes::<TABLE>().ok_or_else(|| self.truncated())?;
        let codes = Codes::new(&lengths).ok_or_else(|| self.corrupt(at, "code table describes too many codes"))?;
        self.bits.start();
        Ok(codes)
    }

    /// Decodes one literal or match.
    fn token(&mut self, codes: &Codes, output: &mut [u8]) -> Result<(), Corrupt> {
        let at = self.bits.next;
        let symbol = self.symbol(codes)?;
        let Some(code) = symbol.checked_sub(END) else {
            if let Some(slot) = output.get_mut(self.written) {
                *slot = symbol.to_le_bytes()[0];
            }
            self.written += 1;
            return Ok(());
        };
        let length = self.length(usize::from(code & 15))?;
        let distance = self.distance(u32::from(code >> 4))?;
        self.written =
            copy_match(output, self.written, distance, length).map_err(|bad| bad.at(at, self.written, output.len()))?;
        Ok(())
    }

    fn symbol(&mut self, codes: &Codes) -> Result<u16, Corrupt> {
        let Some((symbol, length)) = codes.find(self.bits.peek(LONGEST)) else {
            // Made-up zeros may be what makes the code wrong.
            return Err(match self.bits.absent {
                0 => self.corrupt(self.bits.next, "bits that are not a code of the table"),
                _ => self.truncated(),
            });
        };
        self.bits.skip(length);
        if self.bits.overdrawn() { Err(self.truncated()) } else { Ok(symbol) }
    }

    /// Reads what the four bits of the symbol do not state about a match's length.
    fn length(&mut self, code: usize) -> Result<usize, Corrupt> {
        if code < 15 {
            return Ok(code + 3);
        }
        let at = self.bits.next;
        let [byte] = self.bytes()?;
        if byte < 255 {
            return Ok(usize::from(byte) + 15 + 3);
        }
        let short = self.bytes()?;
        let mut code = u32::from(u16::from_le_bytes(short));
        if code == 0 {
            code = u32::from_le_bytes(self.bytes()?);
        }
        // A length of 4 GiB must not wrap where a `usize` has 32 bits.
        match usize::try_from(code).ok().and_then(|code| code.checked_add(3)) {
            Some(length) if code >= 15 => Ok(length),
            _ => Err(self.corrupt(at, "match length in a longer form than it needs")),
        }
    }

    /// Reads bytes among the words of bits. When a word was missing there are no such bytes: one
    /// that is left is half of the word.
    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], Corrupt> {
        let bytes = if self.bits.absent == 0 { self.bits.bytes() } else { None };
        bytes.ok_or_else(|| self.truncated())
    }

    /// Reads a distance which has `count` bits below its highest.
    fn distance(&mut self, count: u32) -> Result<usize, Corrupt> {
        let low = self.bits.peek(count);
        self.bits.skip(count);
        if self.bits.overdrawn() { Err(self.truncated()) } else { Ok(1 << count | low) }
    }

    /// Takes the end symbol, if it is next.
    fn end_symbol(&mut self, codes: &Codes) {
        let before = self.bits.next;
        if self.symbol(codes) != Ok(END) {
            // Without an end symbol, these bytes belong to whatever follows the stream.
            self.bits.next = before;
        }
    }

    #[cold]
    fn truncated(&self) -> Corrupt {
        self.corrupt(self.bits.input.len(), "input ends within a block")
    }

    #[cold]
    fn corrupt(&self, at: usize, what: &'static str) -> Corrupt {
        Corrupt::new(at, self.written, what)
    }
}

/// The input as bits and as bytes.
struct Bits<'a> {
    input: &'a [u8],
    /// Input offset after the last word or byte taken.
    next: usize,
    /// The bits read ahead, from the highest downwards.
    word: u32,
    /// Their number, 16 to 31 between two calls (32 after [`start`](Self::start)).
    held: u32,
    /// How many of them are after the end of the input, and made up as zeros.
    absent: u32,
}

impl Bits<'_> {
    /// Drops the bits read ahead and reads the first ones of a block.
    fn start(&mut self) {
        (self.word, self.held, self.absent) = (0, 0, 0);
        self.refill();
        self.refill();
    }

    /// Returns the next `count` bits, at most 16.
    fn peek(&self, count: u32) -> usize {
        // In two steps, because a `u32` cannot be shifted by 32.
        (self.word >> 1 >> (31 - count)) as usize
    }

    /// Goes on by `count` bits, at most 15.
    fn skip(&mut self, count: u32) {
        self.word <<= count;
        self.held -= count;
        if self.held < 16 {
            self.refill();
        }
    }

    /// Returns whether bits were taken that the input does not have.
    fn overdrawn(&self) -> bool {
        self.absent > self.held
    }

    fn refill(&mut self) {
        let word = self.bytes().map_or_else(
            || {
                self.absent += 16;
                0
            },
            u16::from_le_bytes,
        );
        self.word |= u32::from(word) << (16 - self.held);
        self.held += 16;
    }

    fn bytes<const N: usize>(&mut self) -> Option<[u8; N]> {
        let bytes = self.input.get(self.next..)?.first_chunk()?;
        self.next += N;
        Some(*bytes)
    }
}

/// The codes of a block, arranged for decoding.
struct Codes {
    /// By the next [`QUICK`] bits: `symbol << 4 | length`, or 0 if the code is longer or none.
    quick: [u16; 1 << QUICK],
    /// All symbols that have a code, in the order of the codes.
    symbols: [u16; SYMBOLS],
    /// By length of code.
    lengths: [Length; LONGEST as usize + 1],
}

/// The codes of one length. They are consecutive, in bits and in [`Codes::symbols`].
#[derive(Clone, Copy)]
struct Length {
    /// The first code, and what follows the last one, both followed by zeros up to [`LONGEST`] bits.
    first: usize,
    end: usize,
    /// Index of the first code's symbol.
    symbol: usize,
}

impl Codes {
    const EMPTY: Self = Self {
        quick: [0; 1 << QUICK],
        symbols: [0; SYMBOLS],
        lengths: [Length { first: 0, end: 0, symbol: 0 }; LONGEST as usize + 1],
    };

    /// Arranges the codes of a table. Fails if there is no room for them in [`LONGEST`] bits.
    fn new(table: &[u8; TABLE]) -> Option<Self> {
        let mut codes = Self::EMPTY;
        let (mut code, mut count) = (0, 0);
        for (length, shift) in (1..=LONGEST).zip((0..LONGEST).rev()) {
            let (first, symbol) = (code, count);
            for value in symbols_of(table, length) {
                *codes.symbols.get_mut(count)? = value;
                let entry = value << 4 | u16::try_from(length).ok()?;
                codes.set_quick(code, 1 << shift, entry);
                code += 1 << shift;
                count += 1;
            }
            *codes.lengths.get_mut(length as usize)? = Length { first, end: code, symbol };
        }
        (code <= 1 << LONGEST).then_some(codes)
    }

    /// Sets the entries of a code which covers `span` patterns of [`LONGEST`] bits. A code longer
    /// than [`QUICK`] bits covers no whole entry; too many codes run over the end, to no effect.
    fn set_quick(&mut self, code: usize, span: usize, entry: u16) {
        let first = code >> (LONGEST - QUICK);
        let end = (code + span) >> (LONGEST - QUICK);
        if span >> (LONGEST - QUICK) > 0
            && let Some(slots) = self.quick.get_mut(first..end)
        {
            slots.fill(entry);
        }
    }

    /// Returns the symbol whose code is at the start of the [`LONGEST`] bits, and the code's length.
    fn find(&self, bits: usize) -> Option<(u16, u32)> {
        let entry = *self.quick.get(bits >> (LONGEST - QUICK))?;
        if entry != 0 { Some((entry >> 4, u32::from(entry & 15))) } else { self.find_long(bits) }
    }

    fn find_long(&self, bits: usize) -> Option<(u16, u32)> {
        // Canonical codes rise with their length, so the first length whose codes end above these bits has the code.
        let (length, codes) = (0..).zip(&self.lengths).find(|(_, codes)| bits < codes.end)?;
        let index = codes.symbol + (bits.checked_sub(codes.first)? >> LONGEST.checked_sub(length)?);
        Some((*self.symbols.get(index)?, length))
    }
}

/// Returns the symbols with codes of `length` bits, in rising order.
fn symbols_of(table: &[u8; TABLE], length: u32) -> impl Iterator<Item = u16> {
    let lengths = table.iter().flat_map(|pair| [pair & 15, pair >> 4]);
    (0..).zip(lengths).filter(move |&(_, of)| u32::from(of) == length).map(|(symbol, _)| symbol)
}

/// Output bytes of a block.
const BLOCK: usize = 1 << 16;
/// Number of symbols.
const SYMBOLS: usize = 512;
/// Bytes of a code table.
const TABLE: usize = SYMBOLS / 2;
/// The symbol which ends the stream, and the first one which is a match.
const END: u16 = 256;
/// Bits of the longest code.
const LONGEST: u32 = 15;
/// Bits of the longest code that is found in one step.
const QUICK: u32 = 11;

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a table with the given bytes and zeros elsewhere, and then the data.
    fn stream(table: &[(usize, &[u8])], data: &[u8]) -> Vec<u8> {
        let mut stream = vec![0; TABLE];
        for &(at, bytes) in table {
            stream[at..at + bytes.len()].copy_from_slice(bytes);
        }
        stream.extend(data);
        stream
    }

    #[test]
    fn decodes_literals_only() {
        // The alphabet, an example of [MS-XCA] section 3.2: five bits for a to v, four for w to z
        // and for the end.
        let lengths = [0x50, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x45, 0x44, 0x04];
        let data = [
            0xD8, 0x52, 0x3E, 0xD7, 0x94, 0x11, 0x5B, 0xE9, 0x19, 0x5F, 0xF9, 0xD6, 0x7C, 0xDF, 0x8D, 0x04, 0x00, 0x00,
            0x00, 0x00,
        ];
        let input = stream(&[(48, &lengths), (128, &[0x04])], &data);
        let mut output = [0; 26];
        assert_eq!(decompress(&input, &mut output), Ok(input.len()));
        assert!(output.iter().copied().eq(b'a'..=b'z'));
    }

    #[test]
    fn decodes_a_long_match() {
        // "abc" 100 times, an example of [MS-XCA] section 3.2. Codes: c 00, end 01, match 10 (symbol 287:
        // length code 15, one bit of distance), a 110, b 111.
        let data = [
            0xA8, 0xDC, // 110 111 00 10 1 01 000: a, b, c, match, distance 0b11, end
            0x00, 0x00, // read ahead, unused
            0xFF, 0x26, 0x01, // length 294 + 3
        ];
        let input = stream(&[(48, &[0x30, 0x23]), (128, &[0x02]), (143, &[0x20])], &data);
        let mut output = [0; 300];
        assert_eq!(decompress(&input, &mut output), Ok(input.len()));
        assert_eq!(output[..], b"abc".repeat(100));
    }

    #[test]
    fn takes_an_end_symbol_before_the_end_for_a_match() {
        // Codes: a 0, end 1. Bits: a, end, end.
        let input = stream(&[(48, &[0x10]), (128, &[0x01])], &[0x00, 0x60, 0, 0]);
        let mut output = [0; 4];
        assert_eq!(decompress(&input, &mut output), Ok(input.len()));
        assert_eq!(&output, b"aaaa");
    }

    #[test]
    fn says_where_and_after_how_much_a_stream_breaks() {
        let fails = |input: &[u8], at, produced, what| {
            assert_eq!(decompress(input, &mut [0; 99]), Err(Corrupt::new(at, produced, what)));
        };
        fails(&[0; 255], 255, 0, "input ends within a block");
        // The code of a is 0, and 1 is not a code.
        let one = stream(&[(48, &[0x10])], &[0x00, 0x20, 0x00, 0x00]);
        fails(&one, 260, 2, "bits that are not a code of the table");
        let many = stream(&[(0, &[0x11, 0x01])], &[0; 8]);
        fails(&many, 0, 0, "code table describes too many codes");
        // 32 bits are there, and 32 literals made of them.
        let short = stream(&[(48, &[0x10])], &[0; 4]);
        fails(&short, 260, 32, "input ends within a block");
        // Codes: 256 + 16 * 2 is 0, distance 4 or more.
        let far = stream(&[(144, &[0x01])], &[0; 8]);
        fails(&far, 260, 0, "match distance beyond the start of the output");
    }

    #[test]
    fn finds_codes_of_every_length() {
        // Lengths 1, 2, ... 14, 15, 15 for symbols 0 to 15.
        let mut table = [0; TABLE];
        table[..8].copy_from_slice(&[0x21, 0x43, 0x65, 0x87, 0xA9, 0xCB, 0xED, 0xFF]);
        let codes = Codes::new(&table).unwrap();
        for length in 1..15_u16 {
            let code = 0x7FFF & !(0x7FFF >> (length - 1));
            assert_eq!(codes.find(code), Some((length - 1, u32::from(length))));
            let last = code | 0x7FFF >> length;
            assert_eq!(codes.find(last), Some((length - 1, u32::from(length))));
        }
        assert_eq!(codes.find(0x7FFE), Some((14, 15)));
        assert_eq!(codes.find(0x7FFF), Some((15, 15)));
    }
}
