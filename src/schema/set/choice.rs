//! The choice among the schemas for one event.

use std::cmp::Reverse;
use std::sync::Arc;

use crate::event::{EventKey, Kind, RawEvent};
use crate::schema::Schema;
use crate::schema::tracelogging::Metadata;

use super::stored::{Sorting, Stored};

/// Returns those of the entries for an event that may fit, best first: see [`super::SchemaSet::find`].
pub(super) fn best(entries: &[&Stored], version: u8, build: u32) -> Vec<Arc<Schema>> {
    let (found, guessed_version) = by_version(entries, version);
    let (found, guessed_build) = by_build(found, build);
    found.into_iter().map(|stored| stored.schema(guessed_version, guessed_build)).collect()
}

/// Returns the first schema with the others as its alternatives.
pub(super) fn chain(found: Vec<Arc<Schema>>) -> Option<Schema> {
    Schema::chained(found.into_iter().map(Arc::unwrap_or_clone))
}

/// Returns the name of a TraceLogging event, which its metadata has.
pub(super) fn name(event: &RawEvent<'_>) -> Option<String> {
    match event.kind() {
        Kind::TraceLogging => event.metadata().and_then(metadata_name),
        _ => None,
    }
}

fn metadata_name(metadata: &[u8]) -> Option<String> {
    let metadata = Metadata::read(metadata).ok()?;
    Some(String::from_utf8_lossy(metadata.name).into_owned())
}

/// Returns the lookup key of an event. The opcode of a manifest event does not matter, because its id is unique.
pub(super) fn wanted<'a>(key: &EventKey, name: Option<&'a str>) -> Option<Sorting<'a>> {
    let (number, name) = match key.kind {
        Kind::Classic => (u16::from(key.opcode), ""),
        Kind::Manifest | Kind::Wpp => (key.id, ""),
        // The name in the metadata identifies the event; its id does not (section 11).
        Kind::TraceLogging => (0, name?),
        Kind::StringOnly | Kind::Error => return None,
    };
    Some((key.kind, key.provider, number, name))
}

/// Returns the entries of a version or else of the highest lower one, and whether it is the latter.
fn by_version<'s>(entries: &[&'s Stored], version: u8) -> (Vec<&'s Stored>, bool) {
    let exact: Vec<_> = entries.iter().copied().filter(|stored| stored.holds_version(version)).collect();
    if !exact.is_empty() {
        return (exact, false);
    }
    let lower = || entries.iter().copied().filter(|stored| stored.versions.1 < version);
    let highest = lower().map(|stored| stored.versions.1).max();
    (lower().filter(|stored| Some(stored.versions.1) == highest).collect(), true)
}

/// Returns the entries of a build or else all, newest first, and whether there was a choice to make.
fn by_build(mut entries: Vec<&Stored>, build: u32) -> (Vec<&Stored>, bool) {
    let holds = |stored: &Stored| build != 0 && stored.holds_build(build);
    let any = entries.iter().any(|stored| holds(stored));
    if any {
        entries.retain(|stored| holds(stored));
    }
    // A single layout is a guess only if the build is known and not among the builds of the layout.
    let guessed = entries.len() > 1 || (build != 0 && !any);
    entries.sort_by_key(|stored| Reverse(stored.builds));
    (entries, guessed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_ends_within_the_size_that_its_metadata_states() {
        assert_eq!(metadata_name(&[5, 0, 0, b'E', 0]).as_deref(), Some("E"));
        // Five bytes of tags.
        let tagged = [10, 0, 0x81, 0x82, 0x83, 0x84, 0x05, b'E', b'F', 0];
        assert_eq!(metadata_name(&tagged).as_deref(), Some("EF"));
        for (size, len) in [(4, 5), (6, 5), (5, 4)] {
            assert_eq!(metadata_name([size, 0, 0, b'E', 0].get(..len).unwrap()), None, "{size} {len}");
        }
    }
}
