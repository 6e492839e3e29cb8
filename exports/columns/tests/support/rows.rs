//! Rows of batches as JSON, and whether they show what JSON lines show.

use etwkit_columns::{Array, Batch, DataType, Member, Values};
use serde_json::Value;

/// A row: `None` for nulls.
pub(crate) type Row = Vec<Option<Value>>;

/// Returns the rows of a batch.
pub(crate) fn rows(batch: &Batch) -> Vec<Row> {
    assert!(batch.columns.iter().all(|array| array.len() == batch.rows));
    let batch = batch.clone().expanded();
    (0..batch.rows).map(|row| batch.columns.iter().map(|array| value(array, row)).collect()).collect()
}

/// Returns a value of an array.
fn value(array: &Array, row: usize) -> Option<Value> {
    if !array.validity().is_valid(row) {
        return None;
    }
    Some(match array.values() {
        Values::Bool(all) => all[row].into(),
        Values::I8(all) => all[row].into(),
        Values::I16(all) => all[row].into(),
        Values::I32(all) => all[row].into(),
        Values::I64(all) => all[row].into(),
        Values::U8(all) => all[row].into(),
        Values::U16(all) => all[row].into(),
        Values::U32(all) => all[row].into(),
        Values::U64(all) => all[row].into(),
        // The shortest text that reads back the same: not that of the double.
        Values::F32(all) => format!("{:?}", all[row]).into(),
        Values::F64(all) => format!("{:?}", all[row]).into(),
        Values::Text { ends, bytes } => {
            let text = &bytes[ends[row] as usize..ends[row + 1] as usize];
            std::str::from_utf8(text).unwrap().into()
        }
        Values::Codes { codes, texts } => std::str::from_utf8(texts.get(codes[row]).unwrap()).unwrap().into(),
        Values::List { ends, items } => {
            (ends[row] as usize..ends[row + 1] as usize).map(|place| value(items, place)).collect()
        }
        // In the order of members, whose names are in the type.
        Values::Struct(members) => members.iter().map(|member| value(member, row)).collect(),
        other => panic!("{other:?}"),
    })
}

/// Returns a text, or the text of another value.
pub(crate) fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Returns the text of microseconds since 1970.
pub(crate) fn time_text(micros: i64) -> String {
    let ticks = etwkit::FileTime(etwkit::FileTime::UNIX_EPOCH.0 + 10 * micros);
    ticks.to_string().trim_end_matches('Z').chars().take(26).collect()
}

/// Returns whether a value of a type is what JSON shows of it.
pub(crate) fn is_same(of: &DataType, value: &Value, json: &Value) -> bool {
    match (of, value, json) {
        (DataType::List(of), Value::Array(own), Value::Array(all)) => {
            own.len() == all.len()
                && own.iter().zip(all).all(|(own, json)| own.is_null() && json.is_number() || is_same(of, own, json))
        }
        (DataType::Struct(members), Value::Array(own), Value::Object(all)) => {
            let is_member = |(member, own): (&Member, &Value)| {
                field_of(&member.name, all).is_some_and(|json| is_same(&member.data_type, own, json))
            };
            own.len() == all.len() && members.iter().zip(own).all(is_member)
        }
        (DataType::Time, _, Value::String(text)) => {
            text.trim_end_matches('Z').starts_with(&time_text(value.as_i64().unwrap()))
        }
        (DataType::Signed(_) | DataType::Unsigned(_), _, Value::String(text)) => match text.strip_prefix("0x") {
            Some(digits) => i128::from_str_radix(digits, 16).ok() == value.to_string().parse().ok(),
            None => text_of(value) == *text,
        },
        (DataType::F32 | DataType::F64, Value::String(text), Value::Number(_)) => {
            serde_json::from_str::<Value>(text).is_ok_and(|own| own == *json)
        }
        (DataType::Text, Value::String(text), Value::Object(_) | Value::Array(_)) => {
            serde_json::from_str::<Value>(text).is_ok_and(|own| own == *json)
        }
        _ => text_of(value) == text_of(json),
    }
}

/// Returns the field that a column shows. A column has another name than its field if that is empty, that of a header's
/// column, or that of another field, which JSON numbers in its own way.
pub(crate) fn field_of<'f>(column: &str, fields: &'f serde_json::Map<String, Value>) -> Option<&'f Value> {
    let without = column.rsplit_once('_').filter(|(_, number)| number.parse::<u32>().is_ok());
    let numbered = without.map(|(name, number)| format!("{name}#{number}"));
    let names = [Some(column), numbered.as_deref(), without.map(|(name, _)| name), (column == "field").then_some("")];
    names
        .into_iter()
        .flatten()
        .find_map(|name| fields.iter().find(|(field, _)| field.eq_ignore_ascii_case(name)).map(|(_, value)| value))
}
