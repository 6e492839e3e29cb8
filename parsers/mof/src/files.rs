//! Files that a user has, and the parser.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use etwkit::bytes::Guid;
use etwkit::error::{Error, Result};
use etwkit::event::{Kind, RawEvent};
use etwkit::input::{FolderFiles, read_whole};
use etwkit::limits::MAX_FILES;
use etwkit::parser::{Claims, SchemaProvider, TraceFacts};
use etwkit::schema::{Schema, SchemaEntry, SchemaSelector};

use crate::events::Events;
use crate::limits;
use crate::repository::{Note, Repository};

/// Parser of classic events by the user's MOF files. Clones share what was read.
#[derive(Clone, Debug, Default)]
pub struct Mof(Arc<Loaded>);

#[derive(Debug, Default)]
struct Loaded {
    repository: Repository,
    events: Events,
    files: Vec<PathBuf>,
    skipped: Vec<(PathBuf, Error)>,
}

/// Folders within folders that are searched.
const MAX_DEPTH: usize = 16;

impl Mof {
    /// Extensions of the files that are read of a folder: MOF, and its texts in one language.
    pub const EXTENSIONS: &[&str] = &["mof", "mfl"];

    /// Reads a text: UTF-8 or UTF-16. `name` is what schemas have as their origin.
    ///
    /// A mistake in the grammar is [`etwkit::ErrorKind::Syntax`] with line and column.
    pub fn parse(name: &str, bytes: &[u8]) -> Result<Self> {
        let mut repository = Repository::default();
        repository.add(name, bytes)?;
        Self::of(repository, Vec::new(), Vec::new())
    }

    /// Reads files, and the `.mof` and `.mfl` files of folders and the folders in them, in the order of their names.
    /// Classes may have their base in another file.
    ///
    /// A named file that cannot be read is an error; of those found in a folder, see [`Mof::skipped`].
    pub fn load<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Result<Self> {
        let mut repository = Repository::default();
        let (mut files, mut skipped) = (Vec::new(), Vec::new());
        for path in paths {
            let path = path.as_ref();
            if !path.is_dir() {
                read(&mut repository, path).map_err(|error| error.of_file(path.display()))?;
                continue;
            }
            let folder = search(path)?;
            skipped.extend(folder.unreadable);
            for file in folder.files {
                match read(&mut repository, &file) {
                    Ok(()) => files.push(file),
                    Err(error) => skipped.push((file, error)),
                }
            }
        }
        Self::of(repository, files, skipped)
    }

    fn of(mut repository: Repository, files: Vec<PathBuf>, skipped: Vec<(PathBuf, Error)>) -> Result<Self> {
        repository.amend();
        let events = Events::of(&mut repository)?;
        Ok(Self(Arc::new(Loaded { repository, events, files, skipped })))
    }

    /// Files of folders that were read.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.0.files.iter().map(PathBuf::as_path)
    }

    /// Files of folders, and folders within them, that could not be read.
    pub fn skipped(&self) -> &[(PathBuf, Error)] {
        &self.0.skipped
    }

    /// Returns the parts of the files that did not become schemas.
    pub fn notes(&self) -> &[Note] {
        self.0.repository.notes()
    }

    /// Class GUID, opcode and version of all events; a class without `EventVersion` is for any version.
    pub fn events(&self) -> impl Iterator<Item = (Guid, u8, Option<u8>)> {
        self.0.events.keys()
    }

    /// Returns the schema of an event by its class GUID, opcode and version.
    pub fn find(&self, class: Guid, opcode: u8, version: u8) -> Result<Option<Schema>> {
        self.0.events.schema(&self.0.repository, class, opcode, version)
    }

    /// Returns all schemas, with each what chooses it; an error for a class whose description cannot be right. Layouts
    /// that only differ in their alternatives come once.
    pub fn entries(&self) -> impl Iterator<Item = Result<SchemaEntry>> + '_ {
        self.events().filter_map(|(class, opcode, version)| {
            let schema = self.find(class, opcode, version.unwrap_or(0)).transpose()?;
            let versions = version.map_or(0..=u8::MAX, |version| version..=version);
            let entry = |schema| SchemaEntry::new(SchemaSelector::Classic { class, opcode }, schema);
            Some(schema.map(|schema| entry(schema).versions(versions)))
        })
    }
}

impl SchemaProvider for Mof {
    fn name(&self) -> &'static str {
        "mof"
    }

    fn claims(&self) -> Claims {
        Claims::providers(self.0.events.guids())
    }

    fn schema(&self, event: &RawEvent<'_>, _: &TraceFacts) -> Result<Option<Schema>> {
        let key = event.key();
        match key.kind {
            Kind::Classic => self.find(key.provider, key.opcode, key.version),
            _ => Ok(None),
        }
    }
}

fn read(repository: &mut Repository, path: &Path) -> Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    repository.add(&name, &read_whole(path, "bytes of a MOF file", limits::MAX_FILE)?)
}

/// Returns the MOF files of a folder and of the folders in it, by name.
fn search(folder: &Path) -> Result<FolderFiles> {
    let found = FolderFiles::find(folder, Mof::EXTENSIONS, MAX_DEPTH)?;
    if found.files.len() > MAX_FILES {
        return Err(Error::limit("MOF files", MAX_FILES));
    }
    Ok(found)
}
