//! Walks down a path in a decoded event.

use crate::decode::{Event, FieldView, Shown, Value, Visitor};
use crate::schema::Field;

use super::path::Path;
use super::path_walk::PathWalk;
use super::schema_paths::{is_called, leads_to};

/// Returns the top-level field that a path is, if there is only one.
pub(crate) fn only<'a>(event: &Event<'a>, path: &Path) -> Option<FieldView<'a>> {
    let mut all = Descent::all(event, path);
    let first = all.next().filter(|descent| descent.steps.is_empty());
    if all.next().is_none() { first.map(|descent| descent.view) } else { None }
}

/// Returns whether the event has the field: a value, a struct, or an array, also one without elements.
pub(crate) fn exists(event: &Event<'_>, path: &Path) -> bool {
    let mut seen = Seen(false);
    visit(event, path, &mut seen);
    seen.0
}

/// Hands what a path leads to in an event to a visitor, of structs the members that are meant to be shown. Returns whether the path leads through an array, so that there
/// may be any number of values.
pub(crate) fn visit(event: &Event<'_>, path: &Path, visitor: &mut impl Visitor) -> bool {
    let mut many = false;
    for descent in Descent::all(event, path) {
        many |= descent.visit(visitor);
    }
    many
}

/// A top-level field and the steps of a path that lead on from it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Descent<'a, 'p> {
    /// The top-level field.
    view: FieldView<'a>,
    steps: PathWalk<'p>,
}

impl<'a, 'p> Descent<'a, 'p> {
    /// Returns the descents into all top-level fields that a path begins with.
    pub(crate) fn all(event: &Event<'a>, path: &'p Path) -> impl Iterator<Item = Self> + use<'a, 'p> {
        event.fields().filter(move |view| leads_to(view.field, path)).map(move |view| Self::new(view, path))
    }

    fn new(view: FieldView<'a>, path: &'p Path) -> Self {
        let whole = is_called(view.field, &path.whole);
        Self { view, steps: PathWalk::new(if whole { &[] } else { path.steps.get(1..).unwrap_or_default() }) }
    }

    fn visit(self, visitor: &mut impl Visitor) -> bool {
        let mut at_end = AtEnd { inner: &mut Shown::new(visitor), steps: self.steps, open: 0, many: false };
        self.view.visit(&mut at_end);
        at_end.many
    }

    /// Hands over the single values and array elements at the end of the steps, but nothing inside of a struct there.
    pub(crate) fn each_value(&self, each: impl FnMut(&Field, &Value<'_>)) {
        self.view.visit(&mut EachValue { steps: self.steps, each });
    }
}

/// Whether anything was handed over.
struct Seen(bool);

impl Visitor for Seen {
    fn value(&mut self, _: usize, _: &Field, _: Value<'_>) {
        self.0 = true;
    }

    fn begin_array(&mut self, _: usize, _: &Field) {
        self.0 = true;
    }

    fn begin_struct(&mut self, _: usize, _: &Field) {
        self.0 = true;
    }
}

/// Hands on the values at the end of the steps.
struct EachValue<'p, F> {
    steps: PathWalk<'p>,
    each: F,
}

impl<F: FnMut(&Field, &Value<'_>)> Visitor for EachValue<'_, F> {
    fn value(&mut self, _place: usize, field: &Field, value: Value<'_>) {
        if self.steps.is_end(field) {
            (self.each)(field, &value);
        }
    }

    fn begin_struct(&mut self, _place: usize, field: &Field) {
        self.steps.enter(field);
    }

    fn end_struct(&mut self, _place: usize, _field: &Field) {
        self.steps.leave();
    }
}

/// Hands on the value at the end of the steps with everything inside it, and leaves out values outside the path.
struct AtEnd<'v, 'p, V> {
    inner: &'v mut V,
    steps: PathWalk<'p>,
    /// Arrays and structs open of those that are handed on.
    open: usize,
    /// An array was met on the way.
    many: bool,
}

impl<V> AtEnd<'_, '_, V> {
    fn takes(&self, field: &Field) -> bool {
        self.open > 0 || self.steps.is_end(field)
    }
}

impl<V: Visitor> Visitor for AtEnd<'_, '_, V> {
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
