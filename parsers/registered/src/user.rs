//! Schema files that a user gives: `--schemas PATH`.

use std::fs;
use std::path::{Path, PathBuf};

use etwkit::bytes::{Guid, file_text};
use etwkit::error::{Error, Result};
use etwkit::event::RawEvent;
use etwkit::limits;
use etwkit::parser::{Claims, Parser, TraceFacts};
use etwkit::schema::{Schema, SchemaEntry};
use etwkit::tables::UserTables;

/// Folders within folders that are searched.
const MAX_DEPTH: usize = 16;

/// Schemas of `.schema` files. A file that was given later is asked first; so a user can correct a collection.
#[derive(Debug, Default)]
pub struct UserSchemas {
    files: Vec<(PathBuf, UserTables)>,
    claims: Vec<Guid>,
}

impl UserSchemas {
    /// Reads files, and the `.schema` files of folders and the folders in them, in the order of their names.
    ///
    /// Another error than of the file system names the file and the line.
    pub fn load(paths: impl IntoIterator<Item = impl AsRef<Path>>) -> Result<Self> {
        let mut schemas = Self::default();
        for path in paths {
            for file in schema_files(path.as_ref())? {
                schemas.add(file)?;
            }
        }
        schemas.files.reverse();
        schemas.claims.sort_unstable();
        schemas.claims.dedup();
        Ok(schemas)
    }

    /// The files, first the one that is asked first.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(|(path, _)| path.as_path())
    }

    /// All schemas, first those of the file that is asked first.
    pub fn entries(&self) -> impl Iterator<Item = SchemaEntry> + '_ {
        self.files.iter().flat_map(|(_, tables)| tables.set().entries())
    }

    fn add(&mut self, file: PathBuf) -> Result<()> {
        let bytes = read(&file).map_err(|error| error.of_file(file.display()))?;
        let tables = UserTables::parse(&file_text(&bytes)).map_err(|error| error.of_file(file.display()))?;
        if let Claims::Providers(guids) = tables.claims() {
            self.claims.extend(guids);
        }
        self.files.push((file, tables));
        Ok(())
    }
}

fn read(file: &Path) -> Result<Vec<u8>> {
    if fs::metadata(file)?.len() > limits::MAX_TEXT as u64 {
        return Err(Error::limit("bytes of a schema text", limits::MAX_TEXT));
    }
    Ok(fs::read(file)?)
}

impl Parser for UserSchemas {
    fn name(&self) -> &'static str {
        "user"
    }

    fn claims(&self) -> Claims<'_> {
        Claims::Providers(&self.claims)
    }

    fn schema(&self, event: &RawEvent<'_>, facts: &TraceFacts) -> Result<Option<Schema>> {
        let key = event.key();
        for (_, tables) in self.files.iter().filter(|(_, tables)| tables.claims().holds(&key)) {
            if let Some(schema) = tables.schema(event, facts)? {
                return Ok(Some(schema));
            }
        }
        Ok(None)
    }
}

/// The file itself, or the schema files of a folder.
fn schema_files(path: &Path) -> Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    let mut folders = vec![(path.to_owned(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(|error| Error::from(error).of_file(folder.display()))? {
            let entry = entry?;
            // A link to a folder is not followed: it may lead back.
            if entry.file_type()?.is_dir() {
                folders.extend((depth < MAX_DEPTH).then(|| (entry.path(), depth + 1)));
            } else if entry.path().extension().is_some_and(|extension| extension == "schema") {
                files.push(entry.path());
            }
        }
        if files.len() > limits::MAX_FILES {
            return Err(Error::limit("schema files", limits::MAX_FILES));
        }
    }
    files.sort_unstable();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "provider \"P\" {00000000-0000-0000-0000-000000000001}\nevent id 1 { A u8 }\n";

    #[test]
    fn folders_are_searched_and_errors_name_the_file() {
        let folder = std::env::temp_dir().join(format!("etwkit-user-schemas-{}", std::process::id()));
        let inner = folder.join("inner");
        fs::create_dir_all(&inner).unwrap();
        fs::write(folder.join("a.schema"), TEXT).unwrap();
        // As PowerShell writes what a program prints into a file.
        let wide = "\u{FEFF}".encode_utf16().chain(TEXT.encode_utf16()).flat_map(u16::to_le_bytes);
        fs::write(inner.join("b.schema"), wide.collect::<Vec<u8>>()).unwrap();
        fs::write(folder.join("notes.txt"), "not a schema").unwrap();
        let loaded = UserSchemas::load([&folder]).unwrap();
        assert_eq!(loaded.files().count(), 2);
        assert_eq!(loaded.claims(), Claims::Providers(&[Guid::from_u128(1)]));
        let error = UserSchemas::load([folder.join("notes.txt")]).unwrap_err().to_string();
        assert!(error.contains("line 1") && error.contains("notes.txt"), "{error}");
        let error = UserSchemas::load([folder.join("none.schema")]).unwrap_err().to_string();
        assert!(error.contains("none.schema"), "{error}");
        fs::remove_dir_all(&folder).unwrap();
    }
}
