//! Names of values in `<Data>`.

use etwkit::decode::Value;
use etwkit::render::value::{ValueContext, Written};
use etwkit::schema::MapKind;

use super::value::{push_decimal, push_hex};

/// Appends the name of a value as `<Data>` has it; nothing, and `false`, if it has none.
pub(super) fn push_name(out: &mut Vec<u8>, value: Value<'_>, context: ValueContext<'_>) -> bool {
    let map = context.map.filter(|map| map.kind() == MapKind::Values);
    let Some(name) = map.zip(value.bits()).and_then(|(map, bits)| map.value(bits)) else { return false };
    out.extend_from_slice(name.as_bytes());
    out.push(b' ');
    true
}

/// Appends as [`push_data`](super::value::push_data), with numbers as [`push_decimal`].
pub(super) fn push_named_decimal(out: &mut Vec<u8>, value: Value<'_>, context: ValueContext<'_>) -> Written {
    if push_name(out, value, context) { Written::Text } else { push_decimal(out, value, context) }
}

/// Appends as [`push_data`](super::value::push_data), with numbers as [`push_hex`].
pub(super) fn push_named_hex(out: &mut Vec<u8>, value: Value<'_>, context: ValueContext<'_>) -> Written {
    if push_name(out, value, context) { Written::Text } else { push_hex(out, value, context) }
}
