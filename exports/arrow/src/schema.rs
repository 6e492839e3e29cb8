//! Types and schemas.

use std::sync::Arc;

use arrow_schema::{DataType as ArrowType, Field, FieldRef, Schema, TimeUnit};
use etwkit_columns::{Column, DataType, Member};

/// Returns the schema of a table with these columns. Each may have nulls.
pub fn schema(columns: &[Column]) -> Schema {
    let field = |column: &Column| Field::new(&column.name, data_type(&column.data_type), true);
    Schema::new(columns.iter().map(field).collect::<Vec<_>>())
}

/// Returns the type that the values of a column have in Arrow.
pub fn data_type(of: &DataType) -> ArrowType {
    match of {
        DataType::Bool => ArrowType::Boolean,
        DataType::Signed(8) => ArrowType::Int8,
        DataType::Signed(16) => ArrowType::Int16,
        DataType::Signed(32) => ArrowType::Int32,
        DataType::Signed(_) => ArrowType::Int64,
        DataType::Unsigned(8) => ArrowType::UInt8,
        DataType::Unsigned(16) => ArrowType::UInt16,
        DataType::Unsigned(32) => ArrowType::UInt32,
        DataType::Unsigned(_) => ArrowType::UInt64,
        DataType::F32 => ArrowType::Float32,
        DataType::F64 => ArrowType::Float64,
        DataType::Time => ArrowType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
        DataType::List(of) => ArrowType::List(item_field(data_type(of))),
        DataType::Struct(members) => {
            let field = |member: &Member| Field::new(&member.name, data_type(&member.data_type), true);
            ArrowType::Struct(members.iter().map(field).collect())
        }
        _ => ArrowType::Utf8,
    }
}

/// The field of the values in lists.
pub(crate) fn item_field(of: ArrowType) -> FieldRef {
    Arc::new(Field::new_list_field(of, true))
}
