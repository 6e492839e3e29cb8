//! Facts that follow from an event's fields and the traced system: the file of a key, a span in milliseconds, the
//! image of an address, the processes of threads. They have names for conditions and columns, and are members of JSON
//! lines.

mod facts;
mod placed;
mod sources;
mod values;

use crate::decode::Event;
use crate::schema::Schema;

use super::header_field::HeaderField;
use super::header_value::HeaderValue;
use super::schema_paths::{is_called, layouts};
pub(crate) use placed::{Placed, PlacedFacts};
pub(crate) use sources::Role;
use sources::{names_in_text, source_names, sources};
pub(crate) use values::value as derived_value_of;

/// The provider of the kernel's events, as its tables call it.
const KERNEL: &str = "Windows Kernel";
/// The provider whose events have paths in the kernel's form.
const KERNEL_FILE: &str = "Microsoft-Windows-Kernel-File";

/// Returns all derived fields, in the order of their members in JSON lines.
fn derived() -> impl Iterator<Item = HeaderField> {
    HeaderField::rare().filter(|field| field.is_derived())
}

impl HeaderField {
    /// Returns whether it follows from other fields and the traced system.
    pub(super) const fn is_derived(self) -> bool {
        !sources(self).is_empty()
    }
}

/// Returns a derived value; `None` if the event has no such field, or the trace does not state what follows from it.
pub(super) fn derived_value<'e>(field: HeaderField, event: &Event<'e>) -> Option<HeaderValue<'e>> {
    if may_derive(field, event) { derived_value_of(field, event) } else { None }
}

/// Returns whether no event of a type can have a derived field. `schema` is the first of the type's layouts.
pub(super) fn is_never_derived(field: HeaderField, schema: Option<&Schema>) -> bool {
    field.is_derived() && !layouts(schema).any(|schema| has_source(schema, source_names(field)))
}

/// Returns the derived fields that events of this type may have.
pub(crate) fn derived_fields(event: &Event<'_>) -> Box<[HeaderField]> {
    let Some(schema) = event.schema() else { return Box::default() };
    let may_have = |field: &HeaderField| may_derive(*field, event) && has_source(schema, source_names(*field));
    derived().filter(may_have).collect()
}

/// Returns the derived fields that lines of text have for events of this type: those that the payload's own fields do
/// not show.
pub(crate) fn derived_in_text(event: &Event<'_>) -> Box<[HeaderField]> {
    let Some(schema) = event.schema() else { return Box::default() };
    let is_shown =
        |field: &HeaderField| is_of_kernel(event) && has_source(schema, names_in_text(*field).iter().copied());
    derived().filter(is_shown).collect()
}

fn has_source(schema: &Schema, mut names: impl Iterator<Item = &'static str>) -> bool {
    names.any(|name| schema.top_level().any(|(_, field)| is_called(field, name)))
}

/// Returns whether the fields of an event mean what a derived field follows from: other providers may mean something
/// else by their names.
fn may_derive(field: HeaderField, event: &Event<'_>) -> bool {
    is_of_kernel(event) || (field == HeaderField::FileName && provider(event) == Some(KERNEL_FILE))
}

fn is_of_kernel(event: &Event<'_>) -> bool {
    provider(event) == Some(KERNEL) || event.raw().hook().is_some()
}

fn provider<'e>(event: &Event<'e>) -> Option<&'e str> {
    event.schema().and_then(|schema| schema.names().provider.as_deref())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_from_nothing_is_not_derived() {
        assert_eq!((derived().next(), derived().count()), (Some(HeaderField::FileName), 12));
        assert!(!HeaderField::columns().chain([HeaderField::MessageLevel]).any(HeaderField::is_derived));
    }
}
