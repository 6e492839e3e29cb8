//! Values of a batch as text.

use etwkit_columns::{Array, Values};

/// Returns the text of a value of a column.
pub(crate) fn own_text(array: &Array, row: usize) -> String {
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
            let items: Vec<String> = (ends[row]..ends[row + 1]).map(|place| own_text(items, place as usize)).collect();
            format!("[{}]", items.join(","))
        }
        Values::Struct(members) => {
            let members: Vec<String> = members.iter().map(|member| own_text(member, row)).collect();
            format!("({})", members.join(","))
        }
        other => panic!("{other:?}"),
    }
}
