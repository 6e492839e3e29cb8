//! Several layouts of one event.

use crate::error::Result;

use super::Schema;

/// Layouts of one event that are tried. Alternatives are a chain, which must not grow with a file.
const MAX_LAYOUTS: usize = 8;

impl Schema {
    /// Returns the first of these schemas, with those after it that differ as its alternatives, eight at most. `None`
    /// if there are none.
    ///
    /// # Errors
    ///
    /// The first error, if there is no schema: a layout that cannot be right takes nothing from the others.
    pub fn first_of(schemas: impl IntoIterator<Item = Result<Self>>) -> Result<Option<Self>> {
        let mut layouts: Vec<Self> = Vec::new();
        let mut failed = None;
        for schema in schemas {
            match schema {
                Ok(schema) if !layouts.contains(&schema) => layouts.push(schema),
                Ok(_) => {}
                Err(error) => failed = failed.or(Some(error)),
            }
            if layouts.len() == MAX_LAYOUTS {
                break;
            }
        }
        match (layouts.into_iter().reduce(Self::or), failed) {
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
    fn no_more_than_eight_are_taken() {
        assert_eq!(layouts((0..20).map(|number| schema(&number.to_string())).collect()).len(), MAX_LAYOUTS);
    }

    #[test]
    fn the_first_error_counts_if_there_is_no_schema() {
        let failed = Schema::first_of([error(1), error(2)]).unwrap_err();
        assert_eq!(failed.to_string(), Error::limit("test", 1).to_string());
    }
}
