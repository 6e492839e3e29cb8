//! The parser: names of the event, and its metadata compiled.

use etwkit::error::Result;
use etwkit::event::{Kind, RawEvent};
use etwkit::parser::{Claims, SchemaProvider, TraceFacts};
use etwkit::schema::{Names, Schema, standard_opcode};

use crate::compile::{compile, text};

/// Parser of TraceLogging events: those with metadata in extended item 11, whatever their channel states.
#[derive(Clone, Copy, Debug, Default)]
pub struct TraceLogging;

impl SchemaProvider for TraceLogging {
    fn name(&self) -> &'static str {
        "tracelogging"
    }

    fn claims(&self) -> Claims {
        Claims::kind(Kind::TraceLogging)
    }

    fn schema(&self, event: &RawEvent<'_>, _: &TraceFacts) -> Result<Option<Schema>> {
        let Some(metadata) = event.metadata() else { return Ok(None) };
        let mut names = Names::default();
        (names.provider, names.opcode) = (provider(event), opcode(event.opcode()));
        compile(metadata, names).map(Some)
    }
}

/// Returns the provider's name from its traits (extended item 12), which an event may lack.
pub(crate) fn provider(event: &RawEvent<'_>) -> Option<Box<str>> {
    event.traits().and_then(|traits| text(traits.name))
}

/// As TraceEvent prints it: nothing for 0, the standard names, else `Opcode(n)`. Metadata has no names of opcodes.
fn opcode(opcode: u8) -> Option<Box<str>> {
    match (opcode, standard_opcode(opcode)) {
        (0, _) => None,
        (_, Some(name)) => Some(name.into()),
        (other, None) => Some(format!("Opcode({other})").into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opcodes_have_standard_names_or_numbers() {
        assert_eq!(opcode(0), None);
        assert_eq!(opcode(1).as_deref(), Some("Start"));
        assert_eq!(opcode(240).as_deref(), Some("Receive"));
        assert_eq!(opcode(77).as_deref(), Some("Opcode(77)"));
    }
}
