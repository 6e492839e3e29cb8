//! Values cut to a size.

use serde_json::{Map, Value, json};

/// Characters of a text, and elements of a list, that are kept.
const TEXT: usize = 2000;
const LIST: usize = 100;

/// Returns a value of at most so many bytes of JSON: long texts and lists are cut, with a mark. A value that
/// is still too large becomes its size.
pub(super) fn bounded(value: Value, bytes: usize) -> Value {
    let mut value = value;
    for shift in 0..5 {
        value = cut(value, TEXT >> (2 * shift), LIST >> shift);
        if len(&value) <= bytes {
            return value;
        }
    }
    json!({ "omitted_bytes": len(&value) })
}

/// The bytes of a value as JSON.
pub(super) fn len(value: &Value) -> usize {
    // Maps of this crate have texts as keys, which cannot fail.
    serde_json::to_string(value).map_or(0, |text| text.len())
}

fn cut(value: Value, text: usize, list: usize) -> Value {
    match value {
        Value::String(long) if long.chars().count() > text => cut_text(&long, text).into(),
        Value::Array(values) => cut_list(values, text, list),
        Value::Object(members) => Value::Object(
            members.into_iter().map(|(name, value)| (name, cut(value, text, list))).collect::<Map<_, _>>(),
        ),
        other => other,
    }
}

fn cut_text(long: &str, most: usize) -> String {
    let kept: String = long.chars().take(most).collect();
    let more = long.chars().count() - most;
    format!("{kept}... ({more} more characters)")
}

fn cut_list(values: Vec<Value>, text: usize, list: usize) -> Value {
    let more = values.len().saturating_sub(list);
    let mut kept: Vec<Value> = values.into_iter().take(list).map(|value| cut(value, text, list)).collect();
    if more > 0 {
        kept.push(json!({ "omitted": more }));
    }
    kept.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_stays_and_what_does_not_is_cut() {
        let small = json!({ "a": [1, 2], "b": "text" });
        assert_eq!(bounded(small.clone(), 1000), small);
        let text = bounded(json!({ "a": "x".repeat(100_000) }), 4096);
        assert!(len(&text) <= 4096 && text["a"].as_str().unwrap().ends_with("more characters)"));
        let list = bounded(json!(vec!["x".repeat(50); 10_000]), 4096);
        assert!(len(&list) <= 4096 && list.as_array().unwrap().last().unwrap()["omitted"].is_number());
        let wide: Map<String, Value> = (0..10_000).map(|n| (n.to_string(), n.into())).collect();
        assert!(bounded(wide.into(), 4096)["omitted_bytes"].is_number());
    }
}
