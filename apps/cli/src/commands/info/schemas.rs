//! What decodes the events and what is missing for the rest, for people.

use std::fmt::Write;

use etwkit::render::terminal;
use etwkit::schema::SchemaSource;
use etwkit::trace::{SourceCount, UndecodedTypes};

use crate::text::{counted, grouped, share};

use super::layout::{Align, heading, table};
use super::report::Report;
use super::undecoded::{self, UndecodedGroup};

/// Providers that lack the same and are listed, and events of one provider.
const SHOWN_PROVIDERS: usize = 20;
const SHOWN_KEYS: usize = 8;
/// PDB files that are listed.
const SHOWN_PDBS: usize = 20;

/// From which sources the schemas come, and how many events have none.
pub(super) fn sources(out: &mut String, report: &Report) {
    let all = report.counts().events;
    if all == 0 {
        return;
    }
    let (_, undecoded) = report.trace.decoded();
    let row = |(source, count): (SchemaSource, SourceCount)| {
        let SourceCount { events, schemas, .. } = count;
        [grouped(events), share(events, all), grouped(schemas), in_words(source).to_owned(), guesses(count)]
    };
    let mut rows: Vec<_> = report.trace.sources().into_iter().map(row).collect();
    if undecoded > 0 {
        let none = String::new();
        rows.push([grouped(undecoded), share(undecoded, all), none.clone(), "not decoded".to_owned(), none]);
    }
    heading(out, "Schemas");
    let columns = [
        ("Events", Align::Right),
        ("Share", Align::Right),
        ("Schemas", Align::Right),
        ("From", Align::Left),
        ("", Align::Left),
    ];
    table(out, columns, &rows);
}

/// A source of schemas.
fn in_words(source: SchemaSource) -> &'static str {
    match source {
        SchemaSource::EVENT => "the events themselves",
        SchemaSource::TRACE_EVENT_INFO => "TRACE_EVENT_INFO in the trace",
        SchemaSource::IN_TRACE_MANIFEST => "manifests in the trace",
        SchemaSource::USER => "files given with --schemas",
        SchemaSource::SYMBOLS => "symbols given with --symbols",
        SchemaSource::BUILT_IN => "built-in tables",
        SchemaSource::REGISTERED => "bundled facts of registered providers",
        other => other.name(),
    }
}

/// How many of the events are decoded by a schema that was not certainly theirs.
fn guesses(count: SourceCount) -> String {
    let version = (count.version_guessed > 0)
        .then(|| format!("{} by the schema of an older version", grouped(count.version_guessed)));
    let build =
        (count.build_guessed > 0).then(|| format!("{} layout chosen by build or fit", grouped(count.build_guessed)));
    version.into_iter().chain(build).collect::<Vec<_>>().join("; ")
}

/// What is not decoded, why, and what would help.
pub(super) fn undecoded(out: &mut String, report: &Report) {
    if report.undecoded_types().is_empty() {
        return;
    }
    heading(out, "Missing schemas");
    for group in undecoded::group(report.undecoded_types()) {
        let _ = writeln!(out, "  {}", group.sentence());
        list(out, &group);
        if let Some(supply) = undecoded::supply(group.kind, group.missing) {
            let _ = writeln!(out, "    supply: {supply}");
        }
        if group.kind == etwkit::event::Kind::Wpp {
            symbols(out, report);
        }
    }
    collection(out, report);
}

fn list(out: &mut String, group: &UndecodedGroup<'_>) {
    for gap in group.types.iter().take(SHOWN_PROVIDERS) {
        let name = gap.name.as_deref().map(|name| format!("{} ", terminal::escaped(name))).unwrap_or_default();
        let _ = writeln!(out, "    {:>9}  {name}{}: {}", grouped(gap.events), gap.guid, keys(gap));
    }
    if let Some(more) = group.types.len().checked_sub(SHOWN_PROVIDERS).filter(|more| *more > 0) {
        let _ = writeln!(out, "    and {} more; --json lists them", grouped(more as u64));
    }
}

/// The first keys with their events.
fn keys(gap: &UndecodedTypes) -> String {
    let shown = gap.keys.iter().take(SHOWN_KEYS);
    let mut text: Vec<String> =
        shown.map(|(key, events)| format!("{} ({})", undecoded::key(key), grouped(*events))).collect();
    if let Some(more) = gap.keys.len().checked_sub(SHOWN_KEYS).filter(|more| *more > 0) {
        text.push(format!("and {} more", grouped(more as u64)));
    }
    text.join(", ")
}

/// PDB files that the trace names. It does not state which of them has which messages.
fn symbols(out: &mut String, report: &Report) {
    let pdbs = report.missing_symbols();
    for pdb in pdbs.iter().take(SHOWN_PDBS) {
        let _ = writeln!(out, "    the trace names {} {} age {}", terminal::escaped(&pdb.name), pdb.guid, pdb.age);
    }
    if let Some(more) = pdbs.len().checked_sub(SHOWN_PDBS).filter(|more| *more > 0) {
        let _ = writeln!(out, "    and {} more; --json lists them", counted(more as u64, "PDB file"));
    }
}

/// Other files that may contain what is missing.
fn collection(out: &mut String, report: &Report) {
    let others = report.siblings();
    if others.is_empty() || !report.undecoded_types().iter().any(undecoded::may_be_elsewhere) {
        return;
    }
    let names: Vec<_> = others.iter().take(SHOWN_KEYS).map(|name| terminal::escaped(name)).collect();
    let more = others.len().saturating_sub(SHOWN_KEYS);
    let more = if more > 0 { format!(" and {} more", grouped(more as u64)) } else { String::new() };
    let _ = writeln!(
        out,
        "  hint: {}{more} may be of the same collection and contain the schemas: give all of them with --together",
        names.join(", ")
    );
}
