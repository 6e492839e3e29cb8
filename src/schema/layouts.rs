//! Several layouts of one event.

use crate::error::Result;
use crate::limits::MAX_LAYOUTS;

use super::Schema;

impl Schema {
    /// Returns the first of these schemas, with those after it that differ as its alternatives,
    /// [`MAX_LAYOUTS`] at most. `None` if there are none.
    pub fn chained(schemas: impl IntoIterator<Item = Self>) -> Option<Self> {
        let mut layouts: Vec<Self> = Vec::new();
        for schema in schemas {
            if !layouts.contains(&schema) {
                layouts.push(schema);
            }
            if layouts.len() == MAX_LAYOUTS {
                break;
            }
        }
        layouts.into_iter().reduce(Self::or)
    }

    /// Returns those of these schemas that there are, as [`Schema::chained`] does.
    ///
    /// # Errors
    ///
    /// The first error, if there is no schema: a layout that cannot be right takes nothing from the others.
    pub fn first_of(schemas: impl IntoIterator<Item = Result<Self>>) -> Result<Option<Self>> {
        let mut failed = None;
        let right = schemas.into_iter().filter_map(|schema| match schema {
            Ok(schema) => Some(schema),
            Err(error) => {
                failed.get_or_insert(error);
                None
            }
        });
        match (Self::chained(right), failed) {
            (None, Some(error)) => Err(error),
            (schema, _) => Ok(schema),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;
    use crate::schema::{Names, Origin, SchemaBuilder, SchemaSource};

    /// A schema of a name.
    fn schema(name: &str) -> Result<Schema> {
        let names = Names { event: Some(name.into()), ..Names::default() };
        SchemaBuilder::new(Origin::from(SchemaSource::USER)).names(names).build()
    }

    fn error(limit: usize) -> Result<Schema> {
        Err(Error::limit("test", limit))
    }

    /// The names of the layouts.
    fn layouts(schemas: Vec<Result<Schema>>) -> Vec<String> {
        let first = Schema::first_of(schemas).unwrap();
        first
            .iter()
            .flat_map(Schema::with_alternatives)
            .map(|schema| schema.name().unwrap_or_default().to_owned())
            .collect()
    }

    #[test]
    fn those_that_differ_are_alternatives() {
        assert_eq!(layouts(vec![error(1), schema("a"), schema("b"), error(2), schema("a")]), ["a", "b"]);
        assert_eq!(Schema::first_of([]).unwrap(), None);
    }

    #[test]
    fn no_more_than_the_limit_are_taken() {
        assert_eq!(layouts((0..40).map(|number| schema(&number.to_string())).collect()).len(), MAX_LAYOUTS);
    }

    #[test]
    fn the_first_error_counts_if_there_is_no_schema() {
        let failed = Schema::first_of([error(1), error(2)]).unwrap_err();
        assert_eq!(failed.to_string(), Error::limit("test", 1).to_string());
    }
}
