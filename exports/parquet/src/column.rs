//! One column of a row group.

use bytes::Bytes;
use etwkit_columns::{Array, Validity, Values};
use parquet::column::writer::{ColumnWriter, ColumnWriterImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::{ParquetError, Result};

use crate::same::expanded;

/// How many of the nested groups of a value are there, and where lists begin: levels of definition and repetition.
pub(crate) struct Levels {
    pub(crate) definition: Vec<i16>,
    pub(crate) repetition: Option<Vec<i16>>,
}

/// Writes the values of an array.
pub(crate) fn write(writer: &mut ColumnWriter<'_>, array: &Array) -> Result<()> {
    let array = &*expanded(array);
    if let Values::List { ends, items } = array.values() {
        return write_values(writer, items, &Levels::of_list(array.validity(), ends, items));
    }
    write_values(writer, array, &Levels::of_column(array.validity()))
}

impl Levels {
    fn of_column(validity: &Validity) -> Self {
        let definition = (0..validity.len()).map(|row| i16::from(validity.is_valid(row))).collect();
        Self { definition, repetition: None }
    }

    /// A null list has level 0, an empty one 1, a null in a list 2, and a value 3.
    fn of_list(validity: &Validity, ends: &[u32], items: &Array) -> Self {
        let (mut definition, mut repetition) = (Vec::new(), Vec::new());
        for (row, ends) in ends.windows(2).enumerate() {
            let &[start, end] = ends else { continue };
            if start == end {
                definition.push(i16::from(validity.is_valid(row)));
                repetition.push(0);
            }
            for place in start..end {
                definition.push(2 + i16::from(items.validity().is_valid(place as usize)));
                repetition.push(i16::from(place > start));
            }
        }
        Self { definition, repetition: Some(repetition) }
    }
}

/// Writes those values of an array that are not null, which are as many as levels state.
pub(crate) fn write_values(writer: &mut ColumnWriter<'_>, array: &Array, levels: &Levels) -> Result<()> {
    let validity = array.validity();
    match (writer, array.values()) {
        (ColumnWriter::BoolColumnWriter(writer), Values::Bool(all)) => put(writer, all, validity, levels, |v| *v),
        (ColumnWriter::Int32ColumnWriter(writer), Values::I8(all)) => {
            put(writer, all, validity, levels, |v| (*v).into())
        }
        (ColumnWriter::Int32ColumnWriter(writer), Values::I16(all)) => {
            put(writer, all, validity, levels, |v| (*v).into())
        }
        (ColumnWriter::Int32ColumnWriter(writer), Values::I32(all)) => put(writer, all, validity, levels, |v| *v),
        (ColumnWriter::Int32ColumnWriter(writer), Values::U8(all)) => {
            put(writer, all, validity, levels, |v| (*v).into())
        }
        (ColumnWriter::Int32ColumnWriter(writer), Values::U16(all)) => {
            put(writer, all, validity, levels, |v| (*v).into())
        }
        (ColumnWriter::Int32ColumnWriter(writer), Values::U32(all)) => {
            put(writer, all, validity, levels, |v| v.cast_signed())
        }
        (ColumnWriter::Int64ColumnWriter(writer), Values::I64(all)) => put(writer, all, validity, levels, |v| *v),
        (ColumnWriter::Int64ColumnWriter(writer), Values::U64(all)) => {
            put(writer, all, validity, levels, |v| v.cast_signed())
        }
        (ColumnWriter::FloatColumnWriter(writer), Values::F32(all)) => put(writer, all, validity, levels, |v| *v),
        (ColumnWriter::DoubleColumnWriter(writer), Values::F64(all)) => put(writer, all, validity, levels, |v| *v),
        (ColumnWriter::ByteArrayColumnWriter(writer), Values::Text { ends, bytes }) => {
            let (bytes, ends): (_, Vec<&[u32]>) = (Bytes::copy_from_slice(bytes), ends.windows(2).collect());
            put(writer, &ends, validity, levels, |ends| text(&bytes, ends))
        }
        (ColumnWriter::ByteArrayColumnWriter(writer), Values::Codes { codes, texts }) => {
            let bytes = Bytes::copy_from_slice(texts.bytes());
            let texts: Vec<ByteArray> = texts.ends().windows(2).map(|ends| text(&bytes, ends)).collect();
            put(writer, codes, validity, levels, |code| texts.get(*code as usize).cloned().unwrap_or_default())
        }
        _ => Err(ParquetError::General("an array of another type than its column".to_owned())),
    }
}

/// Returns the text between two ends.
fn text(bytes: &Bytes, ends: &[u32]) -> ByteArray {
    match *ends {
        [start, end] => ByteArray::from(bytes.slice(start as usize..end as usize)),
        _ => ByteArray::new(),
    }
}

/// Hands the values that are not null to a writer.
fn put<T: DataType, V>(
    writer: &mut ColumnWriterImpl<'_, T>,
    all: &[V],
    validity: &Validity,
    levels: &Levels,
    value: impl Fn(&V) -> T::T,
) -> Result<()> {
    let valid = all.iter().enumerate().filter(|(place, _)| validity.is_valid(*place));
    let values: Vec<T::T> = valid.map(|(_, one)| value(one)).collect();
    writer.write_batch(&values, Some(&levels.definition), levels.repetition.as_deref()).map(drop)
}
