//! Looks for symbol files.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::candidate::{Candidate, Packing};
use super::folder::Folder;
use super::listing::Listings;
use super::path::SearchPath;
use crate::identity::{ImageId, PdbId};
use crate::names::{is_plain, packed_name, with_extension};

/// Looks for symbol files on a search path.
#[derive(Debug)]
pub(crate) struct Finder {
    path: SearchPath,
    listings: Listings,
    folders: HashMap<PathBuf, Folder>,
}

impl Finder {
    pub(crate) fn new(path: SearchPath) -> Self {
        Self { path, listings: Listings::default(), folders: HashMap::new() }
    }

    pub(crate) fn path(&self) -> &SearchPath {
        &self.path
    }

    /// Returns the files that may be a PDB file.
    pub(crate) fn pdbs(&mut self, id: &PdbId) -> Vec<Candidate> {
        let name = id.file_name();
        self.candidates(name, name, &id.key(), |folder| folder.pdbs(id.guid, id.age))
    }

    /// Returns the files that may be the Breakpad file of a PDB file.
    pub(crate) fn breakpads(&mut self, id: &PdbId) -> Vec<Candidate> {
        let (name, key) = (id.file_name(), id.key());
        self.candidates(name, &with_extension(name, "sym"), &key, |folder| folder.breakpad(&key).into_iter().collect())
    }

    /// Returns the files that may be an image.
    pub(crate) fn images(&mut self, name: &str, id: ImageId) -> Vec<Candidate> {
        self.candidates(name, name, &id.key(), |folder| folder.image(id).into_iter().collect())
    }

    /// Returns the files of a name in each place: those in stores, then those of flat folders, then a packed one. In a
    /// store, `folder/key` has the file.
    fn candidates(
        &mut self,
        folder: &str,
        name: &str,
        key: &str,
        indexed: impl Fn(&Folder) -> Vec<PathBuf>,
    ) -> Vec<Candidate> {
        let mut found = Vec::new();
        for root in self.path.folders().to_vec() {
            if is_plain(folder) {
                self.in_store(&root, folder, name, key, &mut found);
            }
            found.extend(indexed(self.folder(&root)).into_iter().map(Candidate::plain));
            if is_plain(folder) {
                found.extend(self.file(&root, &packed_name(name), Packing::Cabinet));
            }
        }
        found
    }

    /// Adds the files that a symbol store has: as they are, packed, or somewhere else. A store of two tiers, which has a
    /// file `index2.txt`, has a folder for the first two letters above each.
    fn in_store(&mut self, root: &Path, folder: &str, name: &str, key: &str, found: &mut Vec<Candidate>) {
        let tier: String = folder.chars().take(2).collect();
        let is_tiered = self.listings.child(root, "index2.txt").is_some();
        let tiered = if is_tiered { self.listings.child(root, &tier) } else { None };
        for base in tiered.into_iter().chain([root.to_owned()]) {
            let Some(build) = self.listings.descend(&base, &[folder, key]) else { continue };
            found.extend(self.file(&build, name, Packing::Plain));
            found.extend(self.file(&build, &packed_name(name), Packing::Cabinet));
            found.extend(self.file(&build, "file.ptr", Packing::Pointer));
        }
    }

    fn file(&mut self, folder: &Path, name: &str, packing: Packing) -> Option<Candidate> {
        let path = self.listings.child(folder, name).filter(|path| path.is_file())?;
        Some(Candidate { path, packing })
    }

    fn folder(&mut self, root: &Path) -> &Folder {
        let Self { folders, listings, .. } = self;
        folders.entry(root.to_owned()).or_insert_with(|| Folder::read(root, listings))
    }
}
