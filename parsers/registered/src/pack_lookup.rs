//! The parser's part that asks the pack.

use std::cmp::Reverse;

use etwkit::error::Result;
use etwkit::event::{Kind, RawEvent};
use etwkit::limits;
use etwkit::schema::{Names, Origin, Schema, SchemaSource};

use crate::compile::{compile, compile_as};
use crate::names::{EventNumbers, names};
use crate::pack::{Builds, Event, Naming, Pack, Provider};
use crate::widths::Widths;

/// Layouts of one event that are tried, besides one without fields.
const MAX_LAYOUTS: usize = limits::MAX_LAYOUTS - 1;

/// What the pack has for an event.
#[derive(Debug)]
pub(crate) enum Found {
    /// Nothing.
    Nothing,
    /// Its layouts are not known, or the event is not; a schema without layout has its names, or one without fields for
    /// an event that has no payload.
    Names(Schema),
    /// A layout of an older version, as those of its own are not known, and a schema without fields.
    Older(Schema),
    /// A layout, and others as its alternatives.
    Layout(Schema),
}

/// Returns the facts of the pack for an event of a trace from this OS build.
pub(crate) fn find(pack: &Pack, event: &RawEvent<'_>, build: u32) -> Result<Found> {
    let key = event.key();
    let (naming, number) = match key.kind {
        Kind::Manifest => (Naming::Manifest, key.id),
        Kind::Classic => (Naming::Classic, u16::from(key.opcode)),
        _ => return Ok(Found::Nothing),
    };
    let Some(provider) = pack.provider(key.provider, naming) else { return Ok(Found::Nothing) };
    let exact = provider.find(number, key.version);
    let Some(fact) = exact.or_else(|| provider.find_lower(number, key.version)) else {
        return names_only(names_of(provider, naming, event, None));
    };
    let names = names_of(provider, naming, event, Some(fact));
    let origin = Origin::from(SchemaSource::REGISTERED).guessed_version(exact.is_none());
    // A source may have the names of a version without its fields, of which most are those of the version before.
    let older = if fact.has_layouts() { None } else { provider.find_described(number, key.version) };
    let (described, of_layouts) = older.map_or((fact, origin), |older| (older, origin.guessed_version(true)));
    let Some(schema) = Schema::chained(layouts(provider, described, &names, (of_layouts, build))?) else {
        // It may have no fields.
        let make = if event.payload().is_empty() { Schema::empty } else { Schema::names_only };
        return Ok(Found::Names(make(names, origin)?));
    };
    Ok(match older {
        // It may have no fields, then with an empty payload.
        Some(_) => Found::Older(schema.or(Schema::empty(names, origin)?)),
        None => Found::Layout(schema),
    })
}

/// Returns the schemas of an event's layouts.
fn layouts(provider: &Provider, fact: &Event, names: &Names, (origin, build): (Origin, u32)) -> Result<Vec<Schema>> {
    let mut schemas = Vec::new();
    let layouts: Vec<_> = choose(provider, fact, build).collect();
    for (layout, guessed_build) in &layouts {
        let origin = origin.guessed_build(*guessed_build);
        schemas.push(compile(provider, layout, names.clone(), origin)?.schema);
    }
    // What a source states comes first; the widths that it may have lost come after all sources.
    for (layout, guessed_build) in &layouts {
        let origin = origin.guessed_build(*guessed_build);
        for widths in Widths::others(provider, layout).take(MAX_LAYOUTS - schemas.len()) {
            schemas.push(compile_as(widths, provider, layout, names.clone(), origin)?.schema);
        }
    }
    Ok(schemas)
}

/// Returns the names of an unknown event whose header has a known task. Its payload stays bytes.
fn names_only(names: Names) -> Result<Found> {
    let origin = Origin::from(SchemaSource::REGISTERED).guessed_version(true);
    Ok(if names.task.is_some() { Found::Names(Schema::names_only(names, origin)?) } else { Found::Nothing })
}

/// Returns the layouts, those for the nearest builds first, with whether there was a choice.
fn choose<'p>(provider: &'p Provider, fact: &Event, build: u32) -> impl Iterator<Item = (&'p [u32], bool)> {
    let mut layouts: Vec<(Builds, &[u32])> = provider.layouts(fact).collect();
    if build == 0 {
        layouts.sort_by_key(|(builds, _)| Reverse(*builds));
    } else {
        layouts.sort_by_key(|(builds, _)| distance(*builds, build));
    }
    let guessed = layouts.len() > 1 || layouts.iter().any(|(builds, _)| distance(*builds, build) > 0 && build != 0);
    layouts.into_iter().take(MAX_LAYOUTS).map(move |(_, layout)| (layout, guessed))
}

const fn distance((first, last): Builds, build: u32) -> u32 {
    if build < first { first - build } else { build.saturating_sub(last) }
}

/// Returns the names of the event and its parts, by the numbers in its header, for these are certain.
fn names_of(provider: &Provider, naming: Naming, event: &RawEvent<'_>, fact: Option<&Event>) -> Names {
    let task = if event.task() == 0 { fact.map_or(0, |fact| fact.task) } else { event.task() };
    let numbers = EventNumbers { task, opcode: event.opcode() };
    let mut names = names(provider, (event.key().provider, naming), numbers);
    if naming == Naming::Manifest {
        names.channel = provider.channel(event.channel()).map(Into::into);
        names.provider_keywords = provider.all_keywords();
        names.keywords = provider.keywords(event.keywords()).map(|(mask, name)| (mask, name.into())).collect();
    }
    names
}
