//! Symbol files that are open.

use std::collections::HashMap;

use crate::breakpad::Breakpad;
use crate::contents::Contents;
use crate::frame::{Found, Provenance};
use crate::image::{Exports, Image};
use crate::limits::{MAX_OPEN, MAX_OPEN_BYTES};
use crate::options::Options;
use crate::pdb::PdbNames;

/// A symbol file that is open.
#[derive(Debug)]
pub(crate) enum Names {
    Pdb(PdbNames),
    Breakpad(Breakpad),
    Exports(Exports),
}

impl Names {
    /// Opens a file of a kind. The error states what is wrong.
    pub(crate) fn open(kind: Provenance, contents: Contents, options: Options) -> Result<Self, String> {
        match kind {
            Provenance::Pdb => PdbNames::open(contents, options).map(Self::Pdb),
            Provenance::Breakpad => Breakpad::read(&contents).map(Self::Breakpad),
            Provenance::Export => Image::read(&contents, options).map(|image| Self::Exports(image.exports)),
            Provenance::None => Err("no symbol file".to_owned()),
        }
    }

    pub(crate) fn frames(&self, rva: u32) -> Vec<Found> {
        match self {
            Self::Pdb(names) => names.frames(rva),
            Self::Breakpad(names) => names.frames(rva),
            Self::Exports(names) => names.frames(rva),
        }
    }
}

/// The open files of modules, by the number of the module.
#[derive(Debug, Default)]
pub(crate) struct Opened {
    files: HashMap<u32, OpenFile>,
    /// Bytes of all files.
    bytes: u64,
    /// Counts uses.
    now: u64,
}

#[derive(Debug)]
struct OpenFile {
    names: Names,
    bytes: u64,
    used: u64,
}

impl Opened {
    pub(crate) fn get(&mut self, module: u32) -> Option<&Names> {
        self.now += 1;
        let file = self.files.get_mut(&module)?;
        file.used = self.now;
        Some(&file.names)
    }

    /// Adds a file of `bytes` bytes. Closes those that were not used for longest if there are too many.
    pub(crate) fn insert(&mut self, module: u32, names: Names, bytes: u64) {
        while self.files.len() >= MAX_OPEN
            || (self.bytes.saturating_add(bytes) > MAX_OPEN_BYTES && !self.files.is_empty())
        {
            let oldest = self.files.iter().min_by_key(|(_, file)| file.used).map(|(module, _)| *module);
            let closed = oldest.and_then(|oldest| self.files.remove(&oldest));
            self.bytes = self.bytes.saturating_sub(closed.map_or(0, |file| file.bytes));
        }
        self.bytes = self.bytes.saturating_add(bytes);
        self.now += 1;
        self.files.insert(module, OpenFile { names, bytes, used: self.now });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_that_was_not_used_for_longest_is_closed() {
        let mut opened = Opened::default();
        let names = || Names::Exports(Exports::default());
        (0..MAX_OPEN as u32).for_each(|module| opened.insert(module, names(), 1));
        assert!(opened.get(0).is_some());
        opened.insert(1000, names(), 1);
        assert!(opened.get(1).is_none() && opened.get(0).is_some() && opened.get(2).is_some());
        opened.insert(1001, names(), MAX_OPEN_BYTES);
        assert!(opened.files.len() == 1 && opened.get(1001).is_some());
    }
}
