//! Tests that concern more than one format, or need more than a few bytes.

use super::{Corrupt, lznt1, xpress, xpress_huffman};
use proptest::prelude::*;
use std::path::{Path, PathBuf};

type Decompress = fn(&[u8], &mut [u8]) -> Result<usize, Corrupt>;

const ALL: [(&str, Decompress); 3] =
    [("xpress-", xpress::decompress), ("huffman-", xpress_huffman::decompress), ("lznt1-", lznt1::decompress)];

mod vectors {
    use super::*;

    /// `tests/vectors/README.md` says how they are made.
    #[test]
    fn streams_of_other_encoders_decode() {
        let mut seen = 0;
        for entry in std::fs::read_dir(folder()).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap();
            let Some((format, decompress)) = ALL.iter().find(|(format, _)| name.starts_with(format)) else {
                continue;
            };
            let stream = std::fs::read(&path).unwrap();
            let plain = plain(name);
            let mut output = vec![0xEE; plain.len()];
            let used = decompress(&stream, &mut output).unwrap();
            // As in real traces, a flag word without tokens may follow.
            let spare = *format == "xpress-" && stream[used..] == [0xFF; 4];
            assert!(used == stream.len() || spare, "{name}: {used} of {}", stream.len());
            assert!(output == plain, "{name}");
            every_truncation_fails_with_a_good_prefix(*decompress, &stream, &plain);
            seen += 1;
        }
        assert_eq!(seen, 22);
    }

    fn every_truncation_fails_with_a_good_prefix(decompress: Decompress, stream: &[u8], plain: &[u8]) {
        let mut output = vec![0; plain.len()];
        for end in (0..stream.len()).step_by(stream.len() / 300 + 1) {
            // What is cut off may be no more than the end symbol and bits read ahead.
            match decompress(&stream[..end], &mut output) {
                Ok(used) => assert!(used <= end && end + 6 >= stream.len() && output == plain),
                Err(corrupt) => {
                    // At the end, or at the match which is cut through.
                    assert!(corrupt.at <= end && end <= corrupt.at + 1);
                    assert!(output[..corrupt.produced] == plain[..corrupt.produced], "{corrupt:?}, cut at {end}");
                }
            }
        }
    }

    fn folder() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors")
    }

    /// What a vector is of, by its name: `format-encoder-size-seed-rarity` or `...-zeros-size`.
    fn plain(name: &str) -> Vec<u8> {
        match name.split('-').collect::<Vec<_>>()[2..] {
            ["zeros", size] => vec![0; size.parse().unwrap()],
            [size, seed, rarity] => sample(size.parse().unwrap(), seed.parse().unwrap(), rarity.parse().unwrap()),
            _ => panic!("{name}"),
        }
    }

    /// Returns the same bytes as `sample` in `tests/vectors/make.py`.
    fn sample(size: usize, seed: u32, rarity: usize) -> Vec<u8> {
        let mut x = seed;
        let mut random = || {
            x = x.wrapping_mul(1_103_515_245).wrapping_add(12_345);
            x
        };
        let mut out = Vec::new();
        while out.len() < size {
            let k = (random() >> 16) as usize;
            if k.is_multiple_of(rarity) {
                out.extend((0..16).map(|_| random().to_le_bytes()[3]));
            } else if k % 16 == 1 {
                out.extend(std::iter::repeat_n(k.to_le_bytes()[1], k % 3000));
            } else if k % 16 == 2 && !out.is_empty() {
                let start = out.len() - out.len().min(1 + k * 7 % 60_000);
                out.extend_from_within(start..out.len().min(start + k.min(700)));
            } else {
                out.extend(PHRASES[(k >> 4) % 8]);
            }
        }
        out.truncate(size);
        out
    }

    const PHRASES: [&[u8]; 8] = [
        b"the quick brown fox ",
        b"jumps over ",
        &[0; 24],
        b"Microsoft-Windows-Kernel-Process\0",
        b"A\0B\0C\0D\0E\0",
        b"\xC0\x13\x02\0",
        b"1234567890",
        b"zz",
    ];
}

/// Encoders which take tokens as they come, so that the streams have all forms, also silly ones.
mod encode {
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
}

use encode::{Token, expand};

/// Raw material of a token: the limits of distances are applied when the position is known.
fn material() -> impl Strategy<Value = Vec<(u8, usize, usize)>> {
    let kind = prop_oneof![3 => 0..128_u8, 2 => 128..=255_u8];
    let distance = prop_oneof![4 => 1..9_usize, 4 => 9..70_usize, 2 => 1..9000_usize, 1 => 1..66_000_usize];
    let length = prop_oneof![
        20 => 3..11_usize, 20 => 10..28_usize, 5 => 24..300_usize, 2 => 250..4000_usize, 1 => 65_500..65_600_usize
    ];
    prop::collection::vec((kind, distance, length), 0..600)
}

fn tokens(material: &[(u8, usize, usize)], farthest: usize) -> Vec<Token> {
    let mut position = 0;
    let token = |&(kind, distance, length): &(u8, usize, usize)| {
        if kind < 128 || position == 0 {
            position += 1;
            return Token::Literal(kind);
        }
        let distance = 1 + (distance - 1) % position.min(farthest);
        position += length;
        Token::Match { distance, length }
    };
    material.iter().map(token).collect()
}

/// Returns a chunk's tokens, cut where 4 KiB are full.
fn lznt1_tokens(material: &[(u8, usize, usize)]) -> Vec<Token> {
    let mut position = 0;
    let mut tokens = Vec::new();
    for &(kind, distance, length) in material {
        let (farthest, longest) = encode::lznt1_limits(position);
        let length = length.min(longest);
        if kind < 128 || position == 0 || position + length > 4096 {
            tokens.push(Token::Literal(kind));
            position += 1;
        } else {
            let distance = 1 + (distance - 1) % farthest;
            tokens.push(Token::Match { distance, length });
            position += length;
        }
        if position == 4096 {
            break;
        }
    }
    tokens
}

fn lznt1_stream(material: &[(u8, usize, usize)]) -> Vec<u8> {
    let tokens = lznt1_tokens(material);
    if tokens.is_empty() { Vec::new() } else { encode::lznt1_chunk(&tokens) }
}

/// Returns a complete code of 512 symbols, made by splitting a code again and again.
fn code_lengths() -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(any::<u16>(), 511).prop_map(|choices| {
        let mut lengths = vec![0_u32];
        for choice in choices {
            let open: Vec<usize> = (0..lengths.len()).filter(|&at| lengths[at] < 15).collect();
            // Mostly one of the last, which makes long codes.
            let at = open[open.len() - 1 - usize::from(choice) % open.len().min(5)];
            lengths[at] += 1;
            lengths.push(lengths[at]);
        }
        lengths
    })
}

/// Checks the invariants for all input, and that the fast loop matches the plain one.
fn survives(input: &[u8], size: usize) {
    for (_, decompress) in ALL {
        let mut output = vec![0xA5; size];
        match decompress(input, &mut output) {
            Ok(used) => assert!(used <= input.len()),
            Err(Corrupt { at, produced, .. }) => assert!(at <= input.len() && produced <= size),
        }
    }
    let (mut fast, mut spec) = (vec![0; size], vec![0; size]);
    let result = xpress::decompress(input, &mut fast);
    assert_eq!(result, xpress::decompress_spec(input, &mut spec));
    let good = result.map_or_else(|corrupt| corrupt.produced, |_| size);
    assert!(fast[..good] == spec[..good]);
}

fn decodes(decompress: Decompress, stream: &[u8], plain: &[u8], used: usize) {
    let mut output = vec![0xA5; plain.len()];
    assert_eq!(decompress(stream, &mut output), Ok(used));
    assert!(output == plain);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: if cfg!(debug_assertions) { 60 } else { 400 }, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn xpress_decodes_all_forms(material in material(), tail in 0..80_usize) {
        let tokens = tokens(&material, 8192);
        let plain = expand(&tokens);
        let mut stream = encode::xpress(&tokens);
        let used = stream.len();
        // With input behind the stream the fast loop comes nearer to the end.
        stream.resize(used + tail, 0xFF);
        decodes(xpress::decompress, &stream, &plain, used);
        decodes(xpress::decompress_spec, &stream, &plain, used);
    }

    #[test]
    fn huffman_decodes_all_forms(material in material(), lengths in code_lengths(), end: bool) {
        let tokens = tokens(&material, 65_535);
        prop_assume!(!tokens.is_empty());
        let plain = expand(&tokens);
        let stream = encode::huffman(&tokens, &lengths, end);
        let mut output = vec![0xA5; plain.len()];
        let used = xpress_huffman::decompress(&stream, &mut output).unwrap();
        prop_assert!(output == plain);
        // Without an end symbol the zeros behind the last token may be taken for one.
        prop_assert!(used == stream.len() || !end && used <= stream.len());
    }

    #[test]
    fn lznt1_decodes_all_forms(materials in prop::collection::vec(material(), 1..4), rest in any::<u64>()) {
        let (mut stream, mut plain) = (Vec::new(), Vec::new());
        for material in &materials {
            let mut tokens = lznt1_tokens(material);
            // All chunks are full: fill up with literals, or store the chunk.
            let missing = 4096 - expand(&tokens).len();
            if missing < 1500 {
                tokens.extend((0..missing).map(|at| Token::Literal(rest.to_le_bytes()[at % 8])));
                stream.extend(encode::lznt1_chunk(&tokens));
                plain.extend(expand(&tokens));
            } else {
                let mut bytes = expand(&tokens);
                bytes.resize(4096, 7);
                stream.extend([0xFF, 0x3F]);
                stream.extend(&bytes);
                plain.extend(&bytes);
            }
        }
        let last = lznt1_tokens(&materials[0]);
        if !last.is_empty() {
            stream.extend(encode::lznt1_chunk(&last));
            plain.extend(expand(&last));
        }
        decodes(lznt1::decompress, &stream, &plain, stream.len());
    }

    #[test]
    fn nothing_panics_on_garbage(input in prop::collection::vec(any::<u8>(), 0..2000), size in 0..20_000_usize) {
        survives(&input, size);
    }

    #[test]
    fn nothing_panics_on_damaged_streams(
        material in material(),
        lengths in code_lengths(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        cut in any::<prop::sample::Index>(),
        longer in 0..100_usize,
    ) {
        let tokens_near = tokens(&material, 8192);
        let streams = [
            encode::xpress(&tokens_near),
            encode::huffman(&[&[Token::Literal(1)], &tokens_near[..]].concat(), &lengths, true),
            lznt1_stream(&material),
        ];
        let size = expand(&tokens_near).len();
        for mut stream in streams.into_iter().filter(|stream| !stream.is_empty()) {
            for (at, byte) in &damage {
                *at.get_mut(&mut stream) = *byte;
            }
            survives(&stream, size + longer);
            survives(&stream, size.saturating_sub(longer));
            survives(&stream[..cut.index(stream.len())], size);
        }
    }

    #[test]
    fn lznt1_does_not_panic_behind_a_good_header(mut body in prop::collection::vec(any::<u8>(), 1..2000), size in 0..9000_usize) {
        let header = 0xB000 | u16::try_from(body.len() - 1).unwrap();
        body.splice(0..0, header.to_le_bytes());
        survives(&body, size);
    }
}

/// Real traces; skipped where the corpus is absent.
mod corpus {
    use super::*;

    #[test]
    fn every_compressed_buffer_decodes_to_events() {
        let Some(corpus) = etwkit_corpus::folder() else { return };
        let mut seen = 0;
        for (file, count) in FILES {
            let trace = std::fs::read(corpus.join(file)).unwrap();
            let buffers = compressed_buffers(&trace);
            assert_eq!(buffers.len(), count, "{file}");
            for (stream, size) in buffers {
                check(stream, size);
                seen += 1;
            }
        }
        assert_eq!(seen, 403);
    }

    fn check(stream: &[u8], size: usize) {
        let (mut fast, mut spec) = (vec![0; size], vec![0; size]);
        let used = xpress::decompress(stream, &mut fast).unwrap();
        assert!(stream[used..].is_empty() || stream[used..] == [0xFF; 4]);
        assert_eq!(xpress::decompress_spec(stream, &mut spec), Ok(used));
        assert!(fast == spec);
        walk(&fast);
    }

    /// The events must follow one another without a gap.
    fn walk(events: &[u8]) {
        let mut at = 0;
        while at < events.len() {
            let head = &events[at..at + 8];
            let size_at = match head[3] {
                0xC0 if matches!(head[2], 1..=4 | 16 | 17) => 4,
                0xC0 if matches!(head[2], 10..=21) => 0,
                0x90 => 0,
                _ => panic!("no event marker at {at}: {head:x?}"),
            };
            let size = u16::from_le_bytes([head[size_at], head[size_at + 1]]);
            assert!(size >= 8);
            at += usize::from(size).next_multiple_of(8);
        }
        assert!(at < events.len() + 8);
    }

    fn compressed_buffers(trace: &[u8]) -> Vec<(&[u8], usize)> {
        let u32_at = |at: usize| u32::from_le_bytes(trace[at..at + 4].try_into().unwrap()) as usize;
        let mut buffers = Vec::new();
        let mut at = 0;
        while at + 72 <= trace.len() {
            let size = u32_at(at);
            if u32_at(at + 0x34) & 0x40 != 0 {
                buffers.push((&trace[at + 72..at + size], u32_at(at + 0x30) - 72));
            }
            at += size;
        }
        buffers
    }

    const FILES: [(&str, usize); 6] = [
        ("perfview/net.4.5.2.x64.etl", 359),
        ("perfview/SelfDescribingSingleEvent.etl", 2),
        ("misc/msbuild-compressed32.etl", 29),
        ("misc/ms-rpc-capture-arrays.etl", 10),
        ("pktmon/PktMon.etl", 2),
        ("perfview/smallEtlFile.etl", 1),
    ];
}
