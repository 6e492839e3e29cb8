//! Values of a batch and of a Parquet file as text.

use etwkit_columns::{Array, Values};
use parquet::record::Field;

/// The text of a value as it was written.
pub(crate) fn own(array: &Array, row: usize) -> String {
    if !array.validity().is_valid(row) {
        return "null".to_owned();
    }
    match array.values() {
        Values::Bool(all) => all[row].to_string(),
        Values::I8(all) => all[row].to_string(),
        Values::I16(all) => all[row].to_string(),
        Values::I32(all) => all[row].to_string(),
        Values::I64(all) => all[row].to_string(),
        Values::U8(all) => all[row].to_string(),
        Values::U16(all) => all[row].to_string(),
        Values::U32(all) => all[row].to_string(),
        Values::U64(all) => all[row].to_string(),
        Values::F32(all) => all[row].to_string(),
        Values::F64(all) => all[row].to_string(),
        Values::Text { ends, bytes } => {
            String::from_utf8(bytes[ends[row] as usize..ends[row + 1] as usize].to_vec()).unwrap()
        }
        Values::Codes { codes, texts } => String::from_utf8(texts.get(codes[row]).unwrap().to_vec()).unwrap(),
        Values::List { ends, items } => {
            let items: Vec<String> = (ends[row]..ends[row + 1]).map(|place| own(items, place as usize)).collect();
            format!("[{}]", items.join(","))
        }
        Values::Struct(members) => {
            let members: Vec<String> = members.iter().map(|member| own(member, row)).collect();
            format!("({})", members.join(","))
        }
        other => panic!("{other:?}"),
    }
}

/// The text of a value as it was read.
pub(crate) fn text_of(field: &Field) -> String {
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
            format!("[{}]", list.elements().iter().map(text_of).collect::<Vec<_>>().join(","))
        }
        Field::Group(row) => {
            format!("({})", row.get_column_iter().map(|(_, field)| text_of(field)).collect::<Vec<_>>().join(","))
        }
        other => panic!("{other:?}"),
    }
}
