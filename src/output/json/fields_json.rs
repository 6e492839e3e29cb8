//! The payload alone, for outputs that are not lines.

use std::sync::Arc;

use crate::decode::{Event, PendingEvent};
use crate::output::PerType;
use crate::output::compiled::{CompiledTypes, TypeTexts};
use crate::output::header_parts::HeaderParts;
use crate::render::json::{FieldKeys, push_fields};
use crate::render::pen::Pen;
use crate::render::plan::Json;

/// Writes the member `fields` of JSON lines (`docs/json.md`). Keeps the names of fields, quoted, by type of event.
#[derive(Debug, Default)]
pub struct FieldsJson {
    keys: PerType<FieldKeys>,
    types: CompiledTypes<Keys>,
    pen: Pen,
}

/// The names of fields, quoted.
#[derive(Debug)]
struct Keys(Option<Arc<FieldKeys>>);

impl TypeTexts for Keys {
    type Dialect = Json;
    type Shared = ();

    fn new(event: &Event<'_>, (): &(), known: Option<&Self>) -> Self {
        let make = || event.layout_schema().map(|schema| Arc::new(FieldKeys::new(schema)));
        Self(known.map_or_else(make, |known| known.0.clone()))
    }

    fn keys<'k>(&'k self, (): &'k ()) -> Option<&'k FieldKeys> {
        self.0.as_deref()
    }
}

impl FieldsJson {
    /// Appends the fields of an event as a JSON object; false, and nothing, if it has no layout.
    pub fn push(&mut self, out: &mut Vec<u8>, event: &Event<'_>) -> bool {
        let Some(schema) = event.layout_schema() else { return false };
        let keys = self.keys.of(event, |known| known.cloned().unwrap_or_else(|| FieldKeys::new(schema)));
        push_fields(out, event, keys, event.clock());
        true
    }

    /// Appends as [`FieldsJson::push`] does, for an event whose fields have not been located; false, and nothing,
    /// unless the type of the event can be compiled and the first layout of the type fits the payload exactly.
    pub fn push_pending(&mut self, out: &mut Vec<u8>, pending: &mut PendingEvent<'_>) -> bool {
        let Self { types, pen, .. } = self;
        let header = HeaderParts::of(pending.raw());
        let Some((compiled, slots)) = types.of(pending, &header, &()) else { return false };
        pen.begin();
        pen.byte(b'{');
        if !compiled.fields(pen, pending, &(), slots) {
            return false;
        }
        let Some(text) = pen.text() else { return false };
        out.extend_from_slice(text);
        true
    }
}
