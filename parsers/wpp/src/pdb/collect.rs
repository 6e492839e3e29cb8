//! The definitions of all modules, by message GUID.

use std::collections::{BTreeMap, HashSet};

use etwkit::bytes::Guid;

use super::annotation::definitions;
use super::symbols::TmfFile;
use crate::tmf::{Tmf, TmfEntry};

/// TMF texts by message GUID.
pub(super) struct Collector<'a> {
    /// The file that is read, for a comment.
    name: &'a str,
    /// Each text with its entries, by which a repeated one is found.
    texts: BTreeMap<Guid, (Tmf, HashSet<TmfEntry>)>,
}

impl<'a> Collector<'a> {
    pub(super) fn new(name: &'a str) -> Self {
        Self { name, texts: BTreeMap::new() }
    }

    /// Adds the definitions in the symbols of a module.
    pub(super) fn add_module(&mut self, symbols: &[u8]) {
        definitions(symbols).for_each(|annotation| self.add(annotation));
    }

    /// Adds the definitions of an annotation to those of their GUID. Messages of a header or an inlined function are in
    /// every module that uses it.
    fn add(&mut self, annotation: Tmf) {
        let mut current = None;
        for entry in annotation.entries {
            if let TmfEntry::Group(group) = &entry {
                current = Some(group.guid);
            }
            let Some(guid) = current.filter(|_| !matches!(entry, TmfEntry::Other(_))) else { continue };
            let (file, known) = self.texts.entry(guid).or_default();
            if file.entries.is_empty() {
                file.entries.push(TmfEntry::Comment(format!(" PDB:  {}", self.name).into()));
            }
            // A second component of one GUID starts a group of its own.
            if known.insert(entry.clone()) {
                file.entries.push(entry);
            }
        }
    }

    /// Returns a text per message GUID, in the order of GUIDs.
    pub(super) fn finish(self) -> Vec<TmfFile> {
        self.texts.into_iter().map(|(guid, (tmf, _))| TmfFile { guid, tmf }).collect()
    }
}
