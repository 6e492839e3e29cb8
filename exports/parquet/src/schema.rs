//! The schema of a file.

use std::sync::Arc;

use etwkit_columns::{Column, DataType};
use parquet::basic::{LogicalType, Repetition, TimeUnit, Type as Physical};
use parquet::errors::Result;
use parquet::schema::types::{Type, TypePtr};

/// Returns the schema of a table. Each column may have nulls.
pub(crate) fn schema_of(columns: &[Column]) -> Result<TypePtr> {
    let fields = columns.iter().map(|column| field(&column.name, &column.data_type)).collect::<Result<Vec<_>>>()?;
    Ok(Arc::new(Type::group_type_builder("events").with_fields(fields).build()?))
}

fn field(name: &str, data_type: &DataType) -> Result<TypePtr> {
    let of = match data_type {
        DataType::List(of) => of,
        DataType::Struct(members) => {
            let fields = members.iter().map(|member| field(&member.name, &member.data_type));
            let group = Type::group_type_builder(name)
                .with_repetition(Repetition::OPTIONAL)
                .with_fields(fields.collect::<Result<Vec<_>>>()?);
            return Ok(Arc::new(group.build()?));
        }
        _ => return Ok(Arc::new(primitive(name, data_type)?)),
    };
    // The names of the inner groups are those that the format's description of lists demands.
    let element = field("element", of)?;
    let list = Type::group_type_builder("list").with_repetition(Repetition::REPEATED).with_fields(vec![element]);
    let outer = Type::group_type_builder(name)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(Some(LogicalType::List))
        .with_fields(vec![Arc::new(list.build()?)]);
    Ok(Arc::new(outer.build()?))
}

fn primitive(name: &str, data_type: &DataType) -> Result<Type> {
    let (physical, logical) = match data_type {
        DataType::Bool => (Physical::BOOLEAN, None),
        DataType::Signed(64) => (Physical::INT64, None),
        DataType::Signed(32) => (Physical::INT32, None),
        DataType::Signed(bits) => (Physical::INT32, Some(LogicalType::integer(bits.cast_signed(), true))),
        DataType::Unsigned(64) => (Physical::INT64, Some(LogicalType::integer(64, false))),
        DataType::Unsigned(bits) => (Physical::INT32, Some(LogicalType::integer(bits.cast_signed(), false))),
        DataType::F32 => (Physical::FLOAT, None),
        DataType::F64 => (Physical::DOUBLE, None),
        DataType::Time => (Physical::INT64, Some(LogicalType::timestamp(true, TimeUnit::MICROS))),
        _ => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
    };
    Type::primitive_type_builder(name, physical)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(logical)
        .build()
}
