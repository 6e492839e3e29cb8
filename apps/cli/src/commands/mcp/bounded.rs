//! Values cut to a size.

use serde_json::{Map, Value, json};

/// Characters of a text, and elements of a list, that are kept.
const TEXT: usize = 2000;
const LIST: usize = 100;

/// Returns a value of at most so many bytes of JSON: the long texts and lists of one that is larger are cut, with a
/// mark. A value that is still too large becomes its size.
pub(super) fn bounded(value: Value, bytes: usize) -> Value {
    let mut value = value;
    if len(&value) <= bytes {
        return value;
    }
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

/// Leaves out the middle: a line may end with the number that it states.
fn cut_text(long: &str, most: usize) -> String {
    let (all, tail) = (long.chars().count(), most / 4);
    let head: String = long.chars().take(most - tail).collect();
    let end: String = long.chars().skip(all - tail).collect();
    format!("{head}... ({} more characters) ...{end}", all - most)
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
        let long = json!({ "a": "x".repeat(5000), "b": vec![0; 500] });
        assert_eq!(bounded(long.clone(), 10_000), long, "it has room");
        let text = bounded(json!({ "a": "x".repeat(100_000) + " 42" }), 4096);
        let cut = text["a"].as_str().unwrap();
        assert!(len(&text) <= 4096 && cut.contains("... (98003 more characters) ...") && cut.ends_with(" 42"), "{cut}");
        let list = bounded(json!(vec!["x".repeat(50); 10_000]), 4096);
        assert!(len(&list) <= 4096 && list.as_array().unwrap().last().unwrap()["omitted"].is_number());
        let wide: Map<String, Value> = (0..10_000).map(|n| (n.to_string(), n.into())).collect();
        assert!(bounded(wide.into(), 4096)["omitted_bytes"].is_number());
    }
}
