//! Paths in the layouts of a schema: whether events may have a field, before one is decoded.

use crate::schema::{Field, Schema};

use super::letter_case::same;
use super::path::Path;

/// Returns whether a field has this name or other name.
pub(super) fn is_called(field: &Field, name: &str) -> bool {
    same(&field.name, name) || field.is_alias(name)
}

/// Returns a schema and its other layouts.
pub(super) fn layouts(schema: Option<&Schema>) -> impl Iterator<Item = &Schema> {
    schema.into_iter().flat_map(Schema::with_alternatives)
}

/// Returns whether events of this layout may have the field.
pub(super) fn in_schema(schema: &Schema, path: &Path) -> bool {
    schema.top_level().any(|(_, field)| leads_to(field, path))
}

/// Returns whether a path is or begins with this top-level field.
pub(crate) fn leads_to(field: &Field, path: &Path) -> bool {
    is_called(field, &path.whole) || path.steps.first().is_some_and(|step| is_called(field, step))
}

/// Returns whether a top-level field is what a path leads to, and not one of its members.
pub(crate) fn is_all_of(field: &Field, path: &Path) -> bool {
    is_called(field, &path.whole) || path.steps.len() == 1
}

/// Returns whether all steps of a path lead to something in this layout.
pub(super) fn leads_through(schema: &Schema, path: &Path) -> bool {
    let mut reached: Vec<usize> = Vec::new();
    for (place, field) in schema.top_level() {
        if is_called(field, &path.whole) {
            return true;
        }
        reached.extend(path.steps.first().filter(|step| is_called(field, step)).map(|_| place));
    }
    for step in path.steps.iter().skip(1) {
        let members = reached.iter().flat_map(|place| schema.members(*place));
        reached = members.filter(|(_, field)| is_called(field, step)).map(|(place, _)| place).collect();
    }
    !reached.is_empty()
}
