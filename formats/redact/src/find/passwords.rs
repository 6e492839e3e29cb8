//! Passwords, keys and tokens, by the word before them.

use std::ops::Range;

use super::hints::Hint;
use super::pattern::Pattern;
use super::view::View;

/// The words for secrets, but for `pass`.
macro_rules! words {
    () => {
        r"password|passwd|pwd|passphrase|secret|api[_-]?key|access[_-]?key|account[_-]?key|token"
    };
}

/// A value in quotes, which may have spaces; in JSON within JSON, quotes are escaped, once for each level.
macro_rules! quoted {
    () => {
        r#"\\+"([^"\x00-\x1f]{3,}?)\\+"|"([^"\x00-\x1f]{3,})"|'([^'\x00-\x1f]{3,})'"#
    };
}

/// A value in quotes or not. Outside of quotes it may have commas, but what ends a sentence or an object is not its end.
macro_rules! value {
    () => {
        concat!("(?:", quoted!(), r#"|(?:\\*["'])?([^\s"';&<>\x00-\x1f]{2,}[^\s"';&<>\x00-\x1f,.)\]}\\]))"#)
    };
}

/// `DB_PASSWORD_PROD=x`: words after the word are separated from it, unlike those of `TokenType=`. `PublicKeyToken=` is part
/// of the name of an assembly; `compass` and `BYPASS` are no `pass`.
const ASSIGNED: &str = concat!(
    r#"(?i-u)publickeytoken(?:\\*["'])?\s*[=:]\s*(?:\\*["'])?[0-9a-z]*|(?:(?:^|[^a-z])pass|(?-i:[a-z]P(?:ass|ASS))|"#,
    words!(),
    r#")(?:[_\-][a-z0-9_\-]{0,63}[a-z0-9_])?(?:\\*["'])?\s*[=:]\s*"#,
    value!()
);
/// `--password x`; the value is not another option. A dash within a word does not begin an option.
const OPTION: &str = concat!(
    r#"(?i-u)(?:^|[^a-z0-9\-])-{1,2}(?:[a-z0-9]{1,32}[_\-]){0,3}(?:pass|"#,
    words!(),
    r")\s+(?:",
    quoted!(),
    r#"|([^\s"';&<>\-\x00-\x1f][^\s"';&<>\x00-\x1f]{2,}))"#
);
/// A header of HTTP: the word after it is the kind of the key.
const AUTHORIZATION: &str = concat!(
    r#"(?i-u)authorization(?:\\*["'])?\s*[=:]\s*(?:\\*["'])?(?:bearer|basic|digest|negotiate|ntlm|token|apikey|sharedaccesssignature)\s+"#,
    value!()
);

/// The patterns, compiled.
#[derive(Debug)]
pub(super) struct Passwords {
    assigned: Pattern,
    option: Pattern,
    authorization: Pattern,
}

impl Passwords {
    pub(super) fn new() -> Option<Self> {
        Some(Self {
            assigned: Pattern::new(ASSIGNED, Hint::Password)?,
            option: Pattern::new(OPTION, Hint::Option)?,
            authorization: Pattern::new(AUTHORIZATION, Hint::Password)?,
        })
    }

    /// Finds all of them.
    pub(super) fn find(&self, view: &View<'_>, mut push: impl FnMut(Range<usize>)) {
        let found =
            self.assigned.captures(view).chain(self.option.captures(view)).chain(self.authorization.captures(view));
        found.flat_map(|found| (1..=4).filter_map(move |group| Some(found.get(group)?.range()))).for_each(&mut push);
    }
}
