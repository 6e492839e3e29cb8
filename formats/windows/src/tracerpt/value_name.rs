//! Names of values in `<Data>`.

use etwkit::decode::Value;
use etwkit::render::value::ValueContext;
use etwkit::schema::MapKind;

/// Appends the name of a value as `<Data>` has it; nothing, and `false`, if it has none.
pub(super) fn push_name(out: &mut Vec<u8>, value: Value<'_>, context: ValueContext<'_>) -> bool {
    let map = context.map.filter(|map| map.kind() == MapKind::Values);
    let Some(name) = map.zip(value.bits()).and_then(|(map, bits)| map.value(bits)) else { return false };
    out.extend_from_slice(name.as_bytes());
    out.push(b' ');
    true
}
