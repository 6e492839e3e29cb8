//! Compresses by plain LZ77 ([MS-XCA] section 2.3), the compression of `.etl` buffers.
//!
//! A stream is a list of tokens, a literal byte or a match, with a word of 32 flags before each 32 tokens. The
//! decompressor (`etwkit::compress::xpress`) describes the form of a match.
//!
//! [MS-XCA]: https://learn.microsoft.com/openspecs/windows_protocols/ms-xca/

/// The greatest distance of a match.
const WINDOW: usize = 8_192;
/// The shortest match.
const SHORTEST: usize = 3;
/// Bits of the hash of three bytes.
const HASH_BITS: u32 = 13;
/// Earlier places with the same hash that are compared.
const MOST_PLACES: usize = 16;

/// Memory of a compressor.
#[derive(Debug)]
pub(super) struct Compressor {
    /// The last place of each hash, plus 1.
    heads: Vec<u32>,
    /// By place within the window: the place before it with the same hash, plus 1.
    earlier: Vec<u32>,
    out: Vec<u8>,
}

impl Default for Compressor {
    fn default() -> Self {
        Self { heads: vec![0; 1 << HASH_BITS], earlier: vec![0; WINDOW], out: Vec::new() }
    }
}

impl Compressor {
    /// Compresses `input`; `None` if that does not save bytes.
    pub(super) fn compress(&mut self, input: &[u8]) -> Option<&[u8]> {
        self.heads.fill(0);
        self.out.clear();
        let mut tokens = Tokens::new(&mut self.out);
        let mut at = 0;
        while at < input.len() {
            let found = longest(&self.heads, &self.earlier, input, at);
            let taken = if let Some((distance, length)) = found {
                tokens.repeat(distance, length);
                length
            } else {
                tokens.literal(input.get(at).copied().unwrap_or_default());
                1
            };
            for place in at..at + taken {
                note(&mut self.heads, &mut self.earlier, input, place);
            }
            at += taken;
        }
        tokens.end();
        (self.out.len() < input.len()).then_some(&self.out)
    }
}

fn hash(input: &[u8], at: usize) -> Option<usize> {
    let [a, b, c]: [u8; 3] = *input.get(at..)?.first_chunk()?;
    let word = u32::from_le_bytes([a, b, c, 0]);
    Some((word.wrapping_mul(0x9E37_79B1) >> (32 - HASH_BITS)) as usize)
}

/// Enters a place.
fn note(heads: &mut [u32], earlier: &mut [u32], input: &[u8], at: usize) {
    let slots = hash(input, at).and_then(|hash| heads.get_mut(hash)).zip(earlier.get_mut(at % WINDOW));
    if let Some((head, before)) = slots {
        *before = std::mem::replace(head, at as u32 + 1);
    }
}

/// Returns distance and length of the longest match at a place.
fn longest(heads: &[u32], earlier: &[u32], input: &[u8], at: usize) -> Option<(usize, usize)> {
    let rest = input.get(at..)?;
    let mut next = *heads.get(hash(input, at)?)? as usize;
    let mut best = None;
    let mut most = SHORTEST - 1;
    for _ in 0..MOST_PLACES {
        let Some(place) = next.checked_sub(1).filter(|place| at - place <= WINDOW) else { break };
        let length = rest.iter().zip(input.get(place..)?).take_while(|(a, b)| a == b).count();
        if length > most {
            (most, best) = (length, Some((at - place, length)));
        }
        let before = *earlier.get(place % WINDOW)? as usize;
        // A slot that a later place took over leads forwards.
        if before >= next {
            break;
        }
        next = before;
    }
    best
}

/// Writes tokens.
struct Tokens<'o> {
    out: &'o mut Vec<u8>,
    /// Place of the current word of flags.
    flags_at: usize,
    flags: u32,
    used: u32,
    /// Place of a byte whose upper nibble is free.
    nibble_at: Option<usize>,
}

impl<'o> Tokens<'o> {
    fn new(out: &'o mut Vec<u8>) -> Self {
        out.extend([0; 4]);
        Self { out, flags_at: 0, flags: 0, used: 0, nibble_at: None }
    }

    fn literal(&mut self, byte: u8) {
        self.flag(0);
        self.out.push(byte);
    }

    fn repeat(&mut self, distance: usize, length: usize) {
        self.flag(1);
        let code = length - SHORTEST;
        let word = ((distance - 1) << 3) as u16 | code.min(7) as u16;
        self.out.extend(word.to_le_bytes());
        let Some(code) = code.checked_sub(7) else { return };
        self.nibble(code.min(15) as u8);
        let Some(code) = code.checked_sub(15) else { return };
        self.out.push(code.min(255) as u8);
        if code < 255 {
            return;
        }
        let whole = length - SHORTEST;
        if let Ok(short) = u16::try_from(whole) {
            self.out.extend(short.to_le_bytes());
        } else {
            self.out.extend([0; 2]);
            self.out.extend((whole as u32).to_le_bytes());
        }
    }

    fn nibble(&mut self, nibble: u8) {
        if let Some(byte) = self.nibble_at.take().and_then(|at| self.out.get_mut(at)) {
            *byte |= nibble << 4;
        } else {
            self.nibble_at = Some(self.out.len());
            self.out.push(nibble);
        }
    }

    fn flag(&mut self, flag: u32) {
        if self.used == 32 {
            self.put_flags();
            (self.flags_at, self.flags, self.used) = (self.out.len(), 0, 0);
            self.out.extend([0; 4]);
        }
        self.flags = self.flags << 1 | flag;
        self.used += 1;
    }

    fn put_flags(&mut self) {
        // Unused flags are set.
        let flags = (u64::from(self.flags) << 32 | u64::from(u32::MAX)) >> self.used;
        if let Some(place) = self.out.get_mut(self.flags_at..self.flags_at + 4) {
            place.copy_from_slice(&(flags as u32).to_le_bytes());
        }
    }

    fn end(mut self) {
        self.put_flags();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use etwkit::compress::xpress::decompress;
    use proptest::prelude::*;

    fn round(input: &[u8]) -> usize {
        let mut compressor = Compressor::default();
        // Whatever was compressed before has no influence.
        compressor.compress(b"abcabcabcabc");
        let Some(packed) = compressor.compress(input) else { return input.len() };
        let mut output = vec![0; input.len()];
        assert_eq!(decompress(packed, &mut output), Ok(packed.len()));
        assert_eq!(output, input);
        packed.len()
    }

    #[test]
    fn long_matches_of_every_form_come_back() {
        for length in [1, 4, 10, 11, 25, 26, 280, 281, 283, 65_537, 65_538, 65_539, 200_000] {
            assert!(round(&vec![7; length]) <= length);
        }
        assert!(round(&b"0123456789".repeat(1_000)) < 50);
    }

    proptest! {
        #[test]
        fn everything_comes_back(parts in prop::collection::vec((0_u8..6, 1_usize..40), 0..400)) {
            let input: Vec<u8> = parts.iter().flat_map(|(byte, count)| (0..*count).map(move |at| byte * (at % 3) as u8)).collect();
            round(&input);
        }

        #[test]
        fn bytes_at_random_come_back(input in prop::collection::vec(any::<u8>(), 0..20_000)) {
            round(&input);
        }
    }
}
