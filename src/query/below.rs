//! What lies at the end of a path.

use crate::decode::{Event, FieldView, Value, Visitor};
use crate::schema::Field;

use super::field::{rest, views};
use super::steps::Steps;
use super::tree::Path;

/// Hands on what lies at the end of the steps, and below, and leaves out what lies beside.
struct Below<'v, 'p, V> {
    inner: &'v mut V,
    steps: Steps<'p>,
    /// Arrays and structs open of those that are handed on.
    open: usize,
    /// An array was met on the way.
    many: bool,
}

/// The top-level field that a path is, if there is only one.
pub(crate) fn only<'a>(event: &Event<'a>, path: &Path) -> Option<FieldView<'a>> {
    let mut all = views(event, path);
    let first = all.next().filter(|view| rest(view, path).is_empty());
    if all.next().is_none() { first } else { None }
}

/// Hands what a path leads to in an event to a visitor; whether it leads through an array, so that there may be any number.
pub(crate) fn visit(event: &Event<'_>, path: &Path, visitor: &mut impl Visitor) -> bool {
    let mut many = false;
    for view in views(event, path) {
        let mut below = Below { inner: visitor, steps: rest(&view, path), open: 0, many };
        view.visit(&mut below);
        many = below.many;
    }
    many
}

impl<V> Below<'_, '_, V> {
    fn takes(&self, field: &Field) -> bool {
        self.open > 0 || self.steps.is_end(field)
    }
}

impl<V: Visitor> Visitor for Below<'_, '_, V> {
    fn value(&mut self, place: usize, field: &Field, value: Value<'_>) {
        if self.takes(field) {
            self.inner.value(place, field, value);
        }
    }

    fn begin_array(&mut self, place: usize, field: &Field) {
        if self.takes(field) {
            self.open += 1;
            self.inner.begin_array(place, field);
        } else {
            self.many |= self.steps.is_on_way(field);
        }
    }

    fn end_array(&mut self, place: usize, field: &Field) {
        if self.open > 0 {
            self.open -= 1;
            self.inner.end_array(place, field);
        }
    }

    fn begin_struct(&mut self, place: usize, field: &Field) {
        if self.takes(field) {
            self.open += 1;
            self.inner.begin_struct(place, field);
        } else {
            self.steps.enter(field);
        }
    }

    fn end_struct(&mut self, place: usize, field: &Field) {
        if self.open > 0 {
            self.open -= 1;
            self.inner.end_struct(place, field);
        } else {
            self.steps.leave();
        }
    }
}
