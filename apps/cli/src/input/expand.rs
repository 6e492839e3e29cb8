//! Paths, globs and folders become a list of files.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::failure::Failure;
use crate::hints;

use super::set;

/// One place to read from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Item {
    /// Standard input.
    Stdin,
    /// A file.
    File(PathBuf),
    /// A member of an archive, by its name there.
    Member(PathBuf, String),
}

/// All files that the arguments mean, each once, in the order given; within a glob or folder by name, numbers by value.
pub(super) fn expand(arguments: &[OsString], sets: bool) -> Vec<Result<Item, Failure>> {
    let mut seen = BTreeSet::new();
    let mut items: Vec<_> = arguments.iter().flat_map(one).collect();
    if sets {
        items = items.into_iter().flat_map(with_set).collect();
    }
    items.retain(|item| match item {
        Ok(item) => seen.insert(identity(item)),
        Err(_) => true,
    });
    items
}

fn one(argument: &OsString) -> Vec<Result<Item, Failure>> {
    if argument == "-" {
        return vec![Ok(Item::Stdin)];
    }
    let path = Path::new(argument);
    if path.is_dir() {
        return folder(path);
    }
    if let Some(member) = argument.to_str().filter(|_| !path.exists()).and_then(member) {
        return vec![Ok(member)];
    }
    match argument.to_str().filter(|text| !path.exists() && text.contains(['*', '?', '['])) {
        Some(pattern) => matches(pattern),
        None if path.exists() => vec![Ok(Item::File(path.to_owned()))],
        None => vec![Err(hints::with(Failure::new("no such file").of(path.display()), hints::beside(path)))],
    }
}

/// `archive.zip!folder/trace.etl`, as members are called in all that is printed.
fn member(text: &str) -> Option<Item> {
    let mut splits =
        text.match_indices('!').filter_map(|(at, mark)| Some((text.get(..at)?, text.get(at + mark.len()..)?)));
    let (archive, member) = splits.find(|(archive, _)| Path::new(archive).is_file())?;
    Some(Item::Member(archive.into(), member.to_owned()))
}

fn matches(pattern: &str) -> Vec<Result<Item, Failure>> {
    let paths = match glob::glob(pattern) {
        Ok(paths) => paths,
        Err(error) => return vec![Err(Failure::new(error.msg).of(pattern))],
    };
    let mut found: Vec<PathBuf> = paths.filter_map(Result::ok).collect();
    set::sort(&mut found);
    if found.is_empty() {
        let failure = Failure::new("no file matches").of(pattern);
        return vec![Err(hints::with(failure, hints::beside(Path::new(pattern))))];
    }
    let files = |path: PathBuf| if path.is_dir() { folder(&path) } else { vec![Ok(Item::File(path))] };
    found.into_iter().flat_map(files).collect()
}

/// Traces below a folder, by their names.
fn folder(root: &Path) -> Vec<Result<Item, Failure>> {
    let mut items = Vec::new();
    let mut files = Vec::new();
    for entry in WalkDir::new(root) {
        match entry {
            Ok(entry) if entry.file_type().is_dir() || !is_wanted(entry.path()) => {}
            Ok(entry) => files.push(entry.into_path()),
            Err(error) => items.push(Err(Failure::new(error.to_string()))),
        }
    }
    set::sort(&mut files);
    items.extend(files.into_iter().map(|path| Ok(Item::File(path))));
    if items.is_empty() {
        let failure = Failure::new(
            "no trace in this folder (*.etl, *.etl.NNN, *.blg, *.btl, *.etl.gz, *.etl.zip, *.diagsession)",
        );
        items.push(Err(failure.of(root.display()).hint(hints::OTHER_NAMES)));
    }
    items
}

fn is_wanted(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    let packed = [".etl.gz", ".etl.zip", ".diagsession"];
    is_trace_name(&name) || packed.iter().any(|end| name.ends_with(end))
}

/// Whether a file is found in folders: a trace by its name, or packed ones.
pub(crate) fn is_wanted_name(name: &str) -> bool {
    is_wanted(Path::new(name))
}

/// Whether a file is called like a trace: `*.etl`, `*.etl.NNN`, `*.blg`, `*.btl`.
pub(super) fn is_trace_name(name: &str) -> bool {
    set::rotated(name).is_some() || ["blg", "btl"].iter().any(|end| set::has_extension(name, end))
}

fn with_set(item: Result<Item, Failure>) -> Vec<Result<Item, Failure>> {
    match item {
        Ok(Item::File(path)) => set::siblings(&path).into_iter().map(|path| Ok(Item::File(path))).collect(),
        other => vec![other],
    }
}

/// What makes two items the same file.
fn identity(item: &Item) -> Item {
    match item {
        Item::Stdin => Item::Stdin,
        Item::File(path) => Item::File(identity_of(path)),
        Item::Member(path, member) => Item::Member(identity_of(path), member.clone()),
    }
}

fn identity_of(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_traces() {
        for yes in ["a.etl", "A.ETL", "x.etl.001", "perf.blg", "BPerf.btl"] {
            assert!(is_trace_name(yes), "{yes}");
        }
        for no in ["a.evtx", "etl", "x.001", "a.etl.gz", "a.etl.", "btl"] {
            assert!(!is_trace_name(no), "{no}");
        }
    }
}
