//! Integers in decimal, whatever their field states.

use etwkit::decode::Value;

/// Appends an integer, with its sign; nothing of other values.
pub(crate) fn push_decimal(out: &mut Vec<u8>, value: Value<'_>) {
    let mut digits = itoa::Buffer::new();
    let text = match value {
        Value::Signed(number, _) => digits.format(number),
        Value::Unsigned(number, _) | Value::Pointer(number, _) => digits.format(number),
        _ => return,
    };
    out.extend_from_slice(text.as_bytes());
}
