//! Paths, globs and folders become a list of files.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::folder_search::below;

use super::file_sets;
use super::identity::Identity;
use super::location::Location;
use super::neighbours::traces_beside;
use etwkit_archive::is_wanted_name;

/// For a folder without traces.
const OTHER_NAMES: &str = "a file of any other name is read if it is given itself, or by a glob such as 'logs/*'";

/// For what a search finds that is not a file.
const STREAM: &str = "it is read if it is given itself";

/// All files that the arguments mean, each once, in the order given; within a glob or folder by name, numbers by value.
pub(super) fn expand(arguments: &[OsString], sets: bool) -> Vec<Result<Location, Failure>> {
    let mut seen = BTreeSet::new();
    let mut locations: Vec<_> = arguments.iter().flat_map(one).collect();
    if sets {
        locations = locations.into_iter().flat_map(with_set).collect();
    }
    locations.retain(|location| match location {
        Ok(location) => seen.insert(Identity::of(location)),
        Err(_) => true,
    });
    locations
}

fn one(argument: &OsString) -> Vec<Result<Location, Failure>> {
    if argument == "-" {
        return vec![Ok(Location::Stdin)];
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
        None if path.exists() => vec![Ok(Location::File(path.to_owned()))],
        None => vec![Err(missing(path))],
    }
}

/// A file that is not there, or in a folder that may not be searched.
fn missing(path: &Path) -> Failure {
    match path.try_exists() {
        Err(error) => Failure::from(error).of(path.display()),
        Ok(_) => Failure::new("no such file").of(path.display()).hint_if(traces_beside(path)),
    }
}

/// `archive.zip!folder/trace.etl`, as members are called in all that is printed.
fn member(text: &str) -> Option<Location> {
    let mut splits =
        text.match_indices('!').filter_map(|(at, mark)| Some((text.get(..at)?, text.get(at + mark.len()..)?)));
    let (archive, member) = splits.find(|(archive, _)| Path::new(archive).is_file())?;
    Some(Location::Member(archive.into(), member.to_owned()))
}

fn matches(pattern: &str) -> Vec<Result<Location, Failure>> {
    let paths = match glob::glob(pattern) {
        Ok(paths) => paths,
        Err(error) => return vec![Err(Failure::new(error.msg).of(pattern))],
    };
    let (mut found, mut locations) = (Vec::new(), Vec::new());
    for path in paths {
        match path {
            Ok(path) => found.push(path),
            Err(error) => locations.push(Err(not_listed(error.error().kind(), error.path()))),
        }
    }
    file_sets::sort(&mut found);
    if found.is_empty() && locations.is_empty() {
        let failure = Failure::new("no file matches").of(pattern);
        return vec![Err(failure.hint_if(traces_beside(Path::new(pattern))))];
    }
    let files = |path: PathBuf| if path.is_dir() { folder(&path) } else { vec![found_file(path)] };
    locations.extend(found.into_iter().flat_map(files));
    locations
}

/// Traces below a folder, by their names.
fn folder(root: &Path) -> Vec<Result<Location, Failure>> {
    let mut locations = Vec::new();
    let mut files = Vec::new();
    for entry in below(root, usize::MAX) {
        match entry {
            Ok(entry) if entry.file_type().is_dir() || !is_wanted_name(&entry.file_name().to_string_lossy()) => {}
            Ok(entry) => files.push(entry.into_path()),
            Err(error) => locations.push(Err(unreadable(&error))),
        }
    }
    file_sets::sort(&mut files);
    locations.extend(files.into_iter().map(found_file));
    if locations.is_empty() {
        let failure = Failure::new(
            "no trace in this folder (*.etl, *.etl.NNN, *.blg, *.btl, *.etl.gz, *.etl.zip, *.diagsession)",
        );
        locations.push(Err(failure.of(root.display()).hint(OTHER_NAMES)));
    }
    locations
}

/// A folder that cannot be searched.
fn unreadable(error: &walkdir::Error) -> Failure {
    let kind = error.io_error().map(Error::kind);
    match (kind, error.path()) {
        (Some(kind), Some(path)) => not_listed(kind, path),
        _ => Failure::new(error.to_string()),
    }
}

fn not_listed(kind: ErrorKind, folder: &Path) -> Failure {
    Failure::from(Error::from(kind)).of(folder.display())
}

/// A file that a search found, and that was not named. A pipe or a device may never end.
fn found_file(path: PathBuf) -> Result<Location, Failure> {
    match path.metadata() {
        Ok(known) if !known.is_file() => {
            Err(Failure::new("a pipe or a device, or a link to one").of(path.display()).hint(STREAM))
        }
        // What cannot be read is reported where it is opened.
        _ => Ok(Location::File(path)),
    }
}

fn with_set(location: Result<Location, Failure>) -> Vec<Result<Location, Failure>> {
    match location {
        Ok(Location::File(path)) => {
            file_sets::siblings(&path).into_iter().map(|path| Ok(Location::File(path))).collect()
        }
        Ok(Location::Stdin) => vec![Err(Failure::new("--merge: stdin has no other files beside it"))],
        Ok(Location::Member(archive, member)) => {
            let failure = Failure::new(format!("--merge: the member {member} has no other files beside it"));
            vec![Err(failure.of(archive.display()).hint("name the archive: all its traces are read"))]
        }
        Err(failure) => vec![Err(failure)],
    }
}
