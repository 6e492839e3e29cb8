//! The parts of a line that are the same for nearly all events of a type.

use std::sync::Arc;

use crate::decode::Event;
use crate::output::compiled::TypeTexts;
use crate::render::json::FieldKeys;
use crate::render::pen::Literal;
use crate::render::plan::Json;
use crate::select::{HeaderField, derived_fields};

use super::derived::DerivedMembers;
use super::names::{write_kind, write_names};

/// What is prepared once for a type, and again where an event has another level, opcode or keywords.
#[derive(Debug)]
pub(super) struct Texts {
    /// From `,"provider"` to `"channel":..`.
    pub(super) names: Vec<u8>,
    /// From `,"kind"` on.
    pub(super) kind: Vec<u8>,
    /// `kind` and the key of the fields with their bracket.
    pub(super) before_fields: Literal<64>,
    pub(super) layout: Arc<LayoutTexts>,
}

/// What depends on nothing in the header of an event but whether it is a hook of the kernel.
#[derive(Debug)]
pub(super) struct LayoutTexts {
    /// Whether the header is one of the kernel's hooks: such events have derived members whatever their schema.
    has_hook: bool,
    /// `None` without a layout.
    pub(super) fields: Option<FieldKeys>,
    /// What may follow from the fields.
    pub(super) derived: Box<[HeaderField]>,
    /// The same compiled; `None` if the fields must be located for it.
    pub(super) members: Option<DerivedMembers>,
}

impl LayoutTexts {
    fn new(event: &Event<'_>) -> Self {
        let (schema, pointer) = (event.layout_schema(), event.raw().pointer_size());
        let (derived, has_hook) = (derived_fields(event), event.raw().hook().is_some());
        let members = schema.and_then(|schema| DerivedMembers::new(&derived, schema, pointer));
        Self { has_hook, fields: schema.map(FieldKeys::new), derived, members }
    }
}

impl TypeTexts for Texts {
    type Dialect = Json;
    type Shared = ();

    const WITHOUT_SCHEMA: bool = true;

    fn new(event: &Event<'_>, (): &(), known: Option<&Self>) -> Self {
        let mut names = Vec::new();
        write_names(&mut names, event);
        let mut kind = Vec::new();
        write_kind(&mut kind, event);
        let has_hook = event.raw().hook().is_some();
        let known = known.map(|known| &known.layout).filter(|layout| layout.has_hook == has_hook);
        let layout = known.map_or_else(|| Arc::new(LayoutTexts::new(event)), Arc::clone);
        let before_fields = Literal::new(&[&kind, &b",\"fields\":{"[..]].concat());
        Self { names, kind, before_fields, layout }
    }

    fn keys<'k>(&'k self, (): &'k ()) -> Option<&'k FieldKeys> {
        self.layout.fields.as_ref()
    }
}
