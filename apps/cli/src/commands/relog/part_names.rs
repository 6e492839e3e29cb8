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

    /// The name of the next file: after a label, which may be cut, and the id of a process.
    pub(super) fn next(&mut self, label: &str, pid: Option<u32>) -> PathBuf {
        let label = Some(safe_name(label)).filter(|label| !label.is_empty());
        let parts = [Some(self.stem.clone()), label, pid.map(|pid| pid.to_string())];
        let stem: Vec<String> = parts.into_iter().flatten().collect();
        self.folder.join(self.names.take(&stem.join("-"), &self.extension))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_and_stay_in_the_folder() {
        let mut names = PartNames::new(Path::new("out/a.etl"));
        assert_eq!(names.next("001", None), Path::new("out/a-001.etl"));
        assert_eq!(names.next("../x y", None), Path::new("out/a-___x_y.etl"));
        assert_eq!(names.next("../X y", None), Path::new("out/a-___X_y-2.etl"));
        assert_eq!(PartNames::new(Path::new("b")).next("c", None), Path::new("b-c.etl"));
    }

    #[test]
    fn names_of_processes_have_their_id() {
        let mut names = PartNames::new(Path::new("a.etl"));
        assert_eq!(names.next("app.exe", Some(208)), Path::new("a-app_exe-208.etl"));
        assert_eq!(names.next("", Some(4)), Path::new("a-4.etl"));
        let long = names.next(&"x".repeat(250), Some(208));
        assert!(long.to_string_lossy().ends_with("xx-208.etl"), "{}", long.display());
        assert!(long.as_os_str().len() < 150, "{}", long.display());
    }
}
