//! The payload alone, for outputs that are no lines.

use crate::decode::Event;
use crate::output::PerType;
use crate::render::json::{FieldKeys, push_fields};

/// Writes the member `fields` of JSON lines (`docs/json.md`). Keeps the names of fields, quoted, by type of event.
#[derive(Debug, Default)]
pub struct FieldsJson {
    keys: PerType<FieldKeys>,
}

impl FieldsJson {
    /// Appends the fields of an event as a JSON object; false, and nothing, if it has no schema.
    pub fn push(&mut self, out: &mut Vec<u8>, event: &Event<'_>) -> bool {
        let Some(schema) = event.schema() else { return false };
        let keys = self.keys.of(event, |known| known.cloned().unwrap_or_else(|| FieldKeys::new(schema)));
        push_fields(out, event, keys, event.clock());
        true
    }
}
