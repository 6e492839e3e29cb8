//! The runtime's events as classic ones: the runtime of Windows XP and 2003 has no manifests, and writes the class of
//! the task and the opcode instead of provider and id; version and payload are the same.
//!
//! Source: TraceEvent, which finds each of these events both ways (`lookup` of its facts). `data/classic.txt` has a
//! line for each: class, opcode, provider, id.

use std::sync::{Arc, LazyLock};

use etwkit::bytes::Guid;
use etwkit::error::Result;
use etwkit::event::{EventKey, Kind, RawEvent};
use etwkit::parser::{Claims, SchemaProvider, TraceFacts};
use etwkit::schema::{Schema, SchemaEntry, SchemaSelector};

/// Serves the tables of manifest events for their classic form.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClassicRuntime;

const TEXT: &str = include_str!("../data/classic.txt");

/// The lines of [`TEXT`], read once in a process. One that cannot be read is a defect, which a test finds.
static KEYS: LazyLock<Keys> = LazyLock::new(|| {
    let mut twins: Vec<_> = TEXT.lines().filter_map(twin).collect();
    twins.sort_unstable();
    let claims = twins.iter().map(|(classic, _)| *classic).collect();
    Keys { twins, claims }
});

struct Keys {
    /// Sorted.
    twins: Vec<Twin>,
    claims: Arc<[(Guid, u8)]>,
}

/// Class and opcode of a classic event; provider and id of the manifest event with the same payload.
type Twin = ((Guid, u8), (Guid, u16));

fn twin(line: &str) -> Option<Twin> {
    let mut words = line.split(' ');
    let classic = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    Some((classic, (words.next()?.parse().ok()?, words.next()?.parse().ok()?)))
}

/// Returns the manifest events that share a class and opcode.
fn twins(classic: (Guid, u8)) -> impl Iterator<Item = (Guid, u16)> {
    let start = KEYS.twins.partition_point(|(known, _)| *known < classic);
    let rest = KEYS.twins.get(start..).unwrap_or_default();
    rest.iter().take_while(move |(known, _)| *known == classic).map(|(_, twin)| *twin)
}

impl ClassicRuntime {
    /// Returns the runtime's schemas, found by class and opcode.
    pub fn entries() -> Vec<SchemaEntry> {
        let tables: Vec<SchemaEntry> = crate::tables().entries().flatten().collect();
        let of_twin = |((class, opcode), (provider, id)): &Twin| {
            let twin = SchemaSelector::Manifest { provider: *provider, id: *id };
            let select = SchemaSelector::Classic { class: *class, opcode: *opcode };
            let same = tables.iter().filter(|entry| entry.select == twin);
            let of_class = |entry: &SchemaEntry| {
                let mut entry = entry.clone();
                entry.select = select.clone();
                entry
            };
            same.map(of_class).collect::<Vec<_>>()
        };
        KEYS.twins.iter().flat_map(of_twin).collect()
    }
}

impl SchemaProvider for ClassicRuntime {
    fn name(&self) -> &'static str {
        "clr-classic"
    }

    fn claims(&self) -> Claims {
        Claims::classic(Arc::clone(&KEYS.claims))
    }

    fn schema(&self, event: &RawEvent<'_>, facts: &TraceFacts) -> Result<Option<Schema>> {
        let key = event.key();
        let schemas = twins((key.provider, key.opcode)).filter_map(|(provider, id)| {
            let twin = EventKey { kind: Kind::Manifest, provider, id, version: key.version, opcode: 0, task: 0 };
            crate::tables().set().choose(&twin, None, facts.os_build)
        });
        // Where several share them, the payload decides which it is.
        Ok(schemas.reduce(Schema::or))
    }
}

#[cfg(test)]
mod tests {
    use etwkit::schema::{SchemaSelector, text};

    use super::{ClassicRuntime, KEYS, TEXT};

    #[test]
    fn every_line_leads_to_a_table() {
        assert_eq!(KEYS.twins.len(), TEXT.lines().count());
        for (classic, (provider, id)) in &KEYS.twins {
            let is_there = crate::tables().set().providers().contains(provider);
            assert!(is_there, "{classic:?}: {provider} {id}");
        }
    }

    #[test]
    fn every_class_and_opcode_has_an_entry_that_reads_back() {
        let entries = ClassicRuntime::entries();
        for ((class, opcode), _) in &KEYS.twins {
            let select = SchemaSelector::Classic { class: *class, opcode: *opcode };
            assert!(entries.iter().any(|entry| entry.select == select), "{class} {opcode}");
        }
        assert_eq!(text::parse(&text::print(&entries)).unwrap(), entries);
    }
}
