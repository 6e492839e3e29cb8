//! Following the steps of a path into the structs of a field.

use crate::schema::Field;

use super::schema_paths::is_called;

/// Where a walk over a field is, measured by the steps that lead on from it.
#[derive(Clone, Copy, Debug)]
pub(super) struct PathWalk<'p> {
    names: &'p [Box<str>],
    /// Structs entered along the steps, the top-level one first.
    inside: usize,
    /// Structs entered outside of these.
    outside: usize,
}

impl<'p> PathWalk<'p> {
    /// At the top-level field.
    pub(super) const fn new(names: &'p [Box<str>]) -> Self {
        Self { names, inside: 0, outside: 0 }
    }

    /// Returns whether the top-level field itself is the end.
    pub(super) const fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Returns whether this field, a value or a struct, is the end of the steps.
    pub(super) fn is_end(&self, field: &Field) -> bool {
        self.outside == 0 && self.inside == self.names.len() && (self.is_empty() || self.is_next(field))
    }

    /// Returns whether this field is on the way to the end.
    pub(super) fn is_on_way(&self, field: &Field) -> bool {
        // The first one is the top-level field itself.
        self.outside == 0 && (self.inside == 0 || self.is_next(field))
    }

    /// A struct begins.
    pub(super) fn enter(&mut self, field: &Field) {
        if self.is_on_way(field) {
            self.inside += 1;
        } else {
            self.outside += 1;
        }
    }

    /// The struct ended.
    pub(super) const fn leave(&mut self) {
        if self.outside > 0 {
            self.outside -= 1;
        } else {
            self.inside = self.inside.saturating_sub(1);
        }
    }

    /// Returns whether a member of the struct that we are in is the next step.
    fn is_next(&self, field: &Field) -> bool {
        self.inside.checked_sub(1).and_then(|at| self.names.get(at)).is_some_and(|step| is_called(field, step))
    }
}
