//! Greedy LZ77 search with hash chains, shared by the three encoders.

use std::ops::Range;

/// A literal byte or a copy of earlier output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    Literal(u8),
    Match { distance: usize, length: usize },
}

/// What an encoder can express.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub(super) distance: usize,
    pub(super) length: usize,
}

/// Finds matches in `data`; earlier positions must be passed to `tokens` in order.
#[derive(Debug)]
pub(super) struct Matcher<'data> {
    data: &'data [u8],
    heads: Vec<usize>,
    previous: Vec<usize>,
}

impl<'data> Matcher<'data> {
    pub(super) fn new(data: &'data [u8]) -> Self {
        Self { data, heads: vec![NONE; 1 << HASH_BITS], previous: vec![NONE; data.len()] }
    }

    /// Tokens for `range`; no match leaves it, and `floor` is the earliest position a match may copy from.
    pub(super) fn tokens(&mut self, range: Range<usize>, floor: usize, limits: impl Fn(usize) -> Limits) -> Vec<Token> {
        let mut tokens = Vec::new();
        let mut at = range.start;
        while at < range.end {
            let token = self.best(at, range.end, floor, limits(at));
            let length = if let Token::Match { length, .. } = token { length } else { 1 };
            tokens.push(token);
            (at..at + length).for_each(|passed| self.insert(passed));
            at += length;
        }
        tokens
    }

    fn best(&self, at: usize, end: usize, floor: usize, limits: Limits) -> Token {
        let longest = limits.length.min(end - at);
        let (mut distance, mut length) = (0, 2);
        let mut candidate = self.hash(at).map_or(NONE, |hash| self.heads[hash]);
        for _ in 0..CHAIN {
            if candidate == NONE || candidate < floor || at - candidate > limits.distance {
                break;
            }
            let common = self.common(candidate, at, longest);
            if common > length {
                (distance, length) = (at - candidate, common);
            }
            candidate = self.previous[candidate];
        }
        if distance == 0 { Token::Literal(self.data[at]) } else { Token::Match { distance, length } }
    }

    fn common(&self, from: usize, at: usize, longest: usize) -> usize {
        let pairs = self.data[from..].iter().zip(&self.data[at..at + longest]);
        pairs.take_while(|(a, b)| a == b).count()
    }

    fn insert(&mut self, at: usize) {
        if let Some(hash) = self.hash(at) {
            self.previous[at] = self.heads[hash];
            self.heads[hash] = at;
        }
    }

    fn hash(&self, at: usize) -> Option<usize> {
        let bytes = self.data.get(at..at + 3)?;
        let key = u32::from(bytes[0]) | u32::from(bytes[1]) << 8 | u32::from(bytes[2]) << 16;
        Some((key.wrapping_mul(0x9e37_79b1) >> (32 - HASH_BITS)) as usize)
    }
}

const NONE: usize = usize::MAX;
const HASH_BITS: u32 = 13;
const CHAIN: usize = 32;
