//! The end of a statement, found without reading the statement.

use crate::bytes::Guid;

use super::words::continues_word;

/// Returns the text after an `event` statement, whose first word has been taken. `None` if it does not end.
pub(super) fn after_event(text: &str) -> Option<&str> {
    Skim { text, at: 0 }.statement(true)
}

/// Returns the text after a `map` statement, whose first word has been taken. `None` if it does not end.
pub(super) fn after_map(text: &str) -> Option<&str> {
    Skim { text, at: 0 }.statement(false)
}

/// Bytes that are compared at a time.
const STEP: usize = 32;

/// Returns every GUID in braces.
pub(in crate::schema) fn guids(text: &str) -> impl Iterator<Item = Guid> {
    let mut at = 0;
    let braces = std::iter::from_fn(move || {
        at += find(text.as_bytes().get(at..)?, |byte| u8::from(byte == b'{'))? + 1;
        Some(at)
    });
    braces.filter_map(|at| {
        let end = at + GUID_LEN;
        let is_guid = text.as_bytes().get(end) == Some(&b'}');
        text.get(at..end).filter(|_| is_guid)?.parse().ok()
    })
}

/// Characters of a GUID.
const GUID_LEN: usize = 36;

struct Skim<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Skim<'t> {
    /// Goes past the braces of the fields or entries.
    fn statement(mut self, is_event: bool) -> Option<&'t str> {
        let mut depth = 0_usize;
        loop {
            match self.next_sign()? {
                b'"' => self.quoted()?,
                b'#' if self.is_reference(depth) => {}
                b'#' => self.at += self.rest().iter().position(|byte| *byte == b'\n')?,
                // The braces of a GUID have nothing but digits in them.
                b'{' if is_event && depth == 0 && self.follows("provider-guid") => {
                    self.at += self.rest().iter().position(|byte| *byte == b'}')? + 1;
                }
                b'{' => depth += 1,
                _ => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return self.text.get(self.at..);
                    }
                }
            }
        }
    }

    fn rest(&self) -> &'t [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    /// Goes past the next byte that means something, and returns it.
    fn next_sign(&mut self) -> Option<u8> {
        let rest = self.rest();
        let at = find(rest, sign)?;
        self.at += at + 1;
        rest.get(at).copied()
    }

    /// Goes past quoted text, whose first quotation mark has been taken.
    fn quoted(&mut self) -> Option<()> {
        loop {
            let at = self.rest().iter().position(|byte| matches!(byte, b'"' | b'\\'))?;
            let is_end = self.rest().get(at) == Some(&b'"');
            self.at += at + 1;
            if is_end {
                return Some(());
            }
            // The character after a backslash is not an end, whichever it is.
            self.at += 1;
        }
    }

    /// Returns whether the `#` that has been taken is the place of a field or map (`x #3`) and begins no comment.
    fn is_reference(&self, depth: usize) -> bool {
        let is_place = self.rest().first().is_some_and(u8::is_ascii_digit);
        is_place
            && match depth {
                0 => self.follows("process-from") || self.follows("thread-from") || self.is_in_map_list(),
                _ => self.before().ends_with('[') || self.follows("x") || self.follows("map"),
            }
    }

    /// Returns whether the sign that has been taken follows `maps` or a comma of its list.
    fn is_in_map_list(&self) -> bool {
        self.follows("maps") || (self.before().ends_with(',') && self.before().contains("maps"))
    }

    /// Returns the text before the sign that has been taken, without the blanks at its end.
    fn before(&self) -> &'t str {
        self.text.get(..self.at - 1).unwrap_or_default().trim_end_matches([' ', '\t'])
    }

    fn follows(&self, word: &str) -> bool {
        self.before().strip_suffix(word).is_some_and(|before| !before.ends_with(continues_word))
    }
}

/// Returns the place of the first byte for which `is` returns 1. In arithmetic, so that many are compared at a time.
fn find(bytes: &[u8], is: impl Fn(u8) -> u8) -> Option<usize> {
    let (steps, _) = bytes.as_chunks::<STEP>();
    let others = steps.iter().take_while(|step| step.iter().fold(0, |any, byte| any | is(*byte)) == 0);
    let from = others.count() * STEP;
    Some(from + bytes.get(from..)?.iter().position(|byte| is(*byte) != 0)?)
}

/// Returns 1 if a byte begins a comment or quoted text, or is a brace.
fn sign(byte: u8) -> u8 {
    u8::from(byte == b'"') | u8::from(byte == b'#') | u8::from(byte == b'{') | u8::from(byte == b'}')
}
