//! The pack of all providers.

use std::collections::BTreeMap;

use etwkit::bytes::Guid;

use crate::Done;

/// Unpacked bytes of a block, unless a single provider has more: one is unpacked at the first use of a provider. Half
/// of it would make the pack 2 % larger and, with 242 blocks, nearly use up their numbers.
const BLOCK: usize = 16 << 10;
/// Level of compression.
const LEVEL: u8 = 10;

/// Head, index, blocks, data.
pub(super) fn pack(providers: &BTreeMap<(Guid, u8), Vec<u8>>) -> Done<Vec<u8>> {
    let (mut index, mut blocks) = (Vec::new(), vec![Vec::new()]);
    for ((guid, kind), bytes) in providers {
        if blocks.last().is_some_and(|block: &Vec<u8>| !block.is_empty() && block.len() + bytes.len() > BLOCK) {
            blocks.push(Vec::new());
        }
        let number = u8::try_from(blocks.len() - 1)?;
        let Some(block) = blocks.last_mut() else { continue };
        index.extend(guid.to_bytes());
        index.extend([*kind, number, 0, 0]);
        index.extend((block.len() as u32).to_le_bytes());
        block.extend(bytes);
    }
    let mut start = 16 + index.len() + 12 * blocks.len();
    let mut head = b"ETWFACT1".to_vec();
    head.extend((providers.len() as u32).to_le_bytes());
    head.extend((blocks.len() as u32).to_le_bytes());
    head.extend(index);
    let mut data = Vec::new();
    for block in blocks {
        let packed = miniz_oxide::deflate::compress_to_vec(&block, LEVEL);
        for number in [start, packed.len(), block.len()] {
            head.extend((number as u32).to_le_bytes());
        }
        start += packed.len();
        data.extend(packed);
    }
    head.extend(data);
    Ok(head)
}
