//! The runtime of .NET Native: the same events from another provider.
//!
//! Source: traceevent.md 1.1, where `ClrTraceEventParser` serves both providers with the same classes.

use etwkit::bytes::Guid;
use etwkit::error::Result;
use etwkit::event::{EventKey, Kind, RawEvent};
use etwkit::parser::{Claims, SchemaProvider, TraceFacts};
use etwkit::schema::{Schema, SchemaEntry, SchemaSource, text};

/// `Microsoft-Windows-DotNETRuntime`, as the tables write it.
const RUNTIME: &str = "e13c0d23-ccbc-4e12-931b-d9cc2eee27e4";
const NATIVE: &str = "47c3ba0c-77f1-4eb0-8d4d-aef447f16a85";
const CLAIMS: [Guid; 1] = [NATIVE_GUID];

/// [`NATIVE`] as a GUID.
pub(crate) const NATIVE_GUID: Guid = Guid::from_u128(0x47c3ba0c_77f1_4eb0_8d4d_aef447f16a85);

/// [`RUNTIME`] as a GUID.
pub(crate) const RUNTIME_GUID: Guid = Guid::from_u128(0xe13c0d23_ccbc_4e12_931b_d9cc2eee27e4);

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
        let key = event.key();
        if key.kind != Kind::Manifest {
            return Ok(None);
        }
        Ok(crate::tables().choose(&as_runtime(key), None, facts.os_build))
    }
}

/// Returns the key of the runtime's event that has the schema of an event of .NET Native. The schema of a manifest event
/// does not contain its provider's GUID.
pub(crate) fn as_runtime(key: EventKey) -> EventKey {
    let provider = if key.provider == NATIVE_GUID { RUNTIME_GUID } else { key.provider };
    EventKey { provider, ..key }
}

#[cfg(test)]
mod tests {
    use etwkit::bytes::Guid;
    use etwkit::event::{EventKey, Kind};
    use etwkit::schema::{SchemaSelector, SchemaSet};

    use super::{CLAIMS, NATIVE, NativeRuntime, RUNTIME, RUNTIME_GUID};

    /// Every manifest event of the runtime, and nothing of the other providers.
    #[test]
    fn it_has_what_the_runtime_has() {
        let runtime: Guid = RUNTIME.parse().unwrap();
        assert_eq!((NATIVE.parse(), runtime), (Ok(CLAIMS[0]), RUNTIME_GUID));
        let read = |table: &&str| etwkit::schema::text::parse(table).unwrap();
        let entries = crate::TEXTS.iter().flat_map(read).filter(|entry| entry.select.guid() == runtime).count();
        assert!(entries > 148, "{entries}");
        let set = SchemaSet::new(NativeRuntime::entries());
        assert_eq!(set.len(), entries);
        assert_eq!(set.providers(), CLAIMS);
        for entry in set.entries() {
            let SchemaSelector::Manifest { provider, id } = entry.select else { panic!("{:?}", entry.select) };
            let key =
                EventKey { kind: Kind::Manifest, provider, id, version: *entry.versions.start(), opcode: 0, task: 0 };
            let twin = EventKey { provider: RUNTIME_GUID, ..key };
            assert_eq!(crate::tables().choose(&twin, None, 0), set.choose(&key, None, 0), "{id}");
        }
    }
}
