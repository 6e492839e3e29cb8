//! Tests that concern more than one format, or need more than a few bytes.

mod corpus;
mod encode;
mod vectors;

use super::{Corrupt, lznt1, xpress, xpress_huffman};
use proptest::prelude::*;
use std::path::{Path, PathBuf};

type Decompress = fn(&[u8], &mut [u8]) -> Result<usize, Corrupt>;

const ALL: [(&str, Decompress); 3] =
    [("xpress-", xpress::decompress), ("huffman-", xpress_huffman::decompress), ("lznt1-", lznt1::decompress)];

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
            Err(Corrupt { at, produced, filled, .. }) => {
                assert!(at <= input.len() && produced <= filled && filled <= size);
            }
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
        // With input after the stream the fast loop comes nearer to the end.
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
        // Without an end symbol the zeros after the last token may be taken for one.
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
