//! Patterns with `*` and `?`.

use std::fmt;

use crate::bytes::Guid;
use crate::select::fold_letters;

/// A pattern with `*` (any text) and `?` (any character), compared without regard to letter case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glob {
    text: Box<str>,
    pattern: Box<[char]>,
}

/// Prints the original text.
impl fmt::Display for Glob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Glob {
    /// Makes a pattern.
    pub fn new(pattern: &str) -> Self {
        Self { text: pattern.into(), pattern: fold_letters(pattern).collect() }
    }

    /// Returns whether all of `text` matches.
    pub fn matches(&self, text: &str) -> bool {
        if text.is_ascii() {
            self.matches_letters(text.bytes().map(|letter| letter.to_ascii_lowercase().into()))
        } else {
            self.matches_letters(fold_letters(text))
        }
    }

    /// Returns whether all of a text in lower case matches.
    fn matches_letters(&self, mut text: impl Iterator<Item = char> + Clone) -> bool {
        let mut p = 0;
        let mut star = None;
        loop {
            let mut rest = text.clone();
            let letter = rest.next();
            match (self.pattern.get(p), letter) {
                (Some('*'), _) => {
                    p += 1;
                    star = Some((p, text.clone()));
                }
                (Some(wanted), Some(letter)) if *wanted == '?' || *wanted == letter => (p, text) = (p + 1, rest),
                (None, None) => return true,
                (Some(_), None) => return false,
                // Let the last star take one character more.
                _ => {
                    let Some((after, from)) = &mut star else { return false };
                    from.next();
                    (p, text) = (*after, from.clone());
                }
            }
        }
    }

    /// Returns whether it matches a provider of this name and GUID; the GUID may be written with or without braces.
    pub fn matches_provider(&self, name: Option<&str>, guid: Guid) -> bool {
        name.is_some_and(|name| self.matches(name))
            || self.matches(&guid.to_string())
            || self.matches(&format!("{guid:#}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs() {
        let yes = |p: &str, t: &str| assert!(Glob::new(p).matches(t), "{p} {t}");
        let no = |p: &str, t: &str| assert!(!Glob::new(p).matches(t), "{p} {t}");
        yes("*", "");
        yes("gc/*", "GC/Start");
        yes("*kernel*file", "Microsoft-Windows-Kernel-File");
        yes("a?c*", "abc");
        yes("*ab*abc", "xababABC");
        yes("*", "Ä");
        yes("pr?", "PrÄ");
        yes("pr?", "Pr\u{130}");
        yes("pr\u{130}", "PR\u{130}");
        yes("PRÄ*", "prä");
        yes("*Σ/start", "δσ/Start");
        no("a?c", "ac");
        no("pri*", "pr\u{130}");
        no("a*b", "abc");
        no("*ä", "Äa");
        no("", "a");
        no("gc", "GC/Start");
        no("*x", "abc");
    }
}
