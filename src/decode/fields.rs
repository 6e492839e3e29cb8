//! Iterates over the top-level fields of an event.

use crate::bytes::PointerSize;
use crate::schema::{Field, Schema};

use super::{FieldView, Scratch};

/// The readable top-level fields of an event, in order. It copies the few things that it needs: an event is large.
#[derive(Clone, Debug)]
pub(super) struct Fields<'a> {
    pub(super) schema: &'a Schema,
    pub(super) payload: &'a [u8],
    pub(super) pointer: PointerSize,
    pub(super) scratch: &'a Scratch,
    /// The place of the next field among all fields.
    pub(super) next: usize,
    /// The place of the first field that cannot be read.
    pub(super) fitted: usize,
    /// The place of the first field whose values are shown without their labels.
    pub(super) labelled: usize,
}

impl<'a> Fields<'a> {
    /// Returns the view of a field at a place.
    #[inline]
    pub(super) fn view(&self, index: usize, field: &'a Field) -> Option<FieldView<'a>> {
        let Self { schema, payload, pointer, scratch, .. } = *self;
        let span = scratch.span(index)?;
        Some(FieldView { field, index, span, schema, payload, pointer, scratch, labelled: index < self.labelled })
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = FieldView<'a>;

    #[inline]
    fn next(&mut self) -> Option<FieldView<'a>> {
        while self.next < self.fitted {
            let index = self.next;
            let field = self.schema.fields().get(index)?;
            self.next += field.span();
            if let Some(view) = self.view(index, field).filter(|view| !view.is_absent()) {
                return Some(view);
            }
        }
        None
    }
}
