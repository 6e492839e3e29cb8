//! A step of a plan: a field outside of structs, with the fields after it that are not shown.

use crate::render::pen::Pen;
use crate::schema::{DisplayFormat, Field};

use super::Dialect;
use super::array::Array;
use super::compiler::Compiler;
use super::op::Op;
use super::source::Source;
use super::structs::Structs;
use super::value::Value;

/// One field outside of structs, and integers after it that are not shown and that nothing refers to.
#[derive(Debug)]
pub(super) struct Step {
    value: Value,
    /// What it is if it is not a single value.
    compound: Compound,
    pub(super) is_optional: bool,
    /// Its place in the schema.
    pub(super) place: usize,
}

/// What is not a single value.
#[derive(Debug)]
enum Compound {
    Array(Array),
    Structs(Structs),
    /// A single value, or for the executor.
    None,
}

impl Step {
    pub(super) fn new<D: Dialect>(compiler: &mut Compiler<'_, D>, (place, field): (usize, &Field)) -> Self {
        let is_optional = field.optional;
        if field.display == DisplayFormat::Hidden {
            let value = Value::new::<D>(Op::hidden(field, compiler.pointer), Vec::new(), place);
            return Self { value, compound: Compound::None, is_optional, place };
        }
        let mut key = Vec::new();
        D::push_key(&mut key, compiler.keys, compiler.schema, place);
        let value = Value::new::<D>(Op::new(compiler, field), key, place);
        let compound = if value.is_single() {
            Compound::None
        } else if let Some(array) = Array::new(compiler, field) {
            Compound::Array(array)
        } else {
            Structs::new(compiler, (place, field)).map_or(Compound::None, Compound::Structs)
        };
        Self { value, compound, is_optional, place }
    }

    /// Returns whether the field is not shown.
    pub(super) const fn is_hidden(&self) -> bool {
        self.value.key.is_empty()
    }

    /// Takes in the next field, if it is not shown and nothing refers to it. Returns whether it did.
    pub(super) fn absorb(&mut self, next: &Self) -> bool {
        !self.is_optional && !next.is_optional && self.value.absorb(&next.value)
    }

    /// Writes the field at the start of `rest`, and what is after it. Returns its bytes in the payload, which may be more
    /// than there are; `None` if it does not fit, and if it is for the executor.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "as for `Value::write`")]
    pub(super) fn write<D: Dialect>(&mut self, pen: &mut Pen, rest: &[u8], source: &mut Source<'_>) -> Option<usize> {
        if self.is_optional && rest.is_empty() {
            // Only the executor knows what an array of nothing costs.
            return self.is_read_here().then_some(0);
        }
        self.value.write::<D>(pen, rest, source).or_else(|| self.write_compound::<D>(pen, rest, source))
    }

    #[inline(never)]
    fn write_compound<D: Dialect>(&mut self, pen: &mut Pen, rest: &[u8], source: &mut Source<'_>) -> Option<usize> {
        match &mut self.compound {
            Compound::Array(array) => array.write::<D>(pen, &self.value.key, rest, source),
            Compound::Structs(structs) => structs.write::<D>(pen, &self.value.key, rest, source),
            Compound::None => None,
        }
    }

    /// Returns whether the executor is not needed for it.
    const fn is_read_here(&self) -> bool {
        self.value.is_single() || !matches!(self.compound, Compound::None)
    }
}
