//! The names of several files.

use std::path::{Path, PathBuf};

use crate::output::{UniqueNames, safe_name};

/// Makes the names of files from one name.
#[derive(Debug)]
pub(super) struct PartNames {
    folder: PathBuf,
    stem: String,
    extension: String,
    names: UniqueNames,
}

impl PartNames {
    pub(super) fn new(output: &Path) -> Self {
        let text = |part: Option<&std::ffi::OsStr>| part.map(|part| part.to_string_lossy().into_owned());
        let folder = output.parent().unwrap_or_else(|| Path::new("")).to_owned();
        let (stem, extension) = (text(output.file_stem()), text(output.extension()));
        let (stem, extension) = (stem.unwrap_or_default(), extension.unwrap_or_else(|| "etl".to_owned()));
        Self { folder, stem, extension, names: UniqueNames::default() }
    }

    /// The name of the next file.
    pub(super) fn next(&mut self, label: &str) -> PathBuf {
        let name = self.names.take(&format!("{}-{}", self.stem, safe_name(label)), &self.extension);
        self.folder.join(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_and_stay_in_the_folder() {
        let mut names = PartNames::new(Path::new("out/a.etl"));
        assert_eq!(names.next("001"), Path::new("out/a-001.etl"));
        assert_eq!(names.next("../x y"), Path::new("out/a-___x_y.etl"));
        assert_eq!(names.next("../X y"), Path::new("out/a-___X_y-2.etl"));
        assert_eq!(PartNames::new(Path::new("b")).next("c"), Path::new("b-c.etl"));
    }
}
