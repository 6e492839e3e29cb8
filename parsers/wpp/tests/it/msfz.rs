//! Compressed PDB files.

use etwkit_wpp::extract_bytes;

use crate::common::with_group;
use crate::hostile::TEXT;
use crate::made::msfz;
use crate::random::{Random, rounds};

/// Returns where the chunk table of an MSFZ file starts.
fn chunk_table(bytes: &[u8]) -> usize {
    u64::from_le_bytes(bytes[48..56].try_into().unwrap()).try_into().unwrap()
}

fn refusal(bytes: Vec<u8>) -> String {
    extract_bytes(bytes, "lie.pdb").unwrap_err().to_string()
}

/// A compressed file states what it unpacks to: none of it is believed before it is compared with the file.
#[test]
fn a_compressed_pdb_cannot_claim_more_than_it_holds() {
    let good = msfz(&with_group(TEXT));
    let with = |at: usize, value: u32| {
        let mut bytes = good.clone();
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        refusal(bytes)
    };
    let table = chunk_table(&good);
    let streams = u32::from_le_bytes(good[56..60].try_into().unwrap());
    let directory = u32::from_le_bytes(good[68..72].try_into().unwrap());
    for (at, value) in [(56, directory / 4 + 1), (64, u32::MAX), (68, (64 << 20) + 1), (72, 9), (76, 9)] {
        assert!(with(at, value).contains("header claims more"), "{at}: {}", with(at, value));
    }
    assert!(with(48, u32::MAX).contains("chunk table is not there"));
    for (at, value) in [(table + 12, u32::MAX), (table + 16, (256 << 20) + 1), (table + 16, 200 << 20)] {
        assert!(with(at, value).contains("chunks claim too much"), "{value:#x}: {}", with(at, value));
    }
    assert!(streams > 3 && extract_bytes(good.clone(), "good.pdb").is_ok());
}

/// Many parts of streams may name the same chunk: what all streams have together is limited.
#[test]
fn streams_of_a_compressed_pdb_cannot_share_their_chunks_without_end() {
    let good = msfz(&with_group(TEXT));
    let table = chunk_table(&good);
    // The first chunk states that it unpacks to nothing: now all streams are larger than what there is.
    let mut bytes = good;
    let chunks = u32::from_le_bytes(bytes[72..76].try_into().unwrap()) as usize;
    for chunk in 0..chunks {
        bytes[table + 20 * chunk + 16..][..4].copy_from_slice(&0u32.to_le_bytes());
    }
    let error = refusal(bytes);
    assert!(error.contains("streams are larger than what it holds") || error.contains("directory"), "{error}");
}

#[test]
fn damaged_files() {
    let mut random = Random(0xD1B5_4A32_D192_ED03);
    let good = msfz(&with_group(TEXT));
    assert!(extract_bytes(good.clone(), "good.pdb").is_ok());
    for _ in 0..rounds() {
        let mut bytes = good.clone();
        random.damage(&mut bytes);
        drop(extract_bytes(bytes, "damaged.pdb"));
    }
    for len in 0..200 {
        assert!(extract_bytes(good[..len].to_vec(), "short.pdb").is_err());
    }
}
