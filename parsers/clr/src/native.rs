//! The runtime of .NET Native: the same events from another provider.
//!
//! Source: traceevent.md 1.1, where `ClrTraceEventParser` serves both providers with the same classes.

use std::sync::LazyLock;

use etwkit::bytes::Guid;
use etwkit::error::Result;
use etwkit::event::RawEvent;
use etwkit::parser::{Claims, SchemaProvider, TraceFacts};
use etwkit::schema::{Schema, SchemaEntry, SchemaSet, SchemaSource, text};

/// `Microsoft-Windows-DotNETRuntime`, as the tables write it.
const RUNTIME: &str = "e13c0d23-ccbc-4e12-931b-d9cc2eee27e4";
const NATIVE: &str = "47c3ba0c-77f1-4eb0-8d4d-aef447f16a85";
const CLAIMS: [Guid; 1] = [Guid::from_u128(0x47c3ba0c_77f1_4eb0_8d4d_aef447f16a85)];

/// Read when the first event of .NET Native comes, once in a process.
static SET: LazyLock<SchemaSet> = LazyLock::new(|| SchemaSet::new(NativeRuntime::entries()));

/// Serves the runtime's tables for the provider of .NET Native.
#[derive(Clone, Copy, Debug, Default)]
pub struct NativeRuntime;

impl NativeRuntime {
    /// Returns the runtime's schemas, found by the other GUID. A text that cannot be read is a defect, which a test
    /// finds.
    pub fn entries() -> Vec<SchemaEntry> {
        let read = |table: &&str| {
            let entries = text::parse_with_origin(&table.replace(RUNTIME, NATIVE), SchemaSource::BUILT_IN.into());
            entries.unwrap_or_default().into_iter().filter(|entry| entry.select.guid() == CLAIMS[0])
        };
        crate::TEXTS.iter().flat_map(read).collect()
    }
}

impl SchemaProvider for NativeRuntime {
    fn name(&self) -> &'static str {
        "clr-native"
    }

    fn claims(&self) -> Claims {
        Claims::providers(CLAIMS)
    }

    fn schema(&self, event: &RawEvent<'_>, facts: &TraceFacts) -> Result<Option<Schema>> {
        Ok(SET.choose(&event.key(), None, facts.os_build))
    }
}

#[cfg(test)]
mod tests {
    use etwkit::bytes::Guid;

    use super::{CLAIMS, NATIVE, RUNTIME, SET};

    /// Every manifest event of the runtime, and nothing of the other providers.
    #[test]
    fn it_has_what_the_runtime_has() {
        let runtime: Guid = RUNTIME.parse().unwrap();
        assert_eq!(NATIVE.parse(), Ok(CLAIMS[0]));
        let read = |table: &&str| etwkit::schema::text::parse(table).unwrap();
        let entries = crate::TEXTS.iter().flat_map(read).filter(|entry| entry.select.guid() == runtime).count();
        assert!(entries > 148, "{entries}");
        assert_eq!(SET.len(), entries);
        assert_eq!(SET.providers(), CLAIMS);
    }
}
