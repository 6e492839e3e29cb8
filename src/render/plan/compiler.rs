//! What the fields of a schema are compiled from.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::bytes::PointerSize;
use crate::render::pen::Literal;
use crate::schema::{Field, Map, Schema};

use super::Dialect;

/// The names of a map as they are written, sorted by value.
pub(super) type Labels = Arc<[(u64, Literal)]>;

/// A schema, and what its fields share.
pub(super) struct Compiler<'a, D: Dialect> {
    pub(super) schema: &'a Schema,
    pub(super) keys: &'a D::Keys,
    pub(super) pointer: PointerSize,
    /// By the number of the map.
    labels: BTreeMap<u16, Labels>,
}

impl<'a, D: Dialect> Compiler<'a, D> {
    pub(super) const fn new(schema: &'a Schema, keys: &'a D::Keys, pointer: PointerSize) -> Self {
        Self { schema, keys, pointer, labels: BTreeMap::new() }
    }

    /// Returns the map of a field, with its number.
    pub(super) fn map(&self, field: &Field) -> Option<(u16, &'a Map)> {
        field.map.zip(self.schema.map(field))
    }

    /// Returns the names of a map, which are made once.
    pub(super) fn labels(&mut self, (number, map): (u16, &Map)) -> Labels {
        let label = |(value, name): (u64, &str)| {
            let mut text = Vec::new();
            D::push_label(&mut text, name);
            (value, Literal::new(&text))
        };
        let make = || map.entries().map(label).collect();
        Arc::clone(self.labels.entry(number).or_insert_with(make))
    }
}
