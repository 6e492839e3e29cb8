//! The names of values in reports.

use etwkit::schema::{Count, Field, Map, Schema};

/// Which field's map names the values of each field, by place.
#[derive(Debug, Default)]
pub(crate) struct ValueNames {
    /// Places in [`Schema::reported`]; empty if that is the schema itself.
    reported: Box<[Option<usize>]>,
}

impl ValueNames {
    /// Prepares a schema. Fields that Windows describes have the names that it has for them, or none; arrays keep theirs.
    pub(crate) fn new(schema: &Schema) -> Self {
        if !schema.has_report() {
            return Self::default();
        }
        let mut reported = vec![None; schema.fields().len()];
        for ((place, own), (theirs, field)) in schema.reported_fields() {
            // An event has room for the names of its own schema, and of arrays there are very many.
            let fits = |map: &Map| own.count == Count::One && map.texts().all(|(_, text)| text.len() <= LONGEST_NAME);
            if let Some(slot) = reported.get_mut(place).filter(|_| schema.reported().map(field).is_none_or(fits)) {
                *slot = Some(theirs);
            }
        }
        Self { reported: reported.into() }
    }

    /// Returns the map of a field with its place, as it is handed over: without its map where the event has no room for
    /// names. `schema` is the one that was prepared.
    pub(crate) fn of<'s>(&self, schema: &'s Schema, (place, field): (usize, &Field)) -> Option<&'s Map> {
        let own = schema.fields().get(place)?;
        if own.map.is_some() && field.map.is_none() {
            return None;
        }
        let (owner, field) = match self.reported.get(place) {
            Some(Some(theirs)) => (schema.reported(), schema.reported().fields().get(*theirs)?),
            _ => (schema, own),
        };
        owner.map(field)
    }
}

/// Bytes of the longest name that Windows has for a value, with room to spare: a crafted manifest may have longer ones.
const LONGEST_NAME: usize = 256;

#[cfg(test)]
mod tests {
    use etwkit::schema::text;

    use super::*;

    #[test]
    fn a_schema_that_is_its_own_report_has_its_own_maps() {
        let text = "provider {00000000-0000-0000-0000-000000000001}\nmap M values { 1 \"a\" }\nevent id 1 {\nA u8\nB u8 map M\n}";
        let schema = text::parse(text).unwrap().remove(0).schema;
        let names = ValueNames::new(&schema);
        assert_eq!(
            schema.top_level().map(|field| names.of(&schema, field).is_some()).collect::<Vec<_>>(),
            [false, true]
        );
    }
}
