//! The parts of a line that are the same for nearly all events of a type.

use std::sync::Arc;

use crate::decode::Event;
use crate::output::compiled::TypeTexts;
use crate::render::json::FieldKeys;
use crate::render::plan::Json;
use crate::select::{HeaderField, derived_fields};

use super::names::{write_kind, write_names};

/// What is prepared once for a type, and again where an event has another level, opcode or keywords.
#[derive(Debug)]
pub(super) struct Texts {
    /// From `,"provider"` to `"channel":..`.
    pub(super) names: Vec<u8>,
    /// From `,"kind"` on.
    pub(super) kind: Vec<u8>,
    pub(super) fields: Option<Arc<FieldKeys>>,
    /// What may follow from the fields.
    pub(super) derived: Arc<[HeaderField]>,
}

impl TypeTexts for Texts {
    type Dialect = Json;
    type Shared = ();

    fn new(event: &Event<'_>, (): &(), known: Option<&Self>) -> Self {
        let mut names = Vec::new();
        write_names(&mut names, event);
        let mut kind = Vec::new();
        write_kind(&mut kind, event);
        let (fields, derived) = match known {
            Some(known) => (known.fields.clone(), Arc::clone(&known.derived)),
            None => (event.schema().map(|schema| Arc::new(FieldKeys::new(schema))), derived_fields(event).into()),
        };
        Self { names, kind, fields, derived }
    }

    fn keys<'k>(&'k self, (): &'k ()) -> Option<&'k FieldKeys> {
        self.fields.as_deref()
    }
}
