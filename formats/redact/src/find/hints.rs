//! Pairs of characters that every match of a pattern has, looked for in one pass.
//!
//! Most bytes of a trace are numbers. A pair of them that a pattern needs is rare, so that few regions are searched by
//! the pattern itself.

/// The patterns that a text may match.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hints(u16);

/// A pattern, as a bit of [`Hints`].
#[derive(Clone, Copy, Debug)]
pub(super) enum Hint {
    Mail,
    Ipv4,
    Ipv6,
    Mac,
    Sid,
    Share,
    Password,
    Folder,
    Url,
    MadeUp,
    Collector,
    Pair,
    Option,
}

/// Kinds of characters; all others are [`OTHER`].
const OTHER: usize = 0;
const DIGIT: usize = 1;
/// `a` to `f` without `e`.
const HEX: usize = 2;
const E: usize = 3;
const S: usize = 4;
/// `n`, `p` and `t`, which end the first words of names that Windows makes up.
const NPT: usize = 5;
const LETTER: usize = 6;
const DOT: usize = 7;
const COLON: usize = 8;
const MINUS: usize = 9;
const BACKSLASH: usize = 10;
const SLASH: usize = 11;
const PERCENT: usize = 12;
const AT: usize = 13;
const EQUALS: usize = 14;
/// Quotes, white space, `_` and `+`.
const BESIDE: usize = 15;

const WORD: [usize; 6] = [DIGIT, HEX, E, S, NPT, LETTER];
const HEX_DIGIT: [usize; 3] = [DIGIT, HEX, E];

/// The kind of each byte.
#[expect(clippy::indexing_slicing, reason = "at compile time")]
const KINDS: [u8; 256] = {
    let mut kinds = [OTHER as u8; 256];
    let mut byte = 0;
    while byte < kinds.len() {
        kinds[byte] = kind(byte as u8) as u8;
        byte += 1;
    }
    kinds
};

const fn kind(byte: u8) -> usize {
    match byte.to_ascii_lowercase() {
        b'0'..=b'9' => DIGIT,
        b'e' => E,
        b'a'..=b'd' | b'f' => HEX,
        b's' => S,
        b'n' | b'p' | b't' => NPT,
        b'g'..=b'm' | b'o' | b'q' | b'r' | b'u'..=b'z' => LETTER,
        b'.' => DOT,
        b':' => COLON,
        b'-' => MINUS,
        b'\\' => BACKSLASH,
        b'/' => SLASH,
        b'%' => PERCENT,
        b'@' => AT,
        b'=' => EQUALS,
        b'"' | b'\'' | b' ' | 9..=13 | b'_' | b'+' => BESIDE,
        _ => OTHER,
    }
}

/// For a kind and the one after it, by `16 * first + second`: the patterns that need such a pair.
const PAIRS: [u16; 256] = {
    let mut pairs = [0; 256];
    allow(&mut pairs, &WORD, &[AT], Hint::Mail);
    allow(&mut pairs, &[DOT, MINUS, PERCENT, BESIDE], &[AT], Hint::Mail);
    allow(&mut pairs, &[DIGIT], &[DOT], Hint::Ipv4);
    allow(&mut pairs, &HEX_DIGIT, &[COLON], Hint::Ipv6);
    allow(&mut pairs, &[COLON], &[COLON], Hint::Ipv6);
    allow(&mut pairs, &HEX_DIGIT, &[COLON, MINUS], Hint::Mac);
    allow(&mut pairs, &[S], &[MINUS], Hint::Sid);
    allow(&mut pairs, &[BACKSLASH], &[BACKSLASH], Hint::Share);
    // The ends of the words of the pattern, and what may be between them and the sign.
    allow(&mut pairs, &WORD, &[COLON, EQUALS], Hint::Password);
    allow(&mut pairs, &[BESIDE], &[COLON, EQUALS], Hint::Password);
    allow(&mut pairs, &[S, E], &[BACKSLASH, SLASH, PERCENT], Hint::Folder);
    allow(&mut pairs, &[SLASH], &[SLASH], Hint::Url);
    allow(&mut pairs, &[NPT], &[MINUS], Hint::MadeUp);
    allow(&mut pairs, &[DIGIT], &[MINUS], Hint::Collector);
    allow(&mut pairs, &WORD, &[BACKSLASH], Hint::Pair);
    allow(&mut pairs, &[DOT, MINUS], &[BACKSLASH], Hint::Pair);
    // All but letters, digits and their like: the first dash of an option is in no word.
    allow(&mut pairs, &[OTHER, DOT, COLON, BACKSLASH, SLASH, PERCENT, AT, EQUALS, BESIDE], &[MINUS], Hint::Option);
    pairs
};

#[expect(clippy::indexing_slicing, reason = "at compile time")]
const fn allow(pairs: &mut [u16; 256], firsts: &[usize], seconds: &[usize], hint: Hint) {
    let mut first = 0;
    while first < firsts.len() {
        let mut second = 0;
        while second < seconds.len() {
            pairs[16 * firsts[first] + seconds[second]] |= 1 << hint as u16;
            second += 1;
        }
        first += 1;
    }
}

impl Hints {
    /// Returns hints at no pattern.
    pub(super) const fn none() -> Self {
        Self(0)
    }

    /// Looks at all pairs of a text.
    pub(super) fn of(text: &[u8]) -> Self {
        let (mut hints, mut before) = (0, OTHER as u8);
        for byte in text {
            let kind = KINDS.get(usize::from(*byte)).copied().unwrap_or_default();
            hints |= PAIRS.get(usize::from(before << 4 | kind)).copied().unwrap_or_default();
            before = kind;
        }
        Self(hints)
    }

    /// Returns whether the text may match a pattern.
    pub(super) const fn has(self, hint: Hint) -> bool {
        self.0 >> hint as u16 & 1 == 1
    }

    /// Returns the hint at every pattern.
    #[cfg(test)]
    pub(super) const fn all() -> Self {
        Self(u16::MAX)
    }
}
