//! The pack: facts of many providers in one small file.
//!
//! `cargo xtask schemas` writes it. All numbers are little endian; *n* is a number of 7 bits per byte, low bits first.
//!
//! ```text
//! head      "ETWFACT1", u32 providers, u32 blocks
//! index     providers x { guid, u8 kind (0 manifest, 1 classic), u8 block, u16 0, u32 offset in the unpacked block }
//!           sorted by guid and kind
//! blocks    blocks x { u32 start (in the file), u32 packed bytes, u32 unpacked bytes }
//! data      each block: providers of similar place in the index, packed with deflate
//! ```
//!
//! The module `provider` describes a provider within its block. The bytes are not trusted, although they are built in:
//! code that reads a user's pack gets errors, not panics.

mod numbers;
mod provider;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use etwkit::bytes::{Cursor, Guid};
use etwkit::error::{Error, Result};

pub use provider::{Builds, Event, FactField, FactMap, Provider, Size};

const MAGIC: [u8; 8] = *b"ETWFACT1";
const INDEX_ROW: usize = 24;
const BLOCK_ROW: usize = 12;
/// Bytes of one unpacked block. Ours have 16 KB, or a provider that has more.
const MAX_BLOCK: usize = 1 << 20;
/// Bytes of all blocks of a pack of providers, unpacked.
const MAX_PACK: usize = 64 << 20;

/// How events of a provider name their facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Naming {
    /// By id and version: manifests.
    Manifest,
    /// By opcode and version: classic (MOF) classes.
    Classic,
}

/// A pack whose index has been read.
#[derive(Debug)]
pub struct Pack {
    bytes: Cow<'static, [u8]>,
    /// Sorted.
    keys: Vec<(Guid, Naming)>,
    slots: Vec<Slot>,
    blocks: Vec<Block>,
    /// Bytes that providers may still take of the unpacked blocks. Each has its own, so all of them together take no
    /// more than there is; in a crafted pack all might name the same.
    left: AtomicUsize,
}

/// The place of a provider, and the provider once it has been read. `None` inside: its bytes are wrong.
#[derive(Debug)]
struct Slot {
    block: u8,
    offset: u32,
    provider: OnceLock<Option<Box<Provider>>>,
}

#[derive(Debug)]
struct Block {
    start: u32,
    packed: u32,
    unpacked: u32,
    bytes: OnceLock<Option<Vec<u8>>>,
}

impl Pack {
    /// The pack that is built in.
    pub fn built_in() -> Result<Self> {
        Self::open(include_bytes!("../../data/pack.bin").as_slice())
    }

    /// Reads the index.
    pub fn open(bytes: impl Into<Cow<'static, [u8]>>) -> Result<Self> {
        let bytes = bytes.into();
        let mut cursor = Cursor::new(&bytes);
        if cursor.array::<8>("pack head")? != MAGIC {
            return Err(Error::invalid("pack head", 0));
        }
        let providers = cursor.u32("providers of a pack")? as usize;
        let blocks = cursor.u32("blocks of a pack")? as usize;
        let rows = index(cursor.take(providers.saturating_mul(INDEX_ROW), "index of a pack")?)?;
        let (keys, slots) = rows.into_iter().unzip();
        let blocks = block_list(cursor.take(blocks.saturating_mul(BLOCK_ROW), "blocks of a pack")?)?;
        let unpacked: u64 = blocks.iter().map(|block| u64::from(block.unpacked)).sum();
        let unpacked = usize::try_from(unpacked).ok().filter(|unpacked| *unpacked <= MAX_PACK);
        let left = unpacked.ok_or_else(|| Error::limit("unpacked bytes of a pack", MAX_PACK))?.into();
        Ok(Self { bytes, keys, slots, blocks, left })
    }

    /// Providers and classes, sorted; one that is both is there twice.
    pub fn keys(&self) -> &[(Guid, Naming)] {
        &self.keys
    }

    /// Returns the facts of a provider or class. Its block is unpacked at the first use.
    #[inline]
    pub fn provider(&self, guid: Guid, naming: Naming) -> Option<&Provider> {
        let at = self.keys.binary_search(&(guid, naming)).ok()?;
        let slot = self.slots.get(at)?;
        slot.provider.get_or_init(|| self.keep(slot).ok().map(Box::new)).as_deref()
    }

    /// Reads a provider to keep it.
    fn keep(&self, slot: &Slot) -> Result<Provider> {
        let (provider, taken) = self.read(slot)?;
        let pay = |left: usize| left.checked_sub(taken);
        match self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, pay) {
            Ok(_) => Ok(provider),
            Err(left) => Err(Error::limit("bytes of providers in a pack", left)),
        }
    }

    /// Why the provider at a place of [`Pack::keys`] cannot be read; for tests and tools.
    pub fn check(&self, at: usize) -> Result<()> {
        let slot = self.slots.get(at).ok_or_else(|| Error::invalid("place in a pack", at as u64))?;
        self.read(slot).map(|_| ())
    }

    fn read(&self, slot: &Slot) -> Result<(Provider, usize)> {
        let block = self.blocks.get(usize::from(slot.block));
        let block = block.ok_or_else(|| Error::invalid("block of a pack", slot.block.into()))?;
        let bytes = block.bytes.get_or_init(|| self.unpack(block)).as_deref();
        let bytes = bytes.ok_or_else(|| Error::invalid("packed bytes", block.start.into()))?;
        let rest = bytes.get(slot.offset as usize..);
        Provider::read(rest.ok_or_else(|| Error::invalid("offset in a block", slot.offset.into()))?)
    }

    fn unpack(&self, block: &Block) -> Option<Vec<u8>> {
        let start = block.start as usize;
        let packed = self.bytes.get(start..start.checked_add(block.packed as usize)?)?;
        let unpacked = block.unpacked as usize;
        let bytes = miniz_oxide::inflate::decompress_to_vec_with_limit(packed, unpacked.min(MAX_BLOCK)).ok()?;
        (bytes.len() == unpacked).then_some(bytes)
    }
}

fn index(bytes: &[u8]) -> Result<Vec<((Guid, Naming), Slot)>> {
    let mut rows: Vec<((Guid, Naming), Slot)> = Vec::new();
    let mut cursor = Cursor::new(bytes);
    while !cursor.is_empty() {
        let guid = cursor.guid("guid in a pack")?;
        let naming = match cursor.u8("kind in a pack")? {
            0 => Naming::Manifest,
            1 => Naming::Classic,
            other => return Err(Error::invalid("kind in a pack", other.into())),
        };
        let block = cursor.u8("block in a pack")?;
        cursor.u16("index of a pack")?;
        let offset = cursor.u32("offset in a pack")?;
        if rows.last().is_some_and(|(last, _)| *last >= (guid, naming)) {
            return Err(Error::invalid("order in a pack", rows.len() as u64));
        }
        rows.push(((guid, naming), Slot { block, offset, provider: OnceLock::new() }));
    }
    Ok(rows)
}

fn block_list(bytes: &[u8]) -> Result<Vec<Block>> {
    let mut blocks = Vec::new();
    let mut cursor = Cursor::new(bytes);
    while !cursor.is_empty() {
        let mut number = || cursor.u32("blocks of a pack");
        blocks.push(Block { start: number()?, packed: number()?, unpacked: number()?, bytes: OnceLock::new() });
    }
    Ok(blocks)
}
