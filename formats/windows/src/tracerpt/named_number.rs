//! Numbers in `<Data>` of which some have a name.

use etwkit::decode::Value;
use etwkit::render::value::{ValueContext, Written};

use super::value::{push_decimal, push_hex};
use super::value_name::push_name;

/// Appends as [`push_data`](super::value::push_data), with numbers as [`push_decimal`].
pub(super) fn push_named_decimal(out: &mut Vec<u8>, value: Value<'_>, context: ValueContext<'_>) -> Written {
    if push_name(out, value, context) { Written::Text } else { push_decimal(out, value, context) }
}

/// Appends as [`push_data`](super::value::push_data), with numbers as [`push_hex`].
pub(super) fn push_named_hex(out: &mut Vec<u8>, value: Value<'_>, context: ValueContext<'_>) -> Written {
    if push_name(out, value, context) { Written::Text } else { push_hex(out, value, context) }
}
