//! Payloads of a performance log.

use etwkit_synth::{Guid, Payload};

/// The id of the log.
pub(crate) const LOG: Guid = Guid::new(0x5a1b_0000_0000_4000_8000_0000_0000_0003);
/// The offset of a text that is not there.
const NONE: u32 = u32::MAX;

/// Begins a payload.
fn head() -> Payload {
    Payload::new().guid(LOG).u32(1).u32(1)
}

/// Returns an entry with an instance, a parent and an index if there are any.
pub(crate) fn entry(kind: u32, base: i64, instance: Option<&str>, parent: Option<&str>, index: u32) -> Vec<u8> {
    let mut texts = Payload::new();
    let mut offset = |text: Option<&str>| {
        let Some(text) = text else { return NONE };
        let at = u32::try_from(texts.len()).unwrap();
        texts = std::mem::take(&mut texts).utf16z(text);
        at
    };
    let offsets = [offset(Some("\\\\m")), offset(Some("Object")), offset(instance), offset(parent)];
    let name = offset(Some("Count"));
    let padding = (8 - (52 + texts.len()) % 8) % 8;
    let len = u32::try_from(52 + texts.len() + padding).unwrap();
    let mut entry = Payload::new().u32(len).u32(0).u32(0).u32(kind).i64(base).i32(0);
    for offset in offsets {
        entry = entry.u32(offset);
    }
    entry.u32(index).u32(name).rest(texts).zeros(padding).into_bytes()
}

/// The payload of a list of counters.
pub(crate) fn list(entries: &[Vec<u8>]) -> Vec<u8> {
    head().u32(0x6FF).u32(0x2_0008).bytes(&entries.concat()).into_bytes()
}

/// The record of a counter of one instance.
pub(crate) fn single(first: i64, second: i64) -> Vec<u8> {
    let record = Payload::new().u32(0x0103_4C42).u32(48).u32(0).i64(5).u32(0).i64(first).i64(second);
    record.u32(1).u32(0).into_bytes()
}

/// The record of a counter's instances by name.
pub(crate) fn several(items: &[(&str, i64)]) -> Vec<u8> {
    let (mut table, mut names) = (Payload::new(), Payload::new());
    for (name, value) in items {
        let offset = 24 + 24 * items.len() + names.len();
        table = table.u32(u32::try_from(offset).unwrap()).u32(1).i64(*value).i64(0);
        names = names.utf16z(name);
    }
    let len = u32::try_from(32 + table.len() + names.len()).unwrap();
    let count = u32::try_from(items.len()).unwrap();
    let start = Payload::new().u32(0x0203_4C42).u32(len).u32(len - 8).u32(count).u32(0).u32(0).i64(5);
    start.rest(table).rest(names).into_bytes()
}

/// The payload of a sample.
pub(crate) fn sample(records: &[Vec<u8>]) -> Vec<u8> {
    let records = records.concat();
    let len = u32::try_from(records.len() + 8).unwrap();
    head().u32(0x0003_4C42).u32(len).bytes(&records).into_bytes()
}
