//! Comparison of texts without regard to letter case.

/// Returns the letters of a text in lower case.
pub(crate) fn fold(text: &str) -> impl Iterator<Item = char> {
    text.chars().flat_map(char::to_lowercase)
}

/// Returns whether two texts are the same without regard to case.
pub(crate) fn same(a: &str, b: &str) -> bool {
    a == b || fold(a).eq(fold(b))
}
