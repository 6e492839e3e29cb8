//! The type of a struct: decided by its schema.

use etwkit::schema::{Count, DisplayFormat, Field, Schema, Wire};

use crate::data_type::{DataType, Member};
use crate::element_type::element;
use crate::names::Names;

/// Returns the type of the struct at a place of a schema; `None` if its column is text.
pub(crate) fn struct_type(schema: &Schema, place: usize) -> Option<DataType> {
    Members { schema, room: MAX_STRUCT_VALUES }.of(place, MAX_STRUCT_DEPTH)
}

struct Members<'s> {
    schema: &'s Schema,
    room: usize,
}

impl Members<'_> {
    fn of(&mut self, place: usize, depth: usize) -> Option<DataType> {
        let (schema, inner) = (self.schema, depth.checked_sub(1)?);
        let (mut names, mut members) = (Names::default(), Vec::new());
        let shown = schema.members(place).filter(|(_, field)| field.display != DisplayFormat::Hidden);
        for (at, field) in shown {
            let one = match field.wire {
                Wire::Struct { .. } => self.of(at, inner)?,
                _ => self.value(field)?,
            };
            let is_list = field.count != Count::One && !field.is_characters();
            let data_type = if is_list { DataType::List(Box::new(one)) } else { one };
            members.push(Member::new(names.free(&field.name), data_type));
        }
        // Engines have no struct of nothing.
        (!members.is_empty()).then_some(DataType::Struct(members))
    }

    /// As the elements of arrays, names and times have no integer beside them.
    fn value(&mut self, field: &Field) -> Option<DataType> {
        self.room = self.room.checked_sub(1)?;
        let is_text = field.is_characters() || self.schema.map(field).is_some();
        let of = if is_text { DataType::Text } else { element(field) };
        Some(of.without_time())
    }
}

/// Structs in structs that have parts in columns. Where there are more, the whole is text.
const MAX_STRUCT_DEPTH: usize = 8;
/// Values of a struct, those of structs in it included: each is a column of a Parquet file. Where there are more, the whole
/// is text.
const MAX_STRUCT_VALUES: usize = 256;

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test")]
mod tests {
    use etwkit::schema::{Scalar, SchemaBuilder, SchemaSource};

    use super::*;

    /// The type of the first field.
    fn of(build: impl FnOnce(&mut SchemaBuilder)) -> Option<String> {
        let mut builder = Schema::builder(SchemaSource::USER.into());
        build(&mut builder);
        struct_type(&builder.build().unwrap(), 0).map(|of| of.to_string())
    }

    fn begin(builder: &mut SchemaBuilder) {
        builder.begin_struct(Field::new("s", Wire::Struct { fields: 0 }));
    }

    fn byte(builder: &mut SchemaBuilder, name: &str) {
        builder.field(Field::new(name, Wire::Scalar(Scalar::U8)));
    }

    #[test]
    fn members_have_the_types_of_columns_and_names_of_their_own() {
        let shown = of(|builder| {
            begin(builder);
            byte(builder, "A");
            byte(builder, "a");
            builder.field(Field::new("", Wire::Scalar(Scalar::F32)).counted(Count::Fixed(2)));
            begin(builder);
            byte(builder, "A");
            builder.end_struct();
            builder.end_struct();
        });
        assert_eq!(shown.unwrap(), "struct of (A u8, a_2 u8, field list of f32, s struct of (A u8))");
    }

    #[test]
    fn what_engines_cannot_have_is_text() {
        let nested = |depth: usize| {
            of(|builder| {
                (0..depth).for_each(|_| begin(builder));
                byte(builder, "a");
                (0..depth).for_each(|_| {
                    builder.end_struct();
                });
            })
        };
        assert!(nested(MAX_STRUCT_DEPTH).is_some() && nested(MAX_STRUCT_DEPTH + 1).is_none());
        let wide = |members: usize| {
            of(|builder| {
                begin(builder);
                (0..members).for_each(|_| byte(builder, "a"));
                builder.end_struct();
            })
        };
        assert!(wide(MAX_STRUCT_VALUES).is_some() && wide(MAX_STRUCT_VALUES + 1).is_none());
        assert_eq!(wide(0), None);
    }
}
