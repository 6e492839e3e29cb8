//! New-file sets: a session that begins a new file at a size limit, or keeps older ones under numbers.

use std::cmp::Ordering;
use std::path::{Path, PathBuf};

use crate::folder_search::{folder_of, names_in};

use etwkit_archive::without_number;

/// The files of the set that `path` belongs to, in order; itself alone if it belongs to none.
pub(super) fn siblings(path: &Path) -> Vec<PathBuf> {
    let name = path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    let Some(names) = names_in(folder_of(path)) else { return vec![path.to_owned()] };
    let (name, packing) = unpacked(&name);
    for family in [without_number, numbered] {
        let Some(own) = family(name) else { continue };
        let same = |other: &&std::ffi::OsString| {
            let other = other.to_string_lossy().to_ascii_lowercase();
            let (other, its_packing) = unpacked(&other);
            family(other) == Some(own) && its_packing == packing
        };
        let mut files: Vec<PathBuf> = names.iter().filter(same).map(|name| path.with_file_name(name)).collect();
        if files.len() > 1 {
            sort(&mut files);
            return files;
        }
    }
    vec![path.to_owned()]
}

/// Sorts by name, with numbers by their value.
pub(super) fn sort(paths: &mut [PathBuf]) {
    paths.sort_by(|a, b| natural(&a.to_string_lossy(), &b.to_string_lossy()));
}

/// A name without the ending of a packed file, and that ending.
fn unpacked(name: &str) -> (&str, &str) {
    let ending = [".gz", ".zip"].into_iter().find(|ending| name.ends_with(ending)).unwrap_or_default();
    (name.strip_suffix(ending).unwrap_or(name), ending)
}

/// `x_` of `x_1.etl` and `x_000002.etl`.
fn numbered(name: &str) -> Option<&str> {
    let stem = name.strip_suffix(".etl")?;
    let prefix = stem.trim_end_matches(|c: char| c.is_ascii_digit());
    (prefix.len() < stem.len() && !prefix.is_empty()).then_some(prefix)
}

fn natural(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a, b);
    loop {
        let ((x, rest_a), (y, rest_b)) = (piece(a), piece(b));
        let order = match (value(x), value(y)) {
            (Some(x), Some(y)) => x.len().cmp(&y.len()).then_with(|| x.cmp(y)),
            _ => x.cmp(y),
        };
        if order != Ordering::Equal || x.is_empty() && y.is_empty() {
            // Equal but for leading zeros: any fixed order will do.
            return order.then_with(|| a.cmp(b));
        }
        (a, b) = (rest_a, rest_b);
    }
}

/// The digits, or the text without digits, at the start.
fn piece(text: &str) -> (&str, &str) {
    let digits = text.starts_with(|c: char| c.is_ascii_digit());
    let end = text.find(|c: char| c.is_ascii_digit() != digits).unwrap_or(text.len());
    text.split_at(end)
}

fn value(piece: &str) -> Option<&str> {
    piece.starts_with(|c: char| c.is_ascii_digit()).then(|| piece.trim_start_matches('0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_sort_by_value() {
        let mut paths: Vec<PathBuf> =
            ["x_10.etl", "x_2.etl", "x.etl.002", "x.etl", "x_1.etl"].map(PathBuf::from).into();
        sort(&mut paths);
        let names: Vec<_> = paths.iter().map(|path| path.to_str().unwrap()).collect();
        assert_eq!(names, ["x.etl", "x.etl.002", "x_1.etl", "x_2.etl", "x_10.etl"]);
    }

    #[test]
    fn families() {
        assert_eq!(numbered("x_001.etl"), Some("x_"));
        assert_eq!(numbered("x.etl"), None);
        assert_eq!(numbered("1.etl"), None);
        assert_eq!(unpacked("x_1.etl.gz"), ("x_1.etl", ".gz"));
        assert_eq!(unpacked("x_1.etl"), ("x_1.etl", ""));
    }
}
