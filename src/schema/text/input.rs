//! Where the reader is in its text.

use nom::Parser;

use super::fault::{Fault, Read};
use super::lex;

/// The rest of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Input<'t> {
    rest: &'t str,
    /// Whether the last space that was skipped ended a line.
    line_ended: bool,
}

impl<'t> Input<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        // Editors on Windows like to begin a file with a byte order mark.
        Self { rest: text.strip_prefix('\u{feff}').unwrap_or(text), line_ended: true }
    }

    /// Returns a reader of what is left after a statement.
    pub(super) const fn after(rest: &'t str) -> Self {
        Self { rest, line_ended: false }
    }

    /// Skips space, then reads what must be there.
    pub(super) fn read<T>(&mut self, parser: impl Parser<&'t str, Output = T, Error = Fault>) -> Read<T> {
        self.skip();
        self.read_here(parser)
    }

    /// Reads what must be there. For what may begin with a `#` that is not a comment.
    pub(super) fn read_here<T>(&mut self, mut parser: impl Parser<&'t str, Output = T, Error = Fault>) -> Read<T> {
        match parser.parse(self.rest) {
            Ok((rest, value)) => {
                *self = Self { rest, line_ended: false };
                Ok(value)
            }
            Err(nom::Err::Error(fault) | nom::Err::Failure(fault)) => Err(fault),
            Err(nom::Err::Incomplete(_)) => Err(Fault::expected(self.rest, "more")),
        }
    }

    /// Skips space, then reads what may be there.
    pub(super) fn maybe<T>(&mut self, mut parser: impl Parser<&'t str, Output = T, Error = Fault>) -> Read<Option<T>> {
        self.skip();
        match parser.parse(self.rest) {
            Ok((rest, value)) => {
                *self = Self { rest, line_ended: false };
                Ok(Some(value))
            }
            Err(nom::Err::Failure(fault)) => Err(fault),
            Err(_) => Ok(None),
        }
    }

    /// Skips space, then takes this sign if it is there.
    pub(super) fn takes(&mut self, sign: char) -> bool {
        self.skip();
        let Some(rest) = self.rest.strip_prefix(sign) else { return false };
        *self = Self { rest, line_ended: false };
        true
    }

    /// Skips white space and comments.
    pub(super) fn skip(&mut self) {
        let (rest, line_ended) = lex::space(self.rest);
        *self = Self { rest, line_ended: self.line_ended || line_ended };
    }

    /// Returns whether the next token is on a new line.
    pub(super) fn at_new_line(&mut self) -> bool {
        self.skip();
        self.line_ended
    }

    /// Returns the text that is left.
    pub(super) const fn rest(&self) -> &'t str {
        self.rest
    }

    /// Returns where it is, as faults count: bytes before the end, after space.
    pub(super) fn place(&mut self) -> usize {
        self.skip();
        self.rest.len()
    }
}
