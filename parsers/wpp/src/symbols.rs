//! Definitions of messages from files and folders.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use etwkit::bytes::{AnsiText, Guid, utf16_file};
use etwkit::error::{Error, Result};
use etwkit::input::{FolderFiles, has_extension, read_whole};
use etwkit::limits;
use etwkit::schema::{Schema, SchemaSelector};

use crate::compile::{DefinitionContext, compile};
use crate::pdb::{self, PdbSymbols};
use crate::store;
use crate::tmf::{self, Definition, Group, Tmf, TmfEntry};

/// Definitions that differ for one message: different builds of one source. More are not tried.
const MAX_ALTERNATIVES: usize = 4;

/// Definitions of messages, by message GUID and number. Clones share the texts.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    texts: Vec<Arc<Text>>,
    index: BTreeMap<(Guid, u16), Vec<Place>>,
    /// Folders that may be symbol stores.
    stores: Vec<PathBuf>,
    /// Loaded PDB files, by GUID.
    pdbs: BTreeMap<Guid, PathBuf>,
    /// Files, and how many definitions each has.
    loaded: BTreeMap<PathBuf, usize>,
    problems: Vec<Arc<Error>>,
}

#[derive(Debug)]
struct Text {
    tmf: Tmf,
    pdb: Option<Box<str>>,
}

/// Where a definition is: text, entry of its group, its own entry.
#[derive(Clone, Copy, Debug)]
struct Place {
    text: usize,
    group: usize,
    entry: usize,
}

impl Symbols {
    /// Adds a TMF file, a PDB file, or a folder: its TMF and PDB files at once, and as a symbol store
    /// (`name.pdb/GUIDage/name.pdb`) those that a trace names.
    ///
    /// A file of a folder that cannot be read is a [`Symbols::problems`], not an error. Returns how many definitions
    /// there were: none in a text that is not TMF, in a PDB file without private symbols, in a symbol store.
    pub fn add_path(&mut self, path: &Path) -> Result<usize> {
        if !path.is_dir() {
            return self.add_file(path);
        }
        let found = FolderFiles::find(path, &["tmf", "pdb"], 0)?;
        if let Some((_, error)) = found.unreadable.into_iter().next() {
            return Err(error);
        }
        let mut added = 0;
        for file in found.files {
            match self.add_file(&file) {
                Ok(more) => added += more,
                Err(error) => self.problems.push(Arc::new(error)),
            }
        }
        self.stores.push(path.to_owned());
        Ok(added)
    }

    /// Adds a file; how many definitions it has.
    pub(crate) fn add_file(&mut self, path: &Path) -> Result<usize> {
        if let Some(known) = self.loaded.get(path) {
            return Ok(*known);
        }
        // One that cannot be read is not tried again.
        self.loaded.insert(path.to_owned(), 0);
        let before = self.texts.len();
        self.load(path)?;
        let definitions =
            |text: &Arc<Text>| text.tmf.entries.iter().filter(|entry| matches!(entry, TmfEntry::Definition(_))).count();
        let count = self.texts.iter().skip(before).map(definitions).sum();
        self.loaded.insert(path.to_owned(), count);
        Ok(count)
    }

    fn load(&mut self, path: &Path) -> Result<()> {
        if has_extension(path, &["pdb"]) {
            let symbols = pdb::extract(path)?;
            self.add_pdb(path, symbols);
            return Ok(());
        }
        self.add_text(&decoded(&read_whole(path, "bytes of a TMF file", limits::MAX_TEXT)?));
        Ok(())
    }

    /// Adds what was read from a PDB file.
    pub fn add_pdb(&mut self, path: &Path, symbols: PdbSymbols) {
        self.pdbs.insert(symbols.guid, path.to_owned());
        for file in symbols.files {
            self.add_tmf(file.tmf);
        }
    }

    /// Adds a TMF text.
    pub fn add_text(&mut self, text: &str) {
        self.add_tmf(tmf::parse(text));
    }

    /// Adds a TMF text that has been read.
    pub fn add_tmf(&mut self, tmf: Tmf) {
        let text = self.texts.len();
        let mut group = None;
        for (entry, content) in tmf.entries.iter().enumerate() {
            match content {
                TmfEntry::Group(found) => group = Some((entry, found.guid)),
                TmfEntry::Definition(definition) => {
                    if let Some((group, guid)) = group {
                        let places = self.index.entry((guid, definition.number)).or_default();
                        places.push(Place { text, group, entry });
                    }
                }
                _ => {}
            }
        }
        let pdb = tmf.pdb_name().map(Into::into);
        self.texts.push(Arc::new(Text { tmf, pdb }));
    }

    /// Returns how many messages have a definition.
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// Returns whether no message has a definition.
    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    /// Files of folders that could not be read.
    pub fn problems(&self) -> impl Iterator<Item = &Error> {
        self.problems.iter().map(AsRef::as_ref)
    }

    /// Returns the schema of a message. Definitions that differ are alternatives: the first that fits is used. One that
    /// cannot be right is an error only if no other is there.
    pub fn schema(&self, guid: Guid, number: u16) -> Result<Option<Schema>> {
        let Some(places) = self.index.get(&(guid, number)) else { return Ok(None) };
        let mut seen = Vec::new();
        let found = places.iter().filter_map(|place| self.at(*place));
        let differing = found.filter(|(_, _, Definition { format, body, .. })| {
            let is_new = !seen.contains(&(format, body));
            if is_new {
                seen.push((format, body));
            }
            is_new
        });
        Schema::first_of(differing.take(MAX_ALTERNATIVES).map(|(text, group, definition)| {
            compile(definition, DefinitionContext { group, tmf: &text.tmf, pdb: text.pdb.as_deref() })
        }))
    }

    /// Returns the schemas of all messages, with each what chooses it; an error for a definition that cannot be right.
    pub fn entries(&self) -> impl Iterator<Item = Result<etwkit::schema::SchemaEntry>> + '_ {
        let entry = |(guid, number)| {
            let schema = self.schema(guid, number).transpose()?;
            Some(schema.map(|schema| etwkit::schema::SchemaEntry::new(SchemaSelector::Wpp { guid, number }, schema)))
        };
        self.index.keys().copied().filter_map(entry)
    }

    fn at(&self, place: Place) -> Option<(&Text, &Group, &Definition)> {
        let text = self.texts.get(place.text)?;
        match (text.tmf.entries.get(place.group)?, text.tmf.entries.get(place.entry)?) {
            (TmfEntry::Group(group), TmfEntry::Definition(definition)) => Some((text, group, definition)),
            _ => None,
        }
    }

    /// Returns the loaded PDB file with this GUID.
    pub(crate) fn pdb(&self, guid: Guid) -> Option<&Path> {
        self.pdbs.get(&guid).map(PathBuf::as_path)
    }

    /// Returns the PDB file that a symbol store has.
    pub(crate) fn in_store(&self, name: &str, guid: Guid, age: u32) -> Option<PathBuf> {
        self.stores.iter().find_map(|root| store::find(root, name, guid, age))
    }
}

/// Returns a TMF file's text: UTF-16 if its first bytes say so, else UTF-8 or 8-bit.
fn decoded(bytes: &[u8]) -> String {
    utf16_file(bytes).unwrap_or_else(|| {
        let mut text = String::with_capacity(bytes.len());
        AnsiText(bytes).push_to(&mut text);
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_that_differ_are_alternatives() {
        let text = |item| {
            format!("2363c985-9b6e-3283-34a7-e8c27a60b889 sys\n#typev a_c1 10 \"%0%10!s!\"\n{{\na, {item} -- 10\n}}\n")
        };
        let mut symbols = Symbols::default();
        for item in ["ItemLong", "ItemLong", "ItemLongLong"] {
            symbols.add_text(&text(item));
        }
        let guid = "2363c985-9b6e-3283-34a7-e8c27a60b889".parse().unwrap();
        let schema = symbols.schema(guid, 10).unwrap().unwrap();
        let second = schema.alternative().unwrap();
        assert!(second.alternative().is_none() && symbols.schema(guid, 11).unwrap().is_none());
        assert_eq!((symbols.len(), symbols.is_empty()), (1, false));
    }

    #[test]
    fn a_bad_definition_does_not_take_the_others_with_it() {
        let text =
            |items: &str| format!("2363c985-9b6e-3283-34a7-e8c27a60b889 sys\n#typev a_c1 10 \"%0\"\n{{\n{items}}}\n");
        let bad = "a, ItemLong -- 10\n".repeat(limits::MAX_FIELDS + 1);
        let guid = "2363c985-9b6e-3283-34a7-e8c27a60b889".parse().unwrap();
        let mut symbols = Symbols::default();
        symbols.add_text(&text(&bad));
        assert!(symbols.schema(guid, 10).is_err());
        symbols.add_text(&text("a, ItemLongLong -- 10\n"));
        let schema = symbols.schema(guid, 10).unwrap().unwrap();
        assert_eq!((schema.fields().len(), schema.alternative().is_none()), (1, true));
    }

    #[test]
    fn texts_may_be_utf16() {
        assert_eq!(decoded(&[0xFF, 0xFE, b'a', 0, 0xFC, 0]), "aü");
        assert_eq!(decoded(b"a\xFC"), "aü");
    }
}
