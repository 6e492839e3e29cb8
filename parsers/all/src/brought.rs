//! Files of a user, sorted by what they are.

use std::path::{Path, PathBuf};

use etwkit::Result;
use etwkit::input::has_extension;

use crate::{Additions, Manifests, Mof, UserSchemas};

impl Additions {
    /// Reads the files and folders of a user, as `etwkit dump --schemas … --symbols …` does: schemas are `.schema` files,
    /// manifests, binaries with manifests, MOF files; symbols are TMF and PDB files and symbol stores. Returns also a
    /// sentence for each file of a folder that could not be read, and for each path with nothing in it.
    ///
    /// # Errors
    ///
    /// For a path that does not exist, and for a named file that cannot be read.
    pub fn load(schemas: &[PathBuf], symbols: &[PathBuf]) -> Result<(Self, Vec<String>)> {
        let mut additions = Self::load_schemas(schemas)?;
        let mut notes: Vec<String> = additions.schema_notes().collect();
        let empty = additions.folders_without_schemas(schemas);
        notes.extend(empty.map(|folder| format!("{}: no schemas in this folder", folder.display())));
        for path in symbols {
            let added = additions.symbols.add_path(path).map_err(|error| error.of_file(path.display()))?;
            if added == 0 && path.is_file() {
                notes.push(format!("{}: no definitions of WPP messages", path.display()));
            }
        }
        notes.extend(additions.symbols.problems().map(|problem| format!("{problem:#}")));
        Ok((additions, notes))
    }

    /// Reads the files and folders with schemas alone. A folder may hold files of all kinds.
    ///
    /// # Errors
    ///
    /// As [`Additions::load`].
    pub fn load_schemas(paths: &[PathBuf]) -> Result<Self> {
        let is_text = |path: &Path| has_extension(path, UserSchemas::EXTENSIONS);
        let is_mof = |path: &Path| has_extension(path, Mof::EXTENSIONS);
        let folders = paths.iter().filter(|path| path.is_dir());
        let texts = paths.iter().filter(|path| !path.is_dir() && is_text(path));
        let mof = paths.iter().filter(|path| path.is_dir() || is_mof(path));
        let manifests = paths.iter().filter(|path| path.is_dir() || !(is_text(path) || is_mof(path)));
        Ok(Self {
            schemas: UserSchemas::load(texts.chain(folders))?,
            manifests: Manifests::load(manifests)?,
            mof: Mof::load(mof)?,
            ..Self::default()
        })
    }

    /// Returns the extensions of the files that are read of a folder with schemas.
    pub fn schema_extensions() -> Vec<&'static str> {
        [UserSchemas::EXTENSIONS, Manifests::EXTENSIONS, Mof::EXTENSIONS].concat()
    }

    /// Returns a sentence for each file of a folder that has no schemas although it looks like it, and for what was left
    /// out of others.
    pub fn schema_notes(&self) -> impl Iterator<Item = String> {
        let skipped = self.manifests.skipped().iter().chain(self.mof.skipped());
        let skipped = skipped.map(|(path, error)| format!("{}: no schemas: {error:#}", path.display()));
        skipped.chain(self.mof.notes().iter().map(ToString::to_string))
    }

    /// Returns the folders among these paths in which no file has schemas.
    pub fn folders_without_schemas<'p>(&self, paths: &'p [PathBuf]) -> impl Iterator<Item = &'p Path> {
        let Self { schemas, manifests, mof, .. } = self;
        let files = || schemas.files().chain(manifests.files()).chain(mof.files());
        let folders = paths.iter().map(PathBuf::as_path).filter(|path| path.is_dir());
        folders.filter(move |folder| !files().any(|file| file.starts_with(folder)))
    }
}
