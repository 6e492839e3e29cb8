//! Iterates over the top-level fields of an event.

use std::iter::{Enumerate, Take, Zip};
use std::slice::Iter;

use crate::bytes::PointerSize;
use crate::schema::{Field, Presence, Schema, Span, Step};

use super::{FieldView, Scratch};

/// Fields with how they are read and where they are, by place.
type Places<'a> = Enumerate<Take<Zip<Zip<Iter<'a, Field>, Iter<'a, Step>>, Iter<'a, Span>>>>;

/// The readable top-level fields of an event, in order. It copies the few things that it needs: an event is large.
#[derive(Clone, Debug)]
pub(super) struct Fields<'a> {
    /// All fields that are readable, members of structs among them.
    pub(super) all: Places<'a>,
    pub(super) schema: &'a Schema,
    pub(super) payload: &'a [u8],
    pub(super) pointer: PointerSize,
    pub(super) scratch: &'a Scratch,
    /// The place of the first field whose values are shown without their labels.
    pub(super) labelled: usize,
}

impl<'a> Fields<'a> {
    /// Returns the field at a place, unless it is a member of a struct or absent.
    #[inline]
    pub(super) fn at(mut self, place: usize) -> Option<FieldView<'a>> {
        let (index, ((field, step), span)) = self.all.nth(place)?;
        self.view(index, field, step, *span)
    }

    #[inline]
    fn view(&self, index: usize, field: &'a Field, step: &'a Step, span: Span) -> Option<FieldView<'a>> {
        let Self { schema, payload, pointer, scratch, labelled, .. } = *self;
        if step.presence != Presence::Always && !is_there(step, span, payload) {
            return None;
        }
        Some(FieldView { field, schema, index, span, step, payload, pointer, scratch, labelled })
    }
}

/// Returns whether a field that is not always there is: the event may have ended before it.
fn is_there(step: &Step, span: Span, payload: &[u8]) -> bool {
    step.presence == Presence::Optional && (span.start < span.end || (span.end as usize) < payload.len())
}

impl<'a> Iterator for Fields<'a> {
    type Item = FieldView<'a>;

    #[inline]
    fn next(&mut self) -> Option<FieldView<'a>> {
        loop {
            let (index, ((field, step), span)) = self.all.next()?;
            if let Some(view) = self.view(index, field, step, *span) {
                return Some(view);
            }
        }
    }

    #[inline]
    fn fold<B, F: FnMut(B, FieldView<'a>) -> B>(self, init: B, mut f: F) -> B {
        self.all.clone().fold(init, |done, (index, ((field, step), span))| match self.view(index, field, step, *span) {
            Some(view) => f(done, view),
            None => done,
        })
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
