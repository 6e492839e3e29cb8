//! Files that an earlier split left.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use etwkit::FileId;
use etwkit::container::Head;
use etwkit::input::Input;
use etwkit_relog::is_name_of_copy;

use crate::failure::Failure;
use crate::text::counted;

/// Refuses to leave copies `NAME-*.etl` beside the new ones that are none of these: whoever reads `NAME-*.etl` would read
/// events of both.
pub(super) fn refuse(output: &Path, parts: &[PathBuf]) -> Result<(), Failure> {
    let mut old = others(output, parts);
    old.sort();
    let Some(first) = old.first() else { return Ok(()) };
    let more = match old.len() as u64 - 1 {
        0 => String::new(),
        more => format!(", and {} more like it", counted(more, "file")),
    };
    let failure = Failure::new(format!("a file of another split, which this one would not replace{more}"));
    Err(failure.of(first.display()).hint("remove these files first, or give -o another name"))
}

/// The copies beside the output with a name of its parts.
fn others(output: &Path, parts: &[PathBuf]) -> Vec<PathBuf> {
    let folder = output.parent().unwrap_or_else(|| Path::new(""));
    let listed = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = std::fs::read_dir(listed).into_iter().flatten().flatten();
    let paths = entries.map(|entry| folder.join(entry.file_name()));
    paths.filter(|path| has_name_of_part(path, output) && !parts.contains(path) && is_copy(path)).collect()
}

fn has_name_of_part(path: &Path, output: &Path) -> bool {
    let text = |part: Option<&OsStr>| part.map(|part| part.to_string_lossy().into_owned()).unwrap_or_default();
    let begin = format!("{}-", text(output.file_stem()));
    let extension = output.extension().unwrap_or_else(|| OsStr::new("etl"));
    text(path.file_stem()).starts_with(&begin) && path.extension() == Some(extension)
}

/// Returns whether the header of a trace states that it is a copy.
fn is_copy(path: &Path) -> bool {
    // A device or a pipe is not opened.
    let is_file = path.metadata().is_ok_and(|known| known.is_file());
    let head = || Head::read(&Input::open(path)?, FileId::FIRST, &mut Vec::new());
    is_file && head().is_ok_and(|head| is_name_of_copy(&head.log.session))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_the_name_of_the_output() {
        let is = |path: &str, output: &str| has_name_of_part(Path::new(path), Path::new(output));
        assert!(is("out/a-001.etl", "out/a.etl") && is("a-x.etl", "a") && is("a-x-1.etl", "a.etl"));
        assert!(!is("a.etl", "a.etl") && !is("ab-1.etl", "a.etl") && !is("a-1.etl.bak", "a.etl"));
    }
}
