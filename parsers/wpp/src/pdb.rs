//! Message definitions in PDB files.
//!
//! The compiler leaves each WPP message as an annotation in its module's symbols: `S_ANNOTATION` with the strings `TMF:`,
//! the GUID line, `#typev ...`, `{`, an argument a string, `}` (section 12.2). Joined by line ends they are a TMF text.

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::path::Path;

use etwkit::bytes::{AnsiText, Guid};
use etwkit::error::{Error, Result};
use ms_pdb::syms::{SymData, SymKind};
use ms_pdb::{Pdb, RandomAccessFile, ReadAt};

use crate::guard;
use crate::tmf::{self, Tmf, TmfEntry};

/// What a PDB file says of messages.
#[derive(Clone, Debug)]
pub struct PdbSymbols {
    /// Its GUID, by which a binary and a trace name it.
    pub guid: Guid,
    /// Its age.
    pub age: u32,
    /// A TMF text a message GUID, in the order of GUIDs.
    pub files: Vec<TmfFile>,
}

/// The definitions of one message GUID.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TmfFile {
    /// The message GUID.
    pub guid: Guid,
    /// The definitions; `to_string()` is the file's text.
    pub tmf: Tmf,
}

impl TmfFile {
    /// The name under which tracepdb would store it.
    pub fn name(&self) -> String {
        format!("{}.tmf", self.guid)
    }
}

/// Reads the definitions of a PDB file: MSF 7, or MSFZ (compressed).
pub fn extract(path: &Path) -> Result<PdbSymbols> {
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let file = File::open(path).map_err(Error::opening)?;
    let len = file.metadata().map_err(Error::reading)?.len();
    open(RandomAccessFile::from(file), len, &name)
}

/// As [`extract`], from a file's bytes; `name` goes into a comment of each TMF text.
pub fn extract_bytes(bytes: Vec<u8>, name: &str) -> Result<PdbSymbols> {
    let len = bytes.len() as u64;
    open(bytes, len, name)
}

fn open<F: ReadAt>(file: F, len: u64, name: &str) -> Result<PdbSymbols> {
    let room = guard::check(&file, len).map_err(|detail| broken(name, &detail))?;
    let pdb = Pdb::open_from_random_file(file).map_err(|error| broken(name, &error))?;
    read(&pdb, name, room)
}

fn broken(name: &str, error: &impl std::fmt::Display) -> Error {
    Error::caller(format!("{name}: {error:#}"))
}

/// `room` is how many bytes all streams may have.
fn read<F: ReadAt>(pdb: &Pdb<F>, name: &str, room: u64) -> Result<PdbSymbols> {
    let key = pdb.binding_key();
    let mut files = Files::default();
    let mut streams = HashSet::new();
    let mut left = room;
    let modules = pdb.modules().map_err(|error| broken(name, &error))?;
    for module in modules.iter() {
        // A stream belongs to one module; in a crafted file many may name the same, or streams that share their pages.
        let Some(stream) = module.stream().filter(|stream| streams.insert(*stream)) else { continue };
        if !guard::is_readable(pdb.container(), stream) {
            continue;
        }
        left = left
            .checked_sub(pdb.container().stream_len(stream))
            .ok_or_else(|| broken(name, &"its modules claim more than the file holds"))?;
        // A module that cannot be read says nothing of the others.
        let Ok(Some(stream)) = pdb.read_module_stream(&module) else { continue };
        for symbol in stream.iter_syms().filter(|symbol| symbol.kind == SymKind::S_ANNOTATION) {
            if let Ok(SymData::Annotation(annotation)) = symbol.parse()
                && let Some(tmf) = definitions(annotation.iter_strings())
            {
                files.add(tmf, name);
            }
        }
    }
    let files = files.0.into_iter().map(|(guid, (tmf, _))| TmfFile { guid, tmf }).collect();
    Ok(PdbSymbols { guid: Guid::from_u128(key.guid.as_u128()), age: key.age, files })
}

/// The text of an annotation, if it is one of WPP.
fn definitions(strings: impl IntoIterator<Item = impl AsRef<[u8]>>) -> Option<Tmf> {
    let mut strings = strings.into_iter();
    if strings.next()?.as_ref() != b"TMF:" {
        return None;
    }
    let mut text = String::new();
    for line in strings {
        AnsiText(line.as_ref()).push_to(&mut text);
        text.push('\n');
    }
    Some(tmf::parse(&text))
}

/// Texts by GUID, each with the entries that it has.
#[derive(Default)]
struct Files(BTreeMap<Guid, (Tmf, HashSet<TmfEntry>)>);

impl Files {
    /// Adds the definitions of an annotation to those of their GUID. Messages of a header or an inlined function are in
    /// every module that uses it.
    fn add(&mut self, annotation: Tmf, name: &str) {
        let mut current = None;
        for entry in annotation.entries {
            if let TmfEntry::Group(group) = &entry {
                current = Some(group.guid);
            }
            let Some(guid) = current.filter(|_| !matches!(entry, TmfEntry::Other(_))) else { continue };
            let (file, known) = self.0.entry(guid).or_default();
            if file.entries.is_empty() {
                file.entries.push(TmfEntry::Comment(format!(" PDB:  {name}").into()));
            }
            // A second component of one GUID starts a group of its own.
            if known.insert(entry.clone()) {
                file.entries.push(entry);
            }
        }
    }
}
