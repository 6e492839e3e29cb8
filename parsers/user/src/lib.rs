//! Schemas that users write: `.schema` files, and texts in the same form (`docs/schema-text.md`).
//!
//! ```
//! use etwkit::parser::Parsers;
//! use etwkit_user_schemas::UserSchemas;
//!
//! let text = "provider \"Door\" {5e7a1000-0001-4b1d-9c0d-e7a51d0c0001}\nevent id 100 { Number u32 }";
//! let parsers = Parsers::none().with(UserSchemas::parse(text)?);
//! # Ok::<(), etwkit::Error>(())
//! ```

use std::path::{Path, PathBuf};
use std::sync::Arc;

use etwkit::bytes::{Guid, file_text};
use etwkit::error::{Error, Result};
use etwkit::event::RawEvent;
use etwkit::input::{FolderFiles, read_whole};
use etwkit::limits;
use etwkit::parser::{Claims, SchemaProvider, TraceFacts};
use etwkit::schema::{Schema, SchemaEntry, SchemaSet, text};

/// Folders within folders that are searched.
const MAX_DEPTH: usize = 16;

/// Schemas of texts in the text form. Later files take precedence, so a user can correct a collection.
/// Clones share the schemas.
#[derive(Clone, Debug, Default)]
pub struct UserSchemas {
    /// In order of precedence.
    texts: Arc<[UserText]>,
}

#[derive(Debug)]
struct UserText {
    file: Option<PathBuf>,
    set: SchemaSet,
}

impl UserSchemas {
    /// Extensions of the files that are read of a folder.
    pub const EXTENSIONS: &[&str] = &["schema"];

    /// Reads a text.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Syntax`](etwkit::ErrorKind::Syntax) with the line for a text that does not follow the grammar.
    pub fn parse(text: &str) -> Result<Self> {
        Ok(Self { texts: [UserText::parse(text)?].into() })
    }

    /// Reads files, and the `.schema` files of folders and the folders in them, in the order of their names.
    ///
    /// # Errors
    ///
    /// For a file or folder that cannot be read, or whose text does not follow the grammar. The error names it.
    pub fn load(paths: impl IntoIterator<Item = impl AsRef<Path>>) -> Result<Self> {
        let mut texts = Vec::new();
        for path in paths {
            for file in schema_files(path.as_ref())? {
                let text = UserText::load(&file).map_err(|error| error.of_file(file.display()))?;
                texts.push(UserText { file: Some(file), ..text });
            }
        }
        texts.reverse();
        Ok(Self { texts: texts.into() })
    }

    /// Returns the files in order of precedence.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.texts.iter().filter_map(|text| text.file.as_deref())
    }

    /// Returns all schemas in order of precedence. None is an error.
    pub fn entries(&self) -> impl Iterator<Item = Result<SchemaEntry>> + '_ {
        self.texts.iter().flat_map(|text| text.set.entries()).map(Ok)
    }
}

impl UserText {
    fn parse(text: &str) -> Result<Self> {
        Ok(Self { file: None, set: text::parse(text)?.into_iter().collect() })
    }

    fn load(file: &Path) -> Result<Self> {
        Self::parse(&file_text(&read_whole(file, "bytes of a schema text", limits::MAX_TEXT)?))
    }
}

impl SchemaProvider for UserSchemas {
    fn name(&self) -> &'static str {
        "user"
    }

    fn claims(&self) -> Claims {
        let guids = self.texts.iter().flat_map(|text| text.set.providers());
        Claims::providers(guids.copied().collect::<Vec<Guid>>())
    }

    fn schema(&self, event: &RawEvent<'_>, facts: &TraceFacts) -> Result<Option<Schema>> {
        Ok(self.texts.iter().find_map(|text| text.set.of_event(event, facts.os_build)))
    }
}

/// Returns the file itself, or the schema files of a folder.
fn schema_files(path: &Path) -> Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let found = FolderFiles::find(path, UserSchemas::EXTENSIONS, MAX_DEPTH)?;
    if let Some((folder, error)) = found.unreadable.into_iter().next() {
        return Err(error.of_file(folder.display()));
    }
    if found.files.len() > limits::MAX_FILES {
        return Err(Error::limit("schema files", limits::MAX_FILES));
    }
    Ok(found.files)
}

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(test)]
mod tests {
    use std::fs;

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
        assert_eq!(loaded.claims(), Claims::providers(vec![Guid::from_u128(1); 2]));
        let error = UserSchemas::load([folder.join("notes.txt")]).unwrap_err().to_string();
        assert!(error.contains("line 1") && error.contains("notes.txt"), "{error}");
        let error = UserSchemas::load([folder.join("none.schema")]).unwrap_err().to_string();
        assert!(error.contains("none.schema"), "{error}");
        fs::remove_dir_all(&folder).unwrap();
    }
}
