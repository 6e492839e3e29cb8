//! Schemas and symbols among the files of the page.

use std::path::Path;
use std::sync::Arc;

use etwkit::bytes::file_text;
use etwkit_parsers::wpp::{Symbols, extract_bytes};
use etwkit_parsers::{Additions, Manifests, Mof, UserSchemas};

use crate::files::{PageFile, ReadFile};
use crate::request::FileRequest;

/// Bytes of a file of schemas or symbols that are read.
const MAX_FILE: u64 = 256 << 20;

/// What a file is, by the end of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Trace,
    Schemas,
    Manifest,
    Mof,
    Tmf,
    Pdb,
}

impl Kind {
    /// Tells a file by its name.
    pub(crate) fn of(name: &str) -> Self {
        let extension = Path::new(name).extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        match extension.to_ascii_lowercase().as_str() {
            "schema" => Self::Schemas,
            "man" | "xml" => Self::Manifest,
            "mof" | "mfl" => Self::Mof,
            "tmf" => Self::Tmf,
            "pdb" => Self::Pdb,
            _ => Self::Trace,
        }
    }
}

/// Reads all schemas and symbols among the files. A file that cannot be used is a note, not an error.
pub(crate) fn additions(reader: &Arc<dyn ReadFile>, files: &[FileRequest], notes: &mut Vec<String>) -> Additions {
    let mut collected = Collected::default();
    for (number, file) in files.iter().enumerate() {
        let kind = Kind::of(&file.name);
        if kind == Kind::Trace {
            continue;
        }
        let read = PageFile::new(reader, number, file.len).whole(MAX_FILE).map_err(|error| error.to_string());
        if let Err(error) = read.and_then(|bytes| collected.add(kind, &file.name, bytes)) {
            notes.push(format!("{}: not used: {error}", file.name));
        }
    }
    collected.finish(notes)
}

#[derive(Default)]
struct Collected {
    texts: String,
    providers: Vec<etwkit_parsers::manifest::Provider>,
    mof: String,
    symbols: Symbols,
}

impl Collected {
    fn add(&mut self, kind: Kind, name: &str, bytes: Vec<u8>) -> Result<(), String> {
        match kind {
            Kind::Trace => {}
            Kind::Schemas => {
                let text = file_text(&bytes);
                UserSchemas::parse(&text).map_err(|error| error.to_string())?;
                self.texts.push_str(&text);
                self.texts.push('\n');
            }
            Kind::Manifest => {
                let parsed = etwkit_parsers::manifest::xml::parse(&bytes).map_err(|error| error.to_string())?;
                self.providers.extend(parsed);
            }
            Kind::Mof => {
                Mof::parse(name, &bytes).map_err(|error| error.to_string())?;
                self.mof.push_str(&file_text(&bytes));
                self.mof.push('\n');
            }
            Kind::Tmf => self.symbols.add_text(&String::from_utf8_lossy(&bytes)),
            Kind::Pdb => {
                let symbols = extract_bytes(bytes, name).map_err(|error| error.to_string())?;
                self.symbols.add_pdb(Path::new(name), symbols);
            }
        }
        Ok(())
    }

    fn finish(self, notes: &mut Vec<String>) -> Additions {
        let mut additions = Additions::default();
        match UserSchemas::parse(&self.texts) {
            Ok(schemas) => additions.schemas = schemas,
            Err(error) => notes.push(format!("schemas: not used together: {error}")),
        }
        match Mof::parse("dropped.mof", self.mof.as_bytes()) {
            Ok(mof) => additions.mof = mof,
            Err(error) if !self.mof.is_empty() => notes.push(format!("MOF files: not used together: {error}")),
            Err(_) => {}
        }
        additions.manifests = Manifests::from_providers(self.providers);
        additions.symbols = self.symbols;
        additions
    }
}
