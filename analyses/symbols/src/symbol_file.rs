//! One symbol file, without a search.

use crate::cache::Cache;
use crate::contents::Contents;
use crate::frame::{Frames, Provenance};
use crate::opened::Names;
use crate::options::Options;
use crate::search::unpacked;

/// A symbol file in memory, whatever module it belongs to.
#[derive(Debug)]
pub struct SymbolFile {
    names: Names,
    kind: Provenance,
    cache: Cache,
}

impl SymbolFile {
    /// Reads a file of a kind.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with the file.
    pub fn read(kind: Provenance, bytes: Vec<u8>, options: Options) -> Result<Self, String> {
        let names = Names::open(kind, Contents::of(bytes), options)?;
        Ok(Self { names, kind, cache: Cache::default() })
    }

    /// Reads a file of a kind that is packed in a cabinet (`.pd_`, `.dl_`).
    ///
    /// # Errors
    ///
    /// Returns what is wrong with the cabinet or the file in it.
    pub fn read_packed(kind: Provenance, bytes: Vec<u8>, options: Options) -> Result<Self, String> {
        Self::read(kind, unpacked(&Contents::of(bytes))?, options)
    }

    /// Returns the frames at an address, in bytes from the start of the module; see
    /// [`Symbolizer::frames`](crate::Symbolizer::frames).
    pub fn frames(&mut self, rva: u32) -> Frames<'_> {
        if self.cache.get(0, rva).is_none() {
            self.cache.insert(0, rva, self.names.frames(rva), self.kind);
        }
        let (frames, provenance) = self.cache.get(0, rva).unwrap_or_default();
        Frames { frames, provenance }
    }
}
