//! The cases of letters outside of ASCII. The automaton takes care of the others.

use std::collections::BTreeSet;

use crate::coding::{FINAL_SIGMA, SIGMA, upper_char};

/// Of a text with more letters outside of ASCII, not all mixtures of upper and lower case are looked for.
const MOST_MIXED: usize = 4;
/// Of a text of more words, not all combinations of the cases of its words are looked for.
const MOST_WORDS_MIXED: usize = 3;

/// How the letters of a word are written.
#[derive(Clone, Copy, Debug)]
enum Case {
    Small,
    Large,
    /// The first one large.
    Title,
}

const CASES: [Case; 3] = [Case::Small, Case::Large, Case::Title];

/// Returns a folded text with the cases of its letters outside of ASCII: all mixtures of few letters; else each word in
/// small letters, in large ones, and with a large one first. There are few of them if `is_brief`: all words are alike then.
pub(crate) fn cases(text: &str, is_brief: bool) -> BTreeSet<String> {
    let mixed: Vec<usize> = text.char_indices().filter(|(_, c)| is_mixed(*c)).map(|(at, _)| at).collect();
    let of_words = if is_brief { alike } else { of_words };
    let mut made = if mixed.len() <= MOST_MIXED { mixtures(text, &mixed) } else { of_words(text) };
    if is_brief {
        return made;
    }
    let finals: Vec<String> = made.iter().filter_map(|text| with_final_sigma(text)).collect();
    made.extend(finals);
    made
}

fn is_mixed(c: char) -> bool {
    !c.is_ascii() && upper_char(c) != c
}

/// Returns a text with large letters at any of the places.
fn mixtures(text: &str, places: &[usize]) -> BTreeSet<String> {
    let of_mask = |mask: u32| {
        let is_large = |at: usize| places.iter().position(|place| *place == at).is_some_and(|bit| mask >> bit & 1 == 1);
        text.char_indices().map(|(at, c)| if is_large(at) { upper_char(c) } else { c }).collect()
    };
    (0..1 << places.len()).map(of_mask).collect()
}

fn of_words(text: &str) -> BTreeSet<String> {
    if words(text).filter(|word| word.chars().any(is_mixed)).count() > MOST_WORDS_MIXED {
        return alike(text);
    }
    let add = |made: BTreeSet<String>, word: &str| {
        made.iter().flat_map(|before| CASES.map(|case| format!("{before}{}", in_case(word, case)))).collect()
    };
    words(text).fold(BTreeSet::from([String::new()]), add)
}

/// Returns a text with all words in the same case, and with a large letter at its start alone.
fn alike(text: &str) -> BTreeSet<String> {
    let first = words(text).next().unwrap_or_default();
    let rest = text.get(first.len()..).unwrap_or_default();
    let alike = CASES.map(|case| words(text).map(|word| in_case(word, case)).collect::<String>());
    alike.into_iter().chain([format!("{}{rest}", in_case(first, Case::Title))]).collect()
}

/// Returns the words of a text, each with the sign behind it.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(|c: char| !c.is_alphanumeric())
}

/// Returns a small word in a case. Letters of ASCII stay small.
fn in_case(word: &str, case: Case) -> String {
    let is_large = |number: usize| match case {
        Case::Small => false,
        Case::Large => true,
        Case::Title => number == 0,
    };
    let of = |(number, c): (usize, char)| if is_mixed(c) && is_large(number) { upper_char(c) } else { c };
    word.chars().enumerate().map(of).collect()
}

/// Returns a text with the small sigma that Greek writes at the end of words, if there is one.
fn with_final_sigma(text: &str) -> Option<String> {
    let is_final = |at: usize| {
        let next = text.get(at..).and_then(|rest| rest.chars().nth(1));
        !next.is_some_and(char::is_alphabetic)
    };
    let of = |(at, c): (usize, char)| if c == SIGMA && is_final(at) { FINAL_SIGMA } else { c };
    let made: String = text.char_indices().map(of).collect();
    (made != text).then_some(made)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_has(text: &str, expected: &[&str]) {
        let made = cases(text, false);
        for case in expected {
            assert!(made.contains(*case), "{case}: {made:?}");
        }
    }

    #[test]
    fn words_have_cases_of_their_own() {
        assert_has("мария сидорова", &["Мария СИДОРОВА", "мария Сидорова", "Мария Сидорова", "МАРИЯ СИДОРОВА"]);
        assert_has("анна-мария кузнецова", &["Анна-Мария КУЗНЕЦОВА", "АННА-мария Кузнецова"]);
        assert_has("один два три четыре пять", &["Один Два Три Четыре Пять", "Один два три четыре пять"]);
        assert_has("müller ßöä", &["mÜller ßöÄ"]);
        assert_eq!(cases("plain", false).len(), 1);
        assert!(cases("один два три", true).len() <= 4);
        assert!(cases("один два три четыре", false).len() <= 4 && cases("один два три", false).len() <= 27);
    }

    #[test]
    fn words_end_in_either_sigma() {
        assert_has("γιώργοσ", &["Γιώργος", "ΓΙΏΡΓΟΣ", "γιώργοσ", "γιώργος"]);
        assert_has("λάσ σπ", &["λάς σπ", "ΛΆΣ ΣΠ"]);
        assert!(!cases("λάσ σπ", false).iter().any(|text| text.contains("ςπ")));
    }
}
