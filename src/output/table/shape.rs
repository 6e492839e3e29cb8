//! The shape of the value of a path: one value or several.

use crate::clock::Clock;
use crate::decode::{Event, Value, Visitor};
use crate::render::value::{self, ValueContext};
use crate::schema::{Field, Schema};
use crate::select::{self, Path};

/// How much there is at the end of a path.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shape {
    /// Values, arrays and structs that are not inside another one.
    pub(super) items: usize,
    /// Arrays and structs among them.
    nested: usize,
    /// Of these, still open.
    open: usize,
    /// Whether the path leads through an array, so that there may be any number.
    many: bool,
}

impl Shape {
    pub(super) fn of(event: &Event<'_>, path: &Path) -> Self {
        let mut shape = Self::default();
        shape.many = select::visit(event, path, &mut shape);
        shape
    }

    /// One value, with nothing around it.
    pub(super) const fn is_text(self) -> bool {
        self.items == 1 && self.nested == 0 && !self.many
    }

    /// Several, or as many as an array has.
    pub(super) const fn is_list(self) -> bool {
        self.items > 1 || self.many
    }

    const fn begin(&mut self) {
        self.items += (self.open == 0) as usize;
        self.nested += 1;
        self.open += 1;
    }
}

impl Visitor for Shape {
    fn value(&mut self, _: usize, _: &Field, _: Value<'_>) {
        self.items += usize::from(self.open == 0);
    }

    fn begin_array(&mut self, _: usize, _: &Field) {
        self.begin();
    }

    fn end_array(&mut self, _: usize, _: &Field) {
        self.open -= 1;
    }

    fn begin_struct(&mut self, _: usize, _: &Field) {
        self.begin();
    }

    fn end_struct(&mut self, _: usize, _: &Field) {
        self.open -= 1;
    }
}

/// Writes values as text.
pub(super) struct PlainText<'o, 'a> {
    pub(super) out: &'o mut Vec<u8>,
    pub(super) schema: &'a Schema,
    pub(super) clock: Option<&'a Clock>,
}

impl Visitor for PlainText<'_, '_> {
    fn value(&mut self, _: usize, field: &Field, value: Value<'_>) {
        value::push(self.out, value, ValueContext { field, map: self.schema.map(field), clock: self.clock });
    }
}
