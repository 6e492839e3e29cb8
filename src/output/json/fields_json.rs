//! The payload alone, for outputs that are no lines.

use crate::decode::Event;
use crate::output::PerType;
use crate::render::json::{FieldKeys, push_fields};

/// Writes the member `fields` of JSON lines (`docs/json.md`). Keeps the names of fields, quoted, by type of event.
#[derive(Debug, Default)]
pub struct FieldsJson {
    keys: PerType<Option<FieldKeys>>,
}

impl FieldsJson {
    /// Appends the fields of an event as a JSON object; false, and nothing, if it has no schema.
    pub fn push(&mut self, out: &mut Vec<u8>, event: &Event<'_>) -> bool {
        let new = |known: Option<&Option<FieldKeys>>| match known {
            Some(known) => known.clone(),
            None => event.schema().map(FieldKeys::new),
        };
        let Some(keys) = self.keys.of(event, new) else { return false };
        push_fields(out, event, keys, event.clock());
        true
    }
}
