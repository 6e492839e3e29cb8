//! Arrays of integers.

use crate::render::pen::{Literal, Mark, Pen};
use crate::schema::{Field, Wire};

use super::Dialect;
use super::compiler::Compiler;
use super::elements::Elements;
use super::integer::Integer;
use super::shown::{Shown, unsigned};
use super::source::Source;

/// An array of integers, which are shown in a few characters each.
#[derive(Debug)]
pub(super) struct Array {
    elements: Elements,
    integer: Integer,
    shown: Shown,
}

impl Array {
    /// Compiles a field; `None` for others.
    pub(super) fn new<D: Dialect>(compiler: &mut Compiler<'_, D>, field: &Field) -> Option<Self> {
        let Wire::Scalar(scalar) = field.wire else { return None };
        let integer =
            Integer::new(scalar, compiler.pointer).filter(|_| !field.is_characters() && field.slot.is_none())?;
        let elements = Elements::new(compiler.schema, field.count)?;
        let shown = Shown::new(compiler, field, integer);
        shown.is_short().then_some(Self { elements, integer, shown })
    }

    /// Writes the field at the start of `rest`, and what is after it. Returns its bytes in the payload; `None` if it does not
    /// fit.
    pub(super) fn write<D: Dialect>(
        &mut self,
        pen: &mut Pen,
        key: &Literal,
        rest: &[u8],
        source: &Source<'_>,
    ) -> Option<usize> {
        let Self { elements, integer, shown } = self;
        let (count, start) = elements.read(rest, integer.width, source.slots)?;
        let elements = rest.get(start..start + count * integer.width.bytes())?;
        pen.literal(key);
        pen.byte(b'[');
        match shown {
            Shown::Hex => {
                let before = if D::QUOTES_WORDS { D::QUOTE } else { Mark::NONE };
                let after = D::BETWEEN.of(D::QUOTES_WORDS);
                integer.width.each(elements, |number| pen.marked_hex(before, number, after));
            }
            Shown::Unsigned => integer.width.each(elements, |number| {
                unsigned::<D>(pen, number);
                D::BETWEEN.plain.write(pen);
            }),
            _ => integer.width.each(elements, |number| {
                shown.write::<D>(pen, *integer, (number, D::BETWEEN), source, |_| {});
            }),
        }
        if !elements.is_empty() {
            pen.rewind(pen.place().saturating_sub(1));
        }
        pen.byte(b']');
        D::AFTER.plain.write(pen);
        Some(start + elements.len())
    }
}
