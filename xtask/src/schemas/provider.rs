//! The bytes of one provider or class.

use etwkit::bytes::Guid;
use serde_json::Value;

use super::events::Events;
use super::json_values::text;
use super::writer::Writer;
use crate::done::Done;

/// A provider or class.
pub(super) fn bytes(value: &Value) -> Done<Vec<u8>> {
    let mut out = Writer::default();
    out.text(text(value, "n")?);
    match value.get("p").and_then(Value::as_array).map(Vec::as_slice) {
        Some([guid, name]) => {
            out.number(1);
            out.bytes.extend(guid.as_str().ok_or("owner")?.parse::<Guid>()?.to_bytes());
            out.text(name.as_str().ok_or("owner")?);
        }
        _ => out.number(0),
    }
    out.tasks(value)?;
    out.opcodes(value)?;
    out.named(value, "k", |mask| Ok(u64::from_str_radix(mask.trim_start_matches("0x"), 16)?))?;
    out.named(value, "c", |number| Ok(number.parse()?))?;
    let maps = out.maps(value)?;
    let events = Events::of(value)?;
    out.number(events.builds.len() as u64);
    for (first, last) in &events.builds {
        out.number(*first);
        out.number(*last);
    }
    out.templates(value, &maps)?;
    events.write(&mut out);
    Ok(out.finish())
}
