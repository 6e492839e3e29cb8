//! The symbol files of a flat folder, by what they contain.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use etwkit::bytes::Guid;

use super::listing::Listings;
use crate::breakpad;
use crate::contents::Contents;
use crate::identity::ImageId;
use crate::image::image_id;
use crate::limits::MAX_FOLDER_FILES;
use crate::pdb;

/// The symbol files of a folder, and of the folders below it in which debuggers keep them.
#[derive(Debug, Default)]
pub(crate) struct Folder {
    /// Ages and files by GUID.
    pdbs: HashMap<Guid, Vec<(u32, PathBuf)>>,
    images: HashMap<ImageId, PathBuf>,
    /// By debug id.
    breakpads: HashMap<String, PathBuf>,
}

impl Folder {
    /// Looks into all symbol files of a folder. Files that cannot be read are skipped: they are not known to be wanted.
    pub(crate) fn read(root: &Path, listings: &mut Listings) -> Self {
        let mut folder = Self::default();
        let mut left = MAX_FOLDER_FILES;
        for below in BELOW {
            let Some(path) = listings.descend(root, below) else { continue };
            // In the order of names, so that of two files that are the same it is always the same one.
            let entries = std::fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path());
            let mut files: Vec<PathBuf> = entries.take(left).filter(|path| path.is_file()).collect();
            files.sort();
            left = left.saturating_sub(files.len());
            for file in files {
                folder.add(file);
            }
        }
        folder
    }

    fn add(&mut self, path: PathBuf) {
        let extension = path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
        let contents = Contents::Path(path.clone());
        match extension.as_deref() {
            Some("pdb") => {
                if let Ok(found) = pdb::identity(&contents) {
                    self.pdbs.entry(found.guid).or_default().push((found.age, path));
                }
            }
            Some("sym") => {
                if let Some(id) = breakpad::debug_id(&contents) {
                    self.breakpads.entry(id).or_insert(path);
                }
            }
            Some(extension) if IMAGES.contains(&extension) => {
                if let Some(id) = image_id(&contents) {
                    self.images.entry(id).or_insert(path);
                }
            }
            _ => {}
        }
    }

    /// Returns the PDB files of a GUID, those of the age first.
    pub(crate) fn pdbs(&self, guid: Guid, age: u32) -> Vec<PathBuf> {
        let mut found: Vec<&(u32, PathBuf)> = self.pdbs.get(&guid).into_iter().flatten().collect();
        found.sort_by_key(|(found, _)| *found != age);
        found.into_iter().map(|(_, path)| path.clone()).collect()
    }

    pub(crate) fn image(&self, id: ImageId) -> Option<PathBuf> {
        self.images.get(&id).cloned()
    }

    pub(crate) fn breakpad(&self, debug_id: &str) -> Option<PathBuf> {
        self.breakpads.get(debug_id).cloned()
    }
}

/// Where debuggers look below a folder of their search path.
const BELOW: [&[&str]; 7] =
    [&[], &["dll"], &["exe"], &["sys"], &["symbols", "dll"], &["symbols", "exe"], &["symbols", "sys"]];
/// Extensions of files that Windows loads as images.
const IMAGES: [&str; 10] = ["acm", "ax", "cpl", "dll", "drv", "efi", "exe", "ocx", "scr", "sys"];

/// Returns whether a file of this name is looked at for names of code: PDB files, images, these packed by the symbol
/// server (`.pd_`), text of Breakpad and pointers of symbol stores.
pub fn may_name_code(path: &Path) -> bool {
    let extension =
        path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    ["pdb", "sym", "ptr"].contains(&&*extension) || IMAGES.contains(&&*extension) || extension.ends_with('_')
}
