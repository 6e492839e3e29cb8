//! The forms in which fields are written.

use std::fmt;

use crate::clock::Clock;
use crate::decode::{Value, Visitor};
use crate::render::pen::{Escape, Mark, Pen};
use crate::render::value::ValueContext;
use crate::schema::Schema;

/// A form of names and values that plans are compiled for. Its [`Dialect::Writer`] writes the same through the executor.
///
/// Numbers are decimal digits, `0x` and lower-case digits, `true` or `false`.
pub(crate) trait Dialect: fmt::Debug + 'static {
    /// How the characters of texts are shown.
    type Escape: Escape;
    /// What the names of fields are made from.
    type Keys: ?Sized;
    /// The writer for the executor.
    type Writer<'o, 'a>: Visitor;

    /// Around texts.
    const QUOTE: Mark;
    /// Whether hexadecimal numbers and GUIDs have quotes, and integers that not every reader keeps exact.
    const QUOTES_WORDS: bool;
    /// After each field.
    const AFTER: End;
    /// After each element of an array: one byte, and the closing bracket replaces the last one.
    const BETWEEN: End;

    /// Appends the text before the value of the field at a place.
    fn push_key(out: &mut Vec<u8>, keys: &Self::Keys, schema: &Schema, place: usize);

    /// As [`Dialect::push_key`], for a member of a struct; the first one follows the bracket.
    fn push_member_key(out: &mut Vec<u8>, keys: &Self::Keys, schema: &Schema, (place, _): (usize, bool)) {
        Self::push_key(out, keys, schema, place);
    }

    /// Appends the name that a map gives a value.
    fn push_label(out: &mut Vec<u8>, name: &str);

    /// Appends a value.
    fn push_value(out: &mut Vec<u8>, value: Value<'_>, context: ValueContext<'_>);

    /// Returns a writer of fields.
    fn writer<'o, 'a>(
        out: &'o mut Vec<u8>,
        schema: &'a Schema,
        clock: Option<&'a Clock>,
        keys: &'a Self::Keys,
    ) -> Self::Writer<'o, 'a>;

    /// Changes what a writer wrote, where a writer is of another dialect.
    #[inline]
    fn mend(_: &mut Vec<u8>) {}

    /// Writes the bracket after the last member of a struct.
    fn close(pen: &mut Pen);

    /// Writes what is after the last field.
    #[inline]
    fn end(_: &mut Pen) {}
}

/// What is after a value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct End {
    pub(super) plain: Mark,
    /// With the quote before it.
    pub(super) quoted: Mark,
}

impl End {
    pub(crate) const fn new(plain: &[u8], quoted: &[u8]) -> Self {
        Self { plain: Mark::new(plain), quoted: Mark::new(quoted) }
    }

    /// Returns what is after a text, or after a word.
    #[inline]
    pub(super) const fn of(self, has_quotes: bool) -> Mark {
        if has_quotes { self.quoted } else { self.plain }
    }
}
