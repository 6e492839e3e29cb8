//! Comparison of texts without regard to letter case.

/// Returns the letters of a text in lower case.
pub(crate) fn fold(text: &str) -> impl Iterator<Item = char> + Clone {
    text.chars().flat_map(char::to_lowercase)
}

/// Returns the letters of a text in lower case, as many as it has: one whose lower case is several stays.
pub(crate) fn fold_letters(text: &str) -> impl Iterator<Item = char> + Clone {
    text.chars().map(|letter| {
        let mut lower = letter.to_lowercase();
        lower.next().filter(|_| lower.next().is_none()).unwrap_or(letter)
    })
}

/// Returns whether two texts are the same without regard to letter case, as conditions and filters compare them.
pub fn same(a: &str, b: &str) -> bool {
    if a.is_ascii() && b.is_ascii() { a.eq_ignore_ascii_case(b) } else { a == b || fold(a).eq(fold(b)) }
}

#[cfg(test)]
mod tests {
    use super::same;

    #[test]
    fn letters_of_all_alphabets_have_a_case() {
        for (a, b) in [("", ""), ("Abc-1", "aBC-1"), ("TÄ", "tä"), ("ΔΣ", "δσ"), ("K", "\u{212A}")] {
            assert!(same(a, b) && same(b, a), "{a} {b}");
        }
        for (a, b) in [("a", ""), ("a", "b"), ("ä", "a"), ("[", "{"), ("ß", "ss")] {
            assert!(!same(a, b) && !same(b, a), "{a} {b}");
        }
    }
}
