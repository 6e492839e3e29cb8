//! Identities of the files of images, which come in events of their own, right before or after that of the image.

use std::sync::Arc;

use hashbrown::HashMap;

use crate::bytes::Guid;

use super::StateBudget;
use super::budget::entry_size;
use super::names::Names;

/// The PDB file of an image, as the image's debug directory (RSDS) names it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct PdbFile {
    /// GUID of the build.
    pub guid: Guid,
    /// How often the linker had written the file.
    pub age: u32,
    /// Name, or path on the machine that built the image.
    pub name: Arc<str>,
}

impl PdbFile {
    /// Returns an identity.
    pub fn new(guid: Guid, age: u32, name: impl Into<Arc<str>>) -> Self {
        Self { guid, age, name: name.into() }
    }
}

/// What an event states about the file of an image.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FileIdentity {
    pub(super) pdb: Option<Arc<PdbFile>>,
    /// `TimeDateStamp` of the PE header, and the original file name of the version resource.
    pub(super) header: Option<(u32, Arc<str>)>,
}

impl FileIdentity {
    /// Adds what another event of the same image states.
    fn add(&mut self, other: Self) {
        self.pdb = other.pdb.or_else(|| self.pdb.take());
        self.header = other.header.or_else(|| self.header.take());
    }
}

/// Identities that wait for their image, and the PDB files of all images, each once.
#[derive(Clone, Debug, Default)]
pub(super) struct Identities {
    pdbs: HashMap<(Guid, u32), Arc<PdbFile>>,
    names: Names,
    /// By process and base: when the identity came, and what it is.
    waiting: HashMap<(u32, u64), (i64, FileIdentity)>,
}

impl Identities {
    /// Returns the PDB file of a GUID and age; `None` if it does not fit.
    pub(super) fn pdb(
        &mut self,
        (guid, age): (Guid, u32),
        name: impl FnOnce() -> Arc<str>,
        budget: &mut StateBudget,
    ) -> Option<Arc<PdbFile>> {
        if let Some(known) = self.pdbs.get(&(guid, age)) {
            return Some(Arc::clone(known));
        }
        let pdb = Arc::new(PdbFile { guid, age, name: name() });
        budget.take(PDB, pdb.name.len()).then(|| {
            self.pdbs.insert((guid, age), Arc::clone(&pdb));
            pdb
        })
    }

    /// Returns the one that is kept of a name; `None` if it does not fit.
    pub(super) fn name(&mut self, name: &str, budget: &mut StateBudget) -> Option<Arc<str>> {
        self.names.known(name).or_else(|| budget.take(NAME, name.len()).then(|| self.names.shared(name)))
    }

    /// Keeps an identity until an event states which image has it. Returns the one of another time that waited there.
    pub(super) fn wait(
        &mut self,
        at: (u32, u64),
        tick: i64,
        identity: FileIdentity,
        budget: &mut StateBudget,
    ) -> Option<FileIdentity> {
        match self.waiting.get_mut(&at) {
            Some((since, waiting)) if *since == tick => {
                waiting.add(identity);
                None
            }
            Some(waiting) => Some(std::mem::replace(waiting, (tick, identity)).1),
            None => {
                if budget.take(WAITING, 0) {
                    self.waiting.insert(at, (tick, identity));
                }
                None
            }
        }
    }

    /// Takes what waits at an address, and since when.
    pub(super) fn take(&mut self, at: (u32, u64)) -> Option<(i64, FileIdentity)> {
        if self.waiting.is_empty() { None } else { self.waiting.remove(&at) }
    }

    /// Returns all that still wait, and forgets the names: no more events come.
    pub(super) fn end(&mut self) -> HashMap<(u32, u64), (i64, FileIdentity)> {
        std::mem::take(self).waiting
    }
}

/// Bytes of a PDB file, of a name and of an identity that waits, besides their text.
const PDB: usize = entry_size::<((Guid, u32), Arc<PdbFile>)>(size_of::<PdbFile>());
const NAME: usize = entry_size::<Arc<str>>(size_of::<Arc<str>>());
const WAITING: usize = entry_size::<((u32, u64), (i64, FileIdentity))>(0);
