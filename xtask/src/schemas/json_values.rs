//! The values of the facts' JSON.

use serde_json::Value;

use crate::done::Done;

pub(super) fn text<'v>(value: &'v Value, key: &str) -> Done<&'v str> {
    Ok(value.get(key).and_then(Value::as_str).ok_or_else(|| format!("no text {key}"))?)
}

pub(super) fn array<'v>(value: &'v Value, key: &str) -> impl Iterator<Item = &'v Value> {
    value.get(key).and_then(Value::as_array).into_iter().flatten()
}

pub(super) fn object<'v>(value: &'v Value, key: &str) -> impl Iterator<Item = (&'v str, &'v Value)> {
    let object = value.get(key).and_then(Value::as_object);
    object.into_iter().flatten().map(|(name, value)| (name.as_str(), value))
}

/// Negative map values are the bits of a `u32`, as the event has them; what is not known is 0.
pub(super) fn integer(value: &Value) -> Done<u64> {
    let signed = || value.as_i64().map(|number| u64::from((number as i32).cast_unsigned()));
    let number = value.as_u64().or_else(signed).or_else(|| value.is_null().then_some(0));
    Ok(number.ok_or_else(|| format!("no number: {value}"))?)
}

/// Names of Windows' own values have a prefix in manifests.
pub(super) fn clean(name: &str) -> &str {
    name.strip_prefix("win:").unwrap_or(name)
}
