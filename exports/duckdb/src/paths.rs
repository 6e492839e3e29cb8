//! Files that paths and patterns name.

use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// Files of one call.
const MOST_FILES: usize = 10_000;

/// Returns the files, each once, in the order of the paths; those of a pattern by name. Folders, pipes and devices are
/// not files.
pub(crate) fn expand(paths: &[String]) -> Result<Vec<PathBuf>, Failure> {
    let mut files: Vec<PathBuf> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for path in paths {
        for file in one(path)? {
            if files.len() == MOST_FILES {
                return Err(Failure::new(format_args!("{path}: more than {MOST_FILES} files")));
            }
            if seen.insert(file.clone()) {
                files.push(file);
            }
        }
    }
    if files.is_empty() { Err(Failure::new("the list of paths is empty")) } else { Ok(files) }
}

fn one(text: &str) -> Result<Vec<PathBuf>, Failure> {
    let path = Path::new(text);
    let failed = |why: &dyn std::fmt::Display| Failure::new(format_args!("{text}: {why}"));
    match path.metadata() {
        Ok(found) if found.is_file() => return Ok(vec![path.to_owned()]),
        Ok(found) if found.is_dir() => return Err(failed(&"this is a folder: name its files, as in 'folder/*.etl'")),
        Ok(_) => return Err(failed(&"this is not an ordinary file")),
        Err(error) if !text.contains(['*', '?', '[']) => return Err(failed(&error)),
        Err(_) => {}
    }
    let found = glob::glob(text).map_err(|error| failed(&error))?;
    let files = found.filter(|path| path.as_ref().map_or(true, |path| path.is_file())).take(MOST_FILES + 1);
    let files: Vec<PathBuf> = files.collect::<Result<_, _>>().map_err(|error| failed(&error))?;
    if files.is_empty() { Err(failed(&"no such file")) } else { Ok(files) }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test")]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_files_by_name_and_each_file_comes_once() {
        let folder = tempfile::tempdir().unwrap();
        let text = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        for name in ["b.etl", "a.etl", "c.txt", "[x].etl"] {
            std::fs::write(folder.path().join(name), b"").unwrap();
        }
        std::fs::create_dir(folder.path().join("d.etl")).unwrap();
        let names =
            |paths: &[String]| expand(paths).map(|found| found.iter().map(|path| path.display().to_string()).collect());
        let all = ["[x].etl", "a.etl", "b.etl"].map(text).to_vec();
        assert_eq!(names(&[text("*.etl")]), Ok(all));
        assert_eq!(names(&[text("b.etl"), text("?.etl")]), Ok(vec![text("b.etl"), text("a.etl")]));
        // What is there is no pattern.
        assert_eq!(names(&[text("[x].etl")]), Ok(vec![text("[x].etl")]));
        for (wrong, why) in [("d.etl", "folder"), ("e.etl", "No such file"), ("*.blg", "no such file"), ("***", "wild")]
        {
            let failure = expand(&[text(wrong)]).unwrap_err().to_string();
            assert!(failure.contains(why) && failure.contains(wrong), "{failure}");
        }
        assert!(expand(&[]).is_err());
    }
}
