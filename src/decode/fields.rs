//! Iterates over the top-level fields of an event.

use crate::bytes::PointerSize;
use crate::schema::{Field, Schema, Span, Step};

use super::{FieldView, Scratch};

/// The readable top-level fields of an event, in order. It copies the few things that it needs: an event is large.
#[derive(Clone, Debug)]
pub(super) struct Fields<'a> {
    pub(super) schema: &'a Schema,
    pub(super) payload: &'a [u8],
    pub(super) pointer: PointerSize,
    pub(super) scratch: &'a Scratch,
    /// Where the first fields are.
    pub(super) prefix: &'a [Span],
    /// How each field is read.
    pub(super) steps: &'a [Step],
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
        let Self { schema, payload, pointer, scratch, labelled, .. } = *self;
        let span = match self.prefix.get(index) {
            Some(span) => *span,
            None => scratch.span(index)?,
        };
        let read = self.steps.get(index)?.read;
        Some(FieldView { field, index, span, read, schema, payload, pointer, scratch, labelled: index < labelled })
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

/// The readable top-level fields of any event: none without a schema.
#[derive(Clone, Debug)]
pub(super) struct AllFields<'a>(pub(super) Option<Fields<'a>>);

impl<'a> Iterator for AllFields<'a> {
    type Item = FieldView<'a>;

    #[inline]
    fn next(&mut self) -> Option<FieldView<'a>> {
        self.0.as_mut()?.next()
    }

    /// Calls `f` at one place only, so that the compiler can keep the parts of a view in registers.
    #[inline]
    fn fold<B, F: FnMut(B, FieldView<'a>) -> B>(self, init: B, f: F) -> B {
        match self.0 {
            Some(fields) => fields.fold(init, f),
            None => init,
        }
    }
}
