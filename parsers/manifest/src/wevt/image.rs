//! Resources of a PE file.

use std::fs::File;
use std::path::Path;

use etwkit::error::{Error, ErrorKind, Result};
use object::pe::{self, ImageNtHeaders32, ImageNtHeaders64};
use object::read::pe::{
    ImageNtHeaders, PeFile, ResourceDirectory, ResourceDirectoryTable, ResourceNameOrId, SectionTable,
};
use object::{FileKind, LittleEndian as LE, ReadCache, ReadRef};

use super::Messages;

/// The parts of a PE file that describe events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Resources {
    /// `WEVT_TEMPLATE` resources.
    pub templates: Vec<Vec<u8>>,
    /// Its message tables.
    pub messages: Messages,
}

/// The limit on entries of resource directories: a crafted file may refer to the same bytes again and again.
const MAX_ENTRIES: usize = 1 << 16;
/// Bytes of resources; those of a directory, and those that are read together.
const MAX_BYTES: usize = 64 << 20;
/// `RT_MESSAGETABLE`.
const MESSAGE_TABLE: u16 = 11;
/// US English, preferred as in manifests; then neutral, then the others as they come.
const LANGUAGES: [u16; 2] = [0x409, 0];

impl Resources {
    /// Reads them from a file's bytes.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        of(bytes)
    }

    /// Reads the resources of a file. Only headers and resources are read.
    pub fn open(path: &Path) -> Result<Self> {
        let cache = ReadCache::new(File::open(path).map_err(Error::opening)?);
        of(&cache)
    }
}

fn of<'d, R: ReadRef<'d>>(data: R) -> Result<Resources> {
    match FileKind::parse(data).map_err(|error| broken(&error))? {
        FileKind::Pe32 => of_image::<ImageNtHeaders32, R>(data),
        FileKind::Pe64 => of_image::<ImageNtHeaders64, R>(data),
        _ => Err(Error::schema("no PE file")),
    }
}

fn of_image<'d, H: ImageNtHeaders, R: ReadRef<'d>>(data: R) -> Result<Resources> {
    let file = PeFile::<H, R>::parse(data).map_err(|error| broken(&error))?;
    let Some(entry) = file.data_directory(pe::IMAGE_DIRECTORY_ENTRY_RESOURCE) else {
        return Ok(Resources::default());
    };
    let (address, size) = entry.address_range();
    if address == 0 {
        return Ok(Resources::default());
    }
    let mut image = Image { data, sections: file.section_table(), entries: MAX_ENTRIES, bytes: MAX_BYTES };
    let directory = ResourceDirectory::new(image.read(address, size)?);
    image.resources(directory)
}

struct Image<'d, R> {
    data: R,
    sections: SectionTable<'d>,
    entries: usize,
    bytes: usize,
}

impl<'d, R: ReadRef<'d>> Image<'d, R> {
    /// Returns the bytes at an address of the loaded image.
    fn read(&mut self, address: u32, size: u32) -> Result<&'d [u8]> {
        let Some(left) = self.bytes.checked_sub(size as usize) else {
            return Err(Error::limit("bytes of resources", MAX_BYTES));
        };
        self.bytes = left;
        let range = self.sections.pe_file_range_at(address).filter(|(_, have)| size <= *have);
        let bytes = range.and_then(|(offset, _)| self.data.read_bytes_at(offset.into(), size.into()).ok());
        bytes.ok_or_else(|| Error::invalid("address of a resource", address.into()))
    }

    /// Type, name, language: three levels.
    fn resources(&mut self, directory: ResourceDirectory<'d>) -> Result<Resources> {
        let mut found = Resources::default();
        let mut tables = Vec::new();
        let root = directory.root().map_err(|error| broken(&error))?;
        for entry in self.charged(&root)? {
            let is_template = match entry.name_or_id() {
                ResourceNameOrId::Name(name) => {
                    name.to_string_lossy(directory).is_ok_and(|name| name == "WEVT_TEMPLATE")
                }
                ResourceNameOrId::Id(MESSAGE_TABLE) => false,
                ResourceNameOrId::Id(_) => continue,
            };
            if !is_template && entry.has_name() {
                continue;
            }
            for (language, bytes) in self.leaves(directory, *entry)? {
                if is_template {
                    found.templates.push(bytes.to_vec());
                } else {
                    tables.push((rank(language), bytes));
                }
            }
        }
        tables.sort_by_key(|(rank, _)| *rank);
        tables.into_iter().try_for_each(|(_, table)| found.messages.add(table))?;
        Ok(found)
    }

    /// Returns all data below a type, with its language.
    fn leaves(
        &mut self,
        directory: ResourceDirectory<'d>,
        entry: pe::ImageResourceDirectoryEntry,
    ) -> Result<Vec<(u16, &'d [u8])>> {
        let mut leaves = Vec::new();
        let table = |entry: &pe::ImageResourceDirectoryEntry| entry.data(directory).map_err(|error| broken(&error));
        let Some(names) = table(&entry)?.table() else { return Ok(leaves) };
        for name in self.charged(&names)? {
            let Some(languages) = table(name)?.table() else { continue };
            for language in self.charged(&languages)? {
                let Some(data) = table(language)?.data() else { continue };
                let bytes = self.read(data.offset_to_data.get(LE), data.size.get(LE))?;
                leaves.push((language.name_or_id().id().unwrap_or(0), bytes));
            }
        }
        Ok(leaves)
    }

    fn charged(&mut self, table: &ResourceDirectoryTable<'d>) -> Result<&'d [pe::ImageResourceDirectoryEntry]> {
        let Some(left) = self.entries.checked_sub(table.entries.len()) else {
            return Err(Error::limit("entries of resource directories", MAX_ENTRIES));
        };
        self.entries = left;
        Ok(table.entries)
    }
}

fn rank(language: u16) -> usize {
    LANGUAGES.iter().position(|known| *known == language).unwrap_or(LANGUAGES.len())
}

fn broken(error: &object::Error) -> Error {
    Error::new(ErrorKind::Schema(format!("PE file: {error}")))
}
