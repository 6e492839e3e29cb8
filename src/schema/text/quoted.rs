//! Names and quoted texts.

use std::fmt::{self, Write as _};

use super::words;

/// A name, quoted if it is not a plain word or one of the reserved words.
pub(super) struct Name<'a>(pub(super) &'a str, pub(super) &'static [&'static str]);

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(name, reserved) = self;
        let plain = name.starts_with(words::begins_word) && name.chars().all(words::continues_word);
        if plain && !reserved.contains(name) { f.write_str(name) } else { Quoted(name).fmt(f) }
    }
}

/// Text in quotation marks, with escapes for what is not plainly seen.
pub(super) struct Quoted<'a>(pub(super) &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for c in self.0.chars() {
            match c {
                '\'' => f.write_char(c)?,
                '\0' => f.write_str("\\u{0}")?,
                // `escape_debug` knows the other characters that nobody sees, such as those that turn the direction.
                c => write!(f, "{}", c.escape_debug())?,
            }
        }
        f.write_char('"')
    }
}
