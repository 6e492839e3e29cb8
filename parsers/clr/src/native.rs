//! The runtime of .NET Native: the same events from another provider.
//!
//! Source: traceevent.md 1.1, where `ClrTraceEventParser` serves both providers with the same classes.

use std::sync::OnceLock;

use etwkit::bytes::Guid;
use etwkit::error::Result;
use etwkit::event::RawEvent;
use etwkit::parser::{Claims, Parser, TraceFacts};
use etwkit::schema::{Schema, SchemaEntry, SchemaSet, SchemaSource, text};

/// `Microsoft-Windows-DotNETRuntime`, as the tables write it.
const RUNTIME: &str = "e13c0d23-ccbc-4e12-931b-d9cc2eee27e4";
const NATIVE: &str = "47c3ba0c-77f1-4eb0-8d4d-aef447f16a85";
const CLAIMS: [Guid; 1] = [Guid::from_u128(0x47c3ba0c_77f1_4eb0_8d4d_aef447f16a85)];

/// Serves the runtime's tables for the provider of .NET Native. They are read when its first event comes.
#[derive(Debug, Default)]
pub struct NativeRuntime {
    set: OnceLock<SchemaSet>,
}

impl NativeRuntime {
    /// The runtime's schemas, found by the other GUID. A text that cannot be read is a defect, which a test finds.
    pub fn entries() -> Vec<SchemaEntry> {
        let read = |table: &&str| {
            let entries = text::parse_with_origin(&table.replace(RUNTIME, NATIVE), SchemaSource::BuiltIn.into());
            entries.unwrap_or_default().into_iter().filter(|entry| entry.select.guid() == CLAIMS[0])
        };
        crate::TEXTS.iter().flat_map(read).collect()
    }

    fn set(&self) -> &SchemaSet {
        self.set.get_or_init(|| Self::entries().into_iter().collect())
    }
}

impl Parser for NativeRuntime {
    fn name(&self) -> &'static str {
        "clr-native"
    }

    fn claims(&self) -> Claims<'_> {
        Claims::Providers(&CLAIMS)
    }

    fn schema(&self, event: &RawEvent<'_>, facts: &TraceFacts) -> Result<Option<Schema>> {
        Ok(self.set().choose(&event.key(), None, facts.os_build))
    }
}

#[cfg(test)]
mod tests {
    use etwkit::bytes::Guid;

    use super::{CLAIMS, NATIVE, NativeRuntime, RUNTIME};

    /// Every manifest event of the runtime, and nothing of the other providers.
    #[test]
    fn it_has_what_the_runtime_has() {
        let runtime: Guid = RUNTIME.parse().unwrap();
        assert_eq!(NATIVE.parse(), Ok(CLAIMS[0]));
        let read = |table: &&str| etwkit::schema::text::parse(table).unwrap();
        let entries = crate::TEXTS.iter().flat_map(read).filter(|entry| entry.select.guid() == runtime).count();
        assert!(entries > 148, "{entries}");
        assert_eq!(NativeRuntime::default().set().len(), entries);
        assert_eq!(NativeRuntime::default().set().providers(), CLAIMS);
    }
}
