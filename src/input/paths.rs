//! Parts of paths, which a trace or a user may have written on another system.

use std::path::Path;

/// Returns the last part of a path, whichever way its parts are separated.
pub fn file_name(path: &str) -> &str {
    path.rsplit(['\\', '/']).next().unwrap_or(path)
}

/// Returns whether a path has one of the extensions, in upper or lower case.
pub fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    path.extension().is_some_and(|found| extensions.iter().any(|wanted| found.eq_ignore_ascii_case(wanted)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_separated_in_both_ways() {
        assert_eq!([r"C:\a\b.dll", "a/b.dll", "b.dll", r"a\"].map(file_name), ["b.dll", "b.dll", "b.dll", ""]);
    }

    #[test]
    fn extensions_have_no_case() {
        let is_found = |path: &str| has_extension(Path::new(path), &["man", "xml"]);
        assert_eq!(["a.man", "a.XML", "a.txt", "man", ".man"].map(is_found), [true, true, false, false, false]);
    }
}
