//! The values of one column.

use std::sync::Arc;

use arrow_array::types::{
    ArrowPrimitiveType, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, TimestampMicrosecondType,
    UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{ArrayRef, BooleanArray, ListArray, PrimitiveArray, StringArray, StructArray};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType};
use etwkit_columns::{Array, Texts, Validity, Values};

/// Turns the values of a column into an array of a type.
pub(crate) fn array(of: &DataType, values: Array) -> Result<ArrayRef, ArrowError> {
    let (validity, values) = values.expanded().into_parts();
    let nulls = nulls(validity);
    match values {
        Values::Bool(all) => booleans(&all, nulls),
        Values::I8(all) => primitive::<Int8Type>(all, nulls),
        Values::I16(all) => primitive::<Int16Type>(all, nulls),
        Values::I32(all) => primitive::<Int32Type>(all, nulls),
        Values::I64(all) => sixty_four(of, all, nulls),
        Values::U8(all) => primitive::<UInt8Type>(all, nulls),
        Values::U16(all) => primitive::<UInt16Type>(all, nulls),
        Values::U32(all) => primitive::<UInt32Type>(all, nulls),
        Values::U64(all) => primitive::<UInt64Type>(all, nulls),
        Values::F32(all) => primitive::<Float32Type>(all, nulls),
        Values::F64(all) => primitive::<Float64Type>(all, nulls),
        Values::Text { ends, bytes } => text(ends, bytes, nulls),
        Values::Codes { codes, texts } => coded(&codes, &texts, nulls),
        Values::List { ends, items } => list(of, ends, *items, nulls),
        Values::Struct(members) => structs(of, members, nulls),
        _ => Err(ArrowError::NotYetImplemented("values of a kind that Arrow has no array for".to_owned())),
    }
}

/// A bit each. Validity has as many values, as everything that comes out of `into_parts`.
fn booleans(all: &[bool], nulls: Option<NullBuffer>) -> Result<ArrayRef, ArrowError> {
    if nulls.as_ref().is_some_and(|nulls| nulls.len() != all.len()) {
        return Err(ArrowError::InvalidArgumentError("other nulls than values".to_owned()));
    }
    Ok(Arc::new(BooleanArray::new(BooleanBuffer::from(all), nulls)))
}

fn primitive<T: ArrowPrimitiveType>(all: Vec<T::Native>, nulls: Option<NullBuffer>) -> Result<ArrayRef, ArrowError> {
    Ok(Arc::new(PrimitiveArray::<T>::try_new(ScalarBuffer::from(all), nulls)?))
}

/// Integers or times.
fn sixty_four(of: &DataType, all: Vec<i64>, nulls: Option<NullBuffer>) -> Result<ArrayRef, ArrowError> {
    let DataType::Timestamp(_, zone) = of else { return primitive::<Int64Type>(all, nulls) };
    let times = PrimitiveArray::<TimestampMicrosecondType>::try_new(ScalarBuffer::from(all), nulls)?;
    Ok(Arc::new(times.with_timezone_opt(zone.clone())))
}

fn text(ends: Vec<u32>, bytes: Vec<u8>, nulls: Option<NullBuffer>) -> Result<ArrayRef, ArrowError> {
    Ok(Arc::new(StringArray::try_new(offsets(ends)?, Buffer::from_vec(bytes), nulls)?))
}

/// A text for each code: readers of all kinds take texts without settings, dictionaries they do not.
fn coded(codes: &[u32], texts: &Texts, nulls: Option<NullBuffer>) -> Result<ArrayRef, ArrowError> {
    let (mut ends, mut bytes) = (Vec::with_capacity(codes.len() + 1), Vec::new());
    ends.push(0);
    for code in codes {
        bytes.extend_from_slice(texts.get(*code).unwrap_or_default());
        ends.push(u32::try_from(bytes.len()).map_err(|_| ArrowError::OffsetOverflowError(bytes.len()))?);
    }
    text(ends, bytes, nulls)
}

fn list(of: &DataType, ends: Vec<u32>, items: Array, nulls: Option<NullBuffer>) -> Result<ArrayRef, ArrowError> {
    let DataType::List(field) = of else {
        return Err(ArrowError::SchemaError(format!("a column of lists where the schema has {of}")));
    };
    let items = array(field.data_type(), items)?;
    Ok(Arc::new(ListArray::try_new(Arc::clone(field), offsets(ends)?, items, nulls)?))
}

fn structs(of: &DataType, members: Vec<Array>, nulls: Option<NullBuffer>) -> Result<ArrayRef, ArrowError> {
    let DataType::Struct(fields) = of else {
        return Err(ArrowError::SchemaError(format!("a column of structs where the schema has {of}")));
    };
    let arrays = fields.iter().zip(members).map(|(field, values)| array(field.data_type(), values));
    Ok(Arc::new(StructArray::try_new(fields.clone(), arrays.collect::<Result<Vec<_>, _>>()?, nulls)?))
}

/// The same bits: Arrow has signed offsets, which are the same numbers below 2 GiB.
fn offsets(ends: Vec<u32>) -> Result<OffsetBuffer<i32>, ArrowError> {
    let is_offset = |last: &u32| i32::try_from(*last).is_ok();
    if !ends.is_sorted() || !ends.last().is_some_and(is_offset) {
        return Err(ArrowError::OffsetOverflowError(ends.last().map_or(0, |last| *last as usize)));
    }
    let len = ends.len();
    Ok(OffsetBuffer::new(ScalarBuffer::new(Buffer::from_vec(ends), 0, len)))
}

fn nulls(validity: Validity) -> Option<NullBuffer> {
    let len = validity.len();
    let bits = validity.into_bits()?;
    Some(NullBuffer::new(BooleanBuffer::new(Buffer::from_vec(bits), 0, len)))
}
