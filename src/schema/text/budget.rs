//! How much the schemas of one text may take together.
//!
//! `event id 1, 2, 3` makes three schemas of one, and every schema has copies of its provider's name and of its maps:
//! without a cap a short text could ask for any amount of memory.

use crate::limits;
use crate::schema::{Schema, SchemaEntry};

/// Bytes that may still be taken.
#[derive(Debug)]
pub(super) struct Budget(usize);

impl Budget {
    /// Enough for a text of this many bytes: a field takes some thirty times the bytes of its line, copies come on top.
    pub(super) const fn new(text: usize) -> Self {
        Self(limits::MAX_TEXT + 64 * text)
    }

    /// Takes the bytes of `copies` schemas like this one. False if there are not enough.
    pub(super) fn take(&mut self, schema: &Schema, copies: usize) -> bool {
        let left = size(schema).checked_mul(copies).and_then(|bytes| self.0.checked_sub(bytes));
        self.0 = left.unwrap_or(0);
        left.is_some()
    }
}

/// About the bytes of an entry with a schema.
fn size(schema: &Schema) -> usize {
    size_of::<SchemaEntry>() - size_of::<Schema>() + schema.weight()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Field, Names, Scalar, SchemaSource, Wire};

    #[test]
    fn what_is_taken_is_gone() {
        let names = Names { task: Some("t".repeat(100).into()), ..Names::default() };
        let schema = Schema::empty(names, SchemaSource::USER.into()).unwrap();
        let one = size(&schema);
        let mut budget = Budget(3 * one);
        assert!(one > 100 && budget.take(&schema, 2));
        assert!(budget.take(&schema, 1));
        assert!(!budget.take(&schema, 1));
        assert!(!Budget(usize::MAX).take(&schema, usize::MAX));
    }

    #[test]
    fn every_text_of_a_schema_counts() {
        let text = || Some("t".repeat(100).into());
        let made = |names: Names, alias: Option<Box<str>>| {
            let mut builder = Schema::builder(SchemaSource::USER.into()).names(names);
            let mut field = Field::new("F", Wire::Scalar(Scalar::U8));
            field.alias = alias;
            builder.field(field);
            builder.build().unwrap()
        };
        let plain = size(&made(Names::default(), None));
        assert!(size(&made(Names { opcode: text(), ..Names::default() }, None)) >= plain + 100);
        assert!(size(&made(Names::default(), text())) >= plain + 100);
    }
}
