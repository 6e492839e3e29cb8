//! The names of values in reports.

use etwkit::schema::{Map, Schema};

/// Which field's map names the values of each field, by place.
#[derive(Debug, Default)]
pub(crate) struct ValueNames {
    /// Places in [`Schema::reported`]; empty if that is the schema itself.
    reported: Box<[Option<usize>]>,
}

impl ValueNames {
    /// Prepares a schema. Fields that Windows describes have the names that it has for them, or none.
    pub(crate) fn new(schema: &Schema) -> Self {
        if !schema.has_report() {
            return Self::default();
        }
        let mut reported = vec![None; schema.fields().len()];
        for ((place, _), (theirs, _)) in schema.reported_fields() {
            if let Some(slot) = reported.get_mut(place) {
                *slot = Some(theirs);
            }
        }
        Self { reported: reported.into() }
    }

    /// Returns the map of the field at a place; `schema` is the one that was prepared.
    pub(crate) fn of<'s>(&self, schema: &'s Schema, place: usize) -> Option<&'s Map> {
        let (owner, place) = match self.reported.get(place) {
            Some(Some(theirs)) => (schema.reported(), *theirs),
            _ => (schema, place),
        };
        owner.map(owner.fields().get(place)?)
    }
}

#[cfg(test)]
mod tests {
    use etwkit::schema::text;

    use super::*;

    #[test]
    fn a_schema_that_is_its_own_report_has_its_own_maps() {
        let text = "provider {00000000-0000-0000-0000-000000000001}\nmap M values { 1 \"a\" }\nevent id 1 {\nA u8\nB u8 map M\n}";
        let schema = text::parse(text).unwrap().remove(0).schema;
        let names = ValueNames::new(&schema);
        assert_eq!((0..3).map(|place| names.of(&schema, place).is_some()).collect::<Vec<_>>(), [false, true, false]);
    }
}
