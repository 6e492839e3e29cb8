//! Compressed streams.

use etwkit::compress::{Corrupt, lznt1, ulz, xpress, xpress_huffman};

/// Unpacks the bytes after the first three by all algorithms; those three are the expected length. Packs them, too,
/// which must unpack to the same.
pub fn decompress(data: &[u8]) {
    let Some(([a, b, c], packed)) = data.split_first_chunk() else { return };
    round_trips(packed);
    let len = u32::from_le_bytes([*a, *b, *c & 0x0F, 0]) as usize;
    let mut output = vec![0; len];
    for unpack in [xpress::decompress, xpress_huffman::decompress, lznt1::decompress, ulz::decompress] {
        let result: Result<usize, Corrupt> = unpack(packed, &mut output);
        match result {
            Ok(consumed) => assert!(consumed <= packed.len()),
            Err(corrupt) => {
                assert!(corrupt.at <= packed.len() && corrupt.produced <= corrupt.filled && corrupt.filled <= len);
            }
        }
    }
}

/// The bytes come back, and nothing follows them, whichever algorithm packed them.
fn round_trips(bytes: &[u8]) {
    use etwkit_synth::compress as pack;
    type Unpack = fn(&[u8], &mut [u8]) -> Result<usize, Corrupt>;
    let ways: [(Vec<u8>, Unpack); 4] = [
        (pack::xpress::compress(bytes), xpress::decompress),
        (pack::huffman::compress(bytes), xpress_huffman::decompress),
        (pack::lznt1::compress(bytes), lznt1::decompress),
        (pack::ulz::compress(bytes), ulz::decompress),
    ];
    for (packed, unpack) in ways {
        let mut output = vec![0; bytes.len()];
        let result = unpack(&packed, &mut output);
        assert!(result.is_ok_and(|consumed| consumed <= packed.len()), "{result:?}");
        assert!(output == bytes, "a round trip changes bytes");
    }
}
