//! Names of files as Windows writes them.

/// Returns whether a name names nothing outside the folder in which it is looked for.
pub(crate) fn is_plain(name: &str) -> bool {
    let is_dots = name.bytes().all(|byte| byte == b'.');
    !is_dots && name.len() <= MAX_NAME && !name.contains(['/', '\\', ':', '\0'])
}

/// Returns the name of the compressed form of a file, whose last character is `_`.
pub(crate) fn packed_name(name: &str) -> String {
    let mut packed = name.to_owned();
    packed.pop();
    packed.push('_');
    packed
}

/// Returns the name with another extension.
pub(crate) fn with_extension(name: &str, extension: &str) -> String {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    format!("{stem}.{extension}")
}

/// Bytes of the name of a file, as Windows limits them.
const MAX_NAME: usize = 255;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_apart() {
        assert!(is_plain("a.pdb") && is_plain("..a"));
        assert!(["", ".", "..", "a/b", r"a\b", "c:a", "a\0"].iter().all(|name| !is_plain(name)));
        assert_eq!(
            (packed_name("a.pdb"), with_extension("a.b.pdb", "sym")),
            ("a.pd_".to_owned(), "a.b.sym".to_owned())
        );
    }
}
