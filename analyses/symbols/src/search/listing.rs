//! Files by name, whatever the case of its letters.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Folders that were listed. Windows does not distinguish capital letters from small ones, other systems do.
#[derive(Debug, Default)]
pub(crate) struct Listings {
    folders: HashMap<PathBuf, HashMap<String, PathBuf>>,
    /// Names in all of them.
    names: usize,
}

impl Listings {
    /// Returns the file or folder of a name in a folder.
    pub(crate) fn child(&mut self, folder: &Path, name: &str) -> Option<PathBuf> {
        let exact = folder.join(name);
        if exact.exists() {
            return Some(exact);
        }
        self.listing(folder).get(&name.to_ascii_lowercase()).cloned()
    }

    /// Returns what several names lead to, one below the other.
    pub(crate) fn descend(&mut self, folder: &Path, names: &[&str]) -> Option<PathBuf> {
        names.iter().try_fold(folder.to_owned(), |folder, name| self.child(&folder, name))
    }

    fn listing(&mut self, folder: &Path) -> &HashMap<String, PathBuf> {
        if !self.folders.contains_key(folder) {
            let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().take(MAX_NAMES);
            let name = |path: PathBuf| Some((path.file_name()?.to_str()?.to_ascii_lowercase(), path));
            let listed: HashMap<String, PathBuf> = entries.filter_map(|entry| name(entry.path())).collect();
            if self.names + listed.len() > MAX_NAMES {
                self.folders.clear();
                self.names = 0;
            }
            self.names += listed.len();
            self.folders.insert(folder.to_owned(), listed);
        }
        self.folders.entry(folder.to_owned()).or_default()
    }
}

/// Names that are kept.
const MAX_NAMES: usize = 1 << 20;
