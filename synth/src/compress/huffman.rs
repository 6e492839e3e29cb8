//! LZ77 with Huffman coding (XPRESS-Huffman), [MS-XCA] 2.1.

use super::matcher::{Limits, Matcher, Token};
use crate::narrow::patch;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Compresses `data` in blocks of 64 KiB, each with its own code table of 256 bytes.
pub fn compress(data: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut matcher = Matcher::new(data);
    let mut start = 0;
    while start < data.len() {
        let end = data.len().min(start + BLOCK);
        let tokens = matcher.tokens(start..end, 0, |_| Limits { distance: 65535, length: 1 << 16 });
        block(&tokens, end == data.len(), &mut out);
        start = end;
    }
    out
}

fn block(tokens: &[Token], last: bool, out: &mut Vec<u8>) {
    let mut counts = [0u64; SYMBOLS];
    for &token in tokens {
        counts[Symbol::of(token).value] += 1;
    }
    // The end mark; in inner blocks it only keeps the code from having a single symbol.
    counts[END] += 1;
    if counts.iter().filter(|&&count| count > 0).count() < 2 {
        counts[0] += 1;
    }
    let lengths = code_lengths(&counts);
    out.extend(lengths.chunks_exact(2).map(|pair| pair[0] | pair[1] << 4));
    let codes = canonical_codes(&lengths);
    let mut bits = BitWriter::new(out);
    for &token in tokens {
        bits.symbol(&codes, &lengths, &Symbol::of(token));
    }
    if last {
        bits.write(u32::from(lengths[END]), codes[END]);
    }
    bits.finish();
}

/// A Huffman symbol and what follows it in the stream.
struct Symbol {
    value: usize,
    length_rest: Option<usize>,
    distance_bits: u32,
    distance_rest: u32,
}

impl Symbol {
    fn of(token: Token) -> Self {
        match token {
            Token::Literal(byte) => {
                Self { value: usize::from(byte), length_rest: None, distance_bits: 0, distance_rest: 0 }
            }
            Token::Match { distance, length } => Self::of_match(distance, length - 3),
        }
    }

    fn of_match(distance: usize, rest: usize) -> Self {
        let distance_bits = distance.ilog2();
        Self {
            value: 256 + rest.min(15) + 16 * distance_bits as usize,
            length_rest: (rest >= 15).then_some(rest),
            distance_bits,
            distance_rest: crate::narrow::u32_of(distance - (1 << distance_bits)),
        }
    }
}

/// Lengths of at most 15 bits. Where the tree is too deep the counts are flattened and it is built again.
fn code_lengths(counts: &[u64; SYMBOLS]) -> Vec<u8> {
    let mut counts = counts.to_vec();
    loop {
        let lengths = tree_depths(&counts);
        if lengths.iter().all(|&length| length <= 15) {
            return lengths;
        }
        counts.iter_mut().filter(|count| **count > 0).for_each(|count| *count = *count / 2 + 1);
    }
}

fn tree_depths(counts: &[u64]) -> Vec<u8> {
    let mut parents = vec![usize::MAX; counts.len()];
    let used = counts.iter().enumerate().filter(|(_, count)| **count > 0);
    let mut heap: BinaryHeap<_> = used.map(|(node, &count)| Reverse((count, node))).collect();
    while let (Some(Reverse((a, left))), Some(Reverse((b, right)))) = (heap.pop(), heap.pop()) {
        let node = parents.len();
        parents.push(usize::MAX);
        (parents[left], parents[right]) = (node, node);
        if heap.is_empty() {
            break;
        }
        heap.push(Reverse((a + b, node)));
    }
    (0..counts.len()).map(|leaf| depth(&parents, leaf)).collect()
}

fn depth(parents: &[usize], leaf: usize) -> u8 {
    let mut depth = 0;
    let mut node = parents[leaf];
    while node != usize::MAX {
        depth += 1;
        node = parents[node];
    }
    depth
}

/// Codes in order of length, then symbol.
fn canonical_codes(lengths: &[u8]) -> Vec<u32> {
    let mut codes = vec![0; lengths.len()];
    let mut next = 0;
    for bits in 1..=15 {
        for (symbol, _) in lengths.iter().enumerate().filter(|(_, length)| **length == bits) {
            codes[symbol] = next;
            next += 1;
        }
        next <<= 1;
    }
    codes
}

/// Bits go into 16-bit words whose places are reserved ahead, since extra length bytes are placed between them.
struct BitWriter<'out> {
    out: &'out mut Vec<u8>,
    word: u32,
    free: u32,
    places: [usize; 2],
}

impl<'out> BitWriter<'out> {
    fn new(out: &'out mut Vec<u8>) -> Self {
        let at = out.len();
        out.extend_from_slice(&[0; 4]);
        Self { out, word: 0, free: 16, places: [at, at + 2] }
    }

    fn symbol(&mut self, codes: &[u32], lengths: &[u8], symbol: &Symbol) {
        self.write(u32::from(lengths[symbol.value]), codes[symbol.value]);
        if let Some(rest) = symbol.length_rest {
            self.length(rest);
        }
        self.write(symbol.distance_bits, symbol.distance_rest);
    }

    fn length(&mut self, rest: usize) {
        let bytes = rest.to_le_bytes();
        if rest - 15 < 255 {
            self.out.push((rest - 15).to_le_bytes()[0]);
            return;
        }
        self.out.push(255);
        if rest < 1 << 16 {
            self.out.extend_from_slice(&bytes[..2]);
        } else {
            self.out.extend_from_slice(&[0, 0]);
            self.out.extend_from_slice(&bytes[..4]);
        }
    }

    fn write(&mut self, count: u32, bits: u32) {
        if self.free >= count {
            self.free -= count;
            self.word = self.word << count | bits;
            return;
        }
        let over = count - self.free;
        self.place(self.word << self.free | bits >> over);
        self.places = [self.places[1], self.out.len()];
        self.out.extend_from_slice(&[0; 2]);
        self.free = 16 - over;
        self.word = bits & ((1 << over) - 1);
    }

    fn place(&mut self, word: u32) {
        patch(self.out, self.places[0], &word.to_le_bytes()[..2]);
    }

    fn finish(mut self) {
        self.word <<= self.free;
        self.place(self.word);
    }
}

const BLOCK: usize = 1 << 16;
const SYMBOLS: usize = 512;
const END: usize = 256;
