//! Compressed streams.

use etwkit::compress::{Corrupt, lznt1, ulz, xpress, xpress_huffman};

/// Unpacks the bytes behind the first three by all algorithms; those three are the expected length.
pub fn decompress(data: &[u8]) {
    let Some(([a, b, c], packed)) = data.split_first_chunk() else { return };
    let len = u32::from_le_bytes([*a, *b, *c & 0x0F, 0]) as usize;
    let mut output = vec![0; len];
    for unpack in [xpress::decompress, xpress_huffman::decompress, lznt1::decompress, ulz::decompress] {
        let result: Result<usize, Corrupt> = unpack(packed, &mut output);
        match result {
            Ok(consumed) => assert!(consumed <= packed.len()),
            Err(corrupt) => assert!(corrupt.at <= packed.len() && corrupt.produced <= len),
        }
    }
}
