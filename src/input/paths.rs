//! Paths of input files.

use std::path::Path;

/// Returns whether a path has one of the extensions, in upper or lower case.
pub fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    path.extension().is_some_and(|found| extensions.iter().any(|wanted| found.eq_ignore_ascii_case(wanted)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_have_no_case() {
        let is_found = |path: &str| has_extension(Path::new(path), &["man", "xml"]);
        assert_eq!(["a.man", "a.XML", "a.txt", "man", ".man"].map(is_found), [true, true, false, false, false]);
    }
}
