//! The runtime's events as classic ones: the runtime of Windows XP and 2003 has no manifests, and writes the class of the
//! task and the opcode instead of provider and id; version and payload are the same.
//!
//! Source: TraceEvent, which finds each of these events both ways (`lookup` of its facts). `data/classic.txt` has a line
//! for each: class, opcode, provider, id.

use etwkit::bytes::Guid;
use etwkit::error::Result;
use etwkit::event::{EventKey, Kind, RawEvent};
use etwkit::parser::{Claims, Parser, TraceFacts};
use etwkit::schema::{Schema, SchemaEntry, SchemaSelector, SchemaSource, text};
use etwkit::tables::SchemaTables;

const KEYS: &str = include_str!("../data/classic.txt");

/// Serves the tables of manifest events for their classic form.
#[derive(Debug)]
pub struct ClassicRuntime {
    tables: SchemaTables,
    /// Class and opcode; provider and id. Sorted.
    keys: Vec<((Guid, u8), (Guid, u16))>,
    claims: Vec<(Guid, u8)>,
}

impl Default for ClassicRuntime {
    fn default() -> Self {
        // A line that cannot be read is a defect, which a test finds.
        let mut keys: Vec<_> = KEYS.lines().filter_map(key).collect();
        keys.sort_unstable();
        let mut claims: Vec<_> = keys.iter().map(|(classic, _)| *classic).collect();
        claims.dedup();
        Self { tables: crate::clr(), keys, claims }
    }
}

fn key(line: &str) -> Option<((Guid, u8), (Guid, u16))> {
    let mut words = line.split(' ');
    let classic = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    Some((classic, (words.next()?.parse().ok()?, words.next()?.parse().ok()?)))
}

impl ClassicRuntime {
    /// The runtime's schemas, found by class and opcode.
    pub fn entries(&self) -> Vec<SchemaEntry> {
        let read = |text: &&str| text::parse_with_origin(text, SchemaSource::BuiltIn.into()).unwrap_or_default();
        let tables: Vec<SchemaEntry> = self.tables.texts().iter().flat_map(read).collect();
        let of_twin = |((class, opcode), (provider, id)): &((Guid, u8), (Guid, u16))| {
            let twin = SchemaSelector::Manifest { provider: *provider, id: *id };
            let select = SchemaSelector::Classic { class: *class, opcode: *opcode };
            let same = tables.iter().filter(|entry| entry.select == twin);
            same.map(|entry| SchemaEntry { select: select.clone(), ..entry.clone() }).collect::<Vec<_>>()
        };
        self.keys.iter().flat_map(of_twin).collect()
    }

    /// The manifest events that share a class and opcode.
    fn twins(&self, classic: (Guid, u8)) -> impl Iterator<Item = (Guid, u16)> {
        let start = self.keys.partition_point(|(known, _)| *known < classic);
        let rest = self.keys.get(start..).unwrap_or_default();
        rest.iter().take_while(move |(known, _)| *known == classic).map(|(_, twin)| *twin)
    }
}

impl Parser for ClassicRuntime {
    fn name(&self) -> &'static str {
        "clr-classic"
    }

    fn claims(&self) -> Claims<'_> {
        Claims::Classic(&self.claims)
    }

    fn schema(&self, event: &RawEvent<'_>, facts: &TraceFacts) -> Result<Option<Schema>> {
        let key = event.key();
        let schemas = self.twins((key.provider, key.opcode)).filter_map(|(provider, id)| {
            let twin = EventKey { kind: Kind::Manifest, provider, id, version: key.version, opcode: 0, task: 0 };
            self.tables.set().choose(&twin, None, facts.os_build)
        });
        // Where several share them, the payload tells which it is.
        Ok(schemas.reduce(Schema::or))
    }
}

#[cfg(test)]
mod tests {
    use etwkit::schema::{SchemaSelector, text};

    use super::{ClassicRuntime, KEYS};

    #[test]
    fn every_line_leads_to_a_table() {
        let parser = ClassicRuntime::default();
        assert_eq!(parser.keys.len(), KEYS.lines().count());
        for (classic, (provider, id)) in &parser.keys {
            let is_there = parser.tables.set().providers().contains(provider);
            assert!(is_there, "{classic:?}: {provider} {id}");
        }
    }

    #[test]
    fn every_class_and_opcode_has_an_entry_that_reads_back() {
        let parser = ClassicRuntime::default();
        let entries = parser.entries();
        for ((class, opcode), _) in &parser.keys {
            let select = SchemaSelector::Classic { class: *class, opcode: *opcode };
            assert!(entries.iter().any(|entry| entry.select == select), "{class} {opcode}");
        }
        assert_eq!(text::parse(&text::print(&entries)).unwrap(), entries);
    }
}
