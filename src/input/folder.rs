//! Files of a folder, by their extension.

use std::fs::{self, FileType};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::limits;

use super::paths::has_extension;

/// The files that a search of a folder finds: schemas, manifests or symbols that a user names by their folder.
///
/// ```no_run
/// use std::path::Path;
///
/// use etwkit::input::FolderFiles;
///
/// let found = FolderFiles::find(Path::new("manifests"), &["man", "xml"], usize::MAX)?;
/// println!("{} files, {} folders that cannot be listed", found.files.len(), found.unreadable.len());
/// # Ok::<(), etwkit::Error>(())
/// ```
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct FolderFiles {
    /// The files, in the order of their paths.
    pub files: Vec<PathBuf>,
    /// Folders that cannot be listed, or not to the end.
    pub unreadable: Vec<(PathBuf, Error)>,
}

impl FolderFiles {
    /// Searches a folder, and the folders in it down to `depth`; 0 is the folder alone. A file is found if it has one
    /// of the extensions, in upper or lower case. Links to files are followed, links to folders are not: they may lead
    /// back.
    ///
    /// # Errors
    ///
    /// For more than [`limits::MAX_FOLDER_ENTRIES`] files and folders. A folder that cannot be listed is not an error;
    /// see [`FolderFiles::unreadable`].
    pub fn find(folder: &Path, extensions: &[&str], depth: usize) -> Result<Self> {
        let mut found = Self::default();
        let (mut folders, mut seen) = (vec![(folder.to_owned(), 0)], 0);
        while let Some((folder, at)) = folders.pop() {
            let entries = match fs::read_dir(&folder) {
                Ok(entries) => entries,
                Err(error) => {
                    found.unreadable.push((folder, Error::opening(error)));
                    continue;
                }
            };
            for entry in entries {
                let entry = match entry {
                    Ok(entry) => entry,
                    Err(error) => {
                        found.unreadable.push((folder.clone(), Error::opening(error)));
                        break;
                    }
                };
                seen += 1;
                if seen > limits::MAX_FOLDER_ENTRIES {
                    return Err(Error::limit("files of a folder", limits::MAX_FOLDER_ENTRIES));
                }
                let is_folder = entry.file_type().as_ref().is_ok_and(FileType::is_dir);
                if is_folder && at < depth {
                    folders.push((entry.path(), at + 1));
                } else if !is_folder && has_extension(&entry.path(), extensions) && entry.path().is_file() {
                    found.files.push(entry.path());
                }
            }
        }
        found.files.sort_unstable();
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_by_extension_down_to_a_depth() {
        let folder = std::env::temp_dir().join(format!("etwkit-folder-{}", std::process::id()));
        let inner = folder.join("inner.man");
        fs::create_dir_all(&inner).unwrap();
        for file in [folder.join("b.MAN"), folder.join("a.xml"), folder.join("c.txt"), inner.join("d.man")] {
            fs::write(file, "").unwrap();
        }
        let names = |depth| {
            let found = FolderFiles::find(&folder, &["man", "xml"], depth).unwrap();
            assert_eq!(found.unreadable.len(), 0);
            let name = |path: PathBuf| path.strip_prefix(&folder).unwrap().to_str().unwrap().replace('\\', "/");
            found.files.into_iter().map(name).collect::<Vec<_>>()
        };
        assert_eq!(names(0), ["a.xml", "b.MAN"]);
        assert_eq!(names(1), ["a.xml", "b.MAN", "inner.man/d.man"]);
        fs::remove_dir_all(&folder).unwrap();
        let gone = FolderFiles::find(&folder, &["man"], 0).unwrap();
        assert_eq!((gone.files.len(), gone.unreadable.len()), (0, 1));
    }
}
