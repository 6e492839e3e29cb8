//! The names of the fields of a schema, and those of their values.

use etwkit::event::{Kind, RawEvent};
use etwkit::schema::{Field, Map, Schema};

use crate::names::{self, Alias, FieldAppearance, ValueNames};

/// Names and looks of fields, by place.
#[derive(Debug, Default)]
pub(super) struct Labels {
    fields: Box<[(Box<str>, FieldAppearance)]>,
    values: ValueNames,
    is_classic: bool,
}

impl Labels {
    /// Returns those of an event's fields.
    pub(super) fn new(event: &RawEvent<'_>, schema: &Schema, alias: Option<(&Alias, bool)>) -> Self {
        let fields = names::fields(event, schema, alias).into_iter().map(|(name, look)| (name.into(), look));
        let is_classic = event.kind() == Kind::Classic;
        Self { fields: fields.collect(), values: ValueNames::new(schema), is_classic }
    }

    /// Returns the name of the field at a place.
    pub(super) fn name(&self, place: usize) -> Option<&str> {
        self.fields.get(place).map(|(name, _)| &**name)
    }

    /// Returns the look of the field at a place.
    pub(super) fn look(&self, place: usize) -> FieldAppearance {
        self.fields.get(place).map_or(FieldAppearance::Schema, |(_, look)| *look)
    }

    /// Returns the names of values of a field with its place, as it is handed over. A number of a MOF class has none.
    pub(super) fn map<'s>(&self, schema: &'s Schema, field: (usize, &Field)) -> Option<&'s Map> {
        let is_number = self.is_classic && self.look(field.0) != FieldAppearance::Schema;
        self.values.of(schema, field).filter(|_| !is_number)
    }
}
