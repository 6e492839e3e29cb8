//! Chooses the symbol file of a module.

use std::path::PathBuf;

use crate::breakpad;
use crate::contents::Contents;
use crate::frame::{Missing, Provenance, Source, Warning};
use crate::identity::{ImageId, Module, PdbId};
use crate::image::{Image, image_id};
use crate::opened::Names;
use crate::options::Options;
use crate::pdb;
use crate::search::{Candidate, Finder};

/// The symbol file of a module, and how to open it again.
#[derive(Debug, Default)]
pub(crate) struct Located {
    pub(crate) source: Source,
    pub(crate) candidate: Option<Candidate>,
}

/// A file that was opened.
pub(crate) struct Open {
    pub(crate) names: Names,
    /// Length of the file.
    pub(crate) bytes: u64,
}

/// Looks for the symbol file of a module. The best one is a PDB file of the same GUID and age, then a Breakpad file of the
/// same id, a PDB file of another age, and the image itself for the names that it exports.
pub(crate) fn locate(finder: &mut Finder, module: &Module, options: Options) -> (Located, Option<Open>) {
    let mut search = Search { finder, options, missing: Vec::new() };
    let image = module.image_id();
    let mut opened_image = None;
    let mut pdb = module.pdb.clone();
    if pdb.is_none() {
        // A trace that was not merged does not name the PDB file; the image does.
        opened_image = image.and_then(|id| search.image(module.file_name(), id));
        pdb = opened_image.as_ref().and_then(|(_, image, _)| image.pdb.clone());
    }
    let found = pdb.as_ref().and_then(|id| search.debug_file(id));
    // An image is also read for the name of its PDB file; without exports it names nothing.
    let found = found.or_else(|| {
        let (candidate, image, bytes) =
            opened_image.or_else(|| image.and_then(|id| search.image(module.file_name(), id)))?;
        if image.exports.is_empty() {
            search.unusable(candidate.path, "it exports no function".to_owned());
            return None;
        }
        let open = Open { names: Names::Exports(image.exports), bytes };
        Some((candidate, Provenance::Export, None, open))
    });
    let mut missing = search.missing;
    if let Some((candidate, provenance, warning, open)) = found {
        let source = Source { provenance, path: Some(candidate.path.clone()), warning, missing };
        (Located { source, candidate: Some(candidate) }, Some(open))
    } else {
        missing.push(if pdb.is_none() && image.is_none() { Missing::Unidentified } else { Missing::NotFound });
        (Located { source: Source { missing, ..Source::default() }, candidate: None }, None)
    }
}

/// A file that names addresses: where it is, its kind, why its names may be wrong, and its names.
type Chosen = (Candidate, Provenance, Option<Warning>, Open);

struct Search<'f> {
    finder: &'f mut Finder,
    options: Options,
    /// What was wrong with files that were found.
    missing: Vec<Missing>,
}

impl Search<'_> {
    fn debug_file(&mut self, id: &PdbId) -> Option<Chosen> {
        let (mut of_age, mut of_other_age) = (Vec::new(), Vec::new());
        for candidate in self.finder.pdbs(id) {
            match candidate.contents(self.finder.path()).and_then(|contents| Ok((pdb::identity(&contents)?, contents)))
            {
                Ok((found, contents)) if found.guid == id.guid && found.age == id.age => {
                    of_age.push((candidate, contents, None));
                }
                Ok((found, contents)) if found.guid == id.guid => {
                    let warning = Warning::Age { wanted: id.age, found: found.age };
                    of_other_age.push((candidate, contents, Some(warning)));
                }
                Ok((found, _)) => {
                    let other = PdbId::new("", found.guid, found.age).key();
                    self.unusable(candidate.path, format!("it is {other}, not {}", id.key()));
                }
                Err(reason) => self.unusable(candidate.path, reason),
            }
        }
        self.first(Provenance::Pdb, of_age)
            .or_else(|| self.breakpad(id))
            .or_else(|| self.first(Provenance::Pdb, of_other_age))
    }

    fn breakpad(&mut self, id: &PdbId) -> Option<Chosen> {
        let mut good = Vec::new();
        for candidate in self.finder.breakpads(id) {
            match candidate.contents(self.finder.path()) {
                Ok(contents) if breakpad::debug_id(&contents) == Some(id.key()) => {
                    good.push((candidate, contents, None));
                }
                Ok(_) => self.unusable(candidate.path, format!("it is not of {}", id.key())),
                Err(reason) => self.unusable(candidate.path, reason),
            }
        }
        self.first(Provenance::Breakpad, good)
    }

    /// Returns the first of several files that opens.
    fn first(&mut self, kind: Provenance, files: Vec<(Candidate, Contents, Option<Warning>)>) -> Option<Chosen> {
        for (candidate, contents, warning) in files {
            let bytes = contents.len();
            match Names::open(kind, contents, self.options) {
                Ok(names) => return Some((candidate, kind, warning, Open { names, bytes })),
                Err(reason) => self.unusable(candidate.path, reason),
            }
        }
        None
    }

    fn image(&mut self, name: &str, id: ImageId) -> Option<(Candidate, Image, u64)> {
        for candidate in self.finder.images(name, id) {
            let read = candidate.contents(self.finder.path()).and_then(|contents| match image_id(&contents) {
                Some(found) if found == id => Ok((Image::read(&contents, self.options)?, contents.len())),
                Some(found) => Err(format!("it is {}, not {}", found.key(), id.key())),
                None => Err("not an image of Windows".to_owned()),
            });
            match read {
                Ok((image, bytes)) => return Some((candidate, image, bytes)),
                Err(reason) => self.unusable(candidate.path, reason),
            }
        }
        None
    }

    fn unusable(&mut self, path: PathBuf, reason: String) {
        let missing = Missing::Unusable { path, reason };
        // A store and a flat folder may be the same.
        if !self.missing.contains(&missing) {
            self.missing.push(missing);
        }
    }
}
