//! Pseudonyms of words: letters for letters, digits for digits.

use crate::coding::fold;
use crate::key::{Key, Numbers};

/// Returns the pseudonym of a text. It has the same length in all codings, the same case, and the same ASCII characters
/// that are neither letters nor digits. The case of the text does not matter, but for that of the pseudonym.
pub(crate) fn of_text(key: &Key, text: &str, attempt: u32) -> String {
    let mut numbers = key.numbers("text", fold(text).as_bytes(), attempt);
    text.chars().map(|c| of_char(c, &mut numbers)).collect()
}

/// Takes one number for each character, so that case has no influence on the letters after it.
fn of_char(c: char, numbers: &mut Numbers) -> char {
    let (first, count) = match c {
        'a'..='z' => ('a', 26),
        'A'..='Z' => ('A', 26),
        '0'..='9' => ('0', 10),
        c if c.is_ascii() => return c,
        // Letters of Latin-1 have one byte in code pages and two in UTF-8. `À`..=`Ö` and `à`..=`ö` correspond.
        '\u{80}'..='\u{FF}' if c.is_uppercase() => ('À', 23),
        '\u{80}'..='\u{FF}' => ('à', 23),
        // Two bytes in UTF-8: Cyrillic.
        c if c.len_utf8() == 2 && c.is_uppercase() => ('А', 32),
        c if c.len_utf8() == 2 => ('а', 32),
        // Three bytes, one unit of UTF-16: Chinese.
        c if c.len_utf8() == 3 => ('\u{4E00}', 0x5000),
        _ => ('\u{20000}', 0xA000),
    };
    char::from_u32(u32::from(first) + numbers.below(count)).unwrap_or(first)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::coding::Coding;

    proptest! {
        #[test]
        fn lengths_are_kept_in_all_codings(text in "\\PC{0,40}") {
            let made = of_text(&Key::of(b"key"), &text, 0);
            prop_assert_eq!(text.len(), made.len());
            prop_assert_eq!(text.encode_utf16().count(), made.encode_utf16().count());
            let is_latin = |text: &str| text.chars().all(|c| u32::from(c) <= 0xFF);
            prop_assert_eq!(is_latin(&text), is_latin(&made));
            let kept = |text: &str| -> String { text.chars().map(|c| if c.is_ascii_alphabetic() { 'a' } else if c.is_ascii_digit() { '0' } else if c.is_ascii() { c } else { '?' }).collect() };
            prop_assert_eq!(kept(&text), kept(&made));
        }

        #[test]
        fn bytes_of_any_code_page_keep_their_number(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            let made = of_text(&Key::of(b"key"), &Coding::Latin1.decode(&bytes), 0);
            prop_assert_eq!(Coding::Latin1.encode(&made).len(), bytes.len());
        }

        #[test]
        fn case_changes_only_case(text in "[a-zA-Zäöü0-9 ]{1,30}") {
            let key = Key::of(b"key");
            prop_assert_eq!(fold(&of_text(&key, &text, 0)), of_text(&key, &fold(&text), 0));
        }
    }

    #[test]
    fn keys_decide_pseudonyms() {
        let [a, b] = [b"a", b"b"].map(|key| of_text(&Key::of(key), "somebody", 0));
        assert_ne!(a, b);
        assert_eq!(a, of_text(&Key::of(b"a"), "somebody", 0));
        assert_ne!(a, of_text(&Key::of(b"a"), "somebody", 1));
    }
}
