//! Values of a Parquet file as text.

use parquet::record::Field;

/// Returns the text of a value as it was read.
pub(crate) fn read_text(field: &Field) -> String {
    match field {
        Field::Null => "null".to_owned(),
        Field::Bool(value) => value.to_string(),
        Field::Byte(value) => value.to_string(),
        Field::Short(value) => value.to_string(),
        Field::Int(value) => value.to_string(),
        Field::Long(value) | Field::TimestampMicros(value) => value.to_string(),
        Field::UByte(value) => value.to_string(),
        Field::UShort(value) => value.to_string(),
        Field::UInt(value) => value.to_string(),
        Field::ULong(value) => value.to_string(),
        Field::Float(value) => value.to_string(),
        Field::Double(value) => value.to_string(),
        Field::Str(text) => text.clone(),
        Field::ListInternal(list) => {
            format!("[{}]", list.elements().iter().map(read_text).collect::<Vec<_>>().join(","))
        }
        Field::Group(row) => {
            format!("({})", row.get_column_iter().map(|(_, field)| read_text(field)).collect::<Vec<_>>().join(","))
        }
        other => panic!("{other:?}"),
    }
}
