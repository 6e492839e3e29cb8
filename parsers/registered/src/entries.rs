//! Everything that is built in, as entries that can be printed.

use etwkit::bytes::Guid;
use etwkit::error::Result;
use etwkit::schema::{Origin, Schema, SchemaEntry, SchemaSelector, SchemaSource};

use crate::compile::compile;
use crate::names::{EventNumbers, names};
use crate::pack::{Naming, Pack, Provider};
use crate::{overrides, tables};

/// Returns the schemas of the tables, one list per table, and then of the pack, one list per provider or class. A list
/// is made on demand.
///
/// Events that the pack knows only by name get a schema without fields, after those of the version before, by which they
/// are decoded. Channels and keywords are left out: they are
/// named by the header of an event.
pub fn entries() -> impl Iterator<Item = Vec<SchemaEntry>> {
    let tables = std::iter::once(overrides()).chain(tables());
    // A pack of its own, so that what is read of it for printing does not stay.
    let pack = Pack::built_in().ok();
    let mut at = 0;
    let packed = std::iter::from_fn(move || {
        let pack = pack.as_ref()?;
        let (guid, naming) = *pack.keys().get(at)?;
        at += 1;
        // What cannot be read is a defect, which a test of this crate finds.
        Some(pack.provider(guid, naming).map(|found| of_provider(found, guid, naming).unwrap_or_default()))
    });
    let tables = tables.map(|tables| tables.entries().flatten().collect());
    tables.chain(packed.map(Option::unwrap_or_default))
}

fn of_provider(provider: &Provider, guid: Guid, naming: Naming) -> Result<Vec<SchemaEntry>> {
    let mut entries = Vec::new();
    for (number, version, event) in provider.events() {
        let numbers = match naming {
            Naming::Manifest => EventNumbers { task: event.task, opcode: event.opcode },
            // Opcodes are bytes.
            Naming::Classic => EventNumbers { task: 0, opcode: number as u8 },
        };
        let names = names(provider, (guid, naming), numbers);
        let is_known = event.has_layouts();
        let older = if is_known { None } else { provider.find_described(number, version) };
        let layouts: Vec<_> = provider.layouts(older.unwrap_or(event)).collect();
        let guessed_build = layouts.len() > 1;
        let known = Origin::from(SchemaSource::REGISTERED);
        let origin = known.guessed_build(guessed_build).guessed_version(older.is_some());
        let mut add = |schema, builds| {
            let entry = SchemaEntry::new(select((guid, naming), number), schema);
            entries.push(entry.versions(version..=version).builds(builds));
        };
        for ((first, last), layout) in layouts {
            add(compile(provider, layout, names.clone(), origin)?.schema, first..=last);
        }
        if !is_known {
            add(Schema::empty(names, known)?, 0..=u32::MAX);
        }
    }
    Ok(entries)
}

fn select((guid, naming): (Guid, Naming), number: u16) -> SchemaSelector {
    match naming {
        Naming::Manifest => SchemaSelector::Manifest { provider: guid, id: number },
        // Opcodes are bytes.
        Naming::Classic => SchemaSelector::Classic { class: guid, opcode: number as u8 },
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use etwkit::schema::text;

    use super::*;

    /// The printed text can be read back, and it is complete.
    #[test]
    fn what_is_printed_reads_back() {
        let pack = Pack::built_in().unwrap();
        let (mut printed, mut wrong) = (0, Vec::new());
        let mut guids = BTreeSet::new();
        for entries in entries() {
            guids.extend(entries.iter().map(|entry| entry.select.guid()));
            printed += entries.len();
            let text = text::print(&entries);
            match text::parse(&text) {
                Ok(read) if read == entries => {}
                Ok(_) => wrong.push(format!("another: {}", text.lines().next().unwrap_or_default())),
                Err(error) => wrong.push(format!("{error}: {}", text.lines().next().unwrap_or_default())),
            }
        }
        println!("{printed} schemas of {} providers and classes", guids.len());
        assert!(wrong.is_empty(), "{} of {}: {wrong:#?}", wrong.len(), guids.len());
        let with_events = pack.keys().iter().filter(|(guid, naming)| {
            pack.provider(*guid, *naming).is_some_and(|provider| provider.events().next().is_some())
        });
        let missing: Vec<_> = with_events.filter(|(guid, _)| !guids.contains(guid)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
