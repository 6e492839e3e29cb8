//! The parser's part that asks the pack.

use std::cmp::Reverse;

use etwkit::bytes::Guid;
use etwkit::error::Result;
use etwkit::event::{Kind, RawEvent};
use etwkit::schema::{Names, Origin, Schema, Source, standard_opcode};

use crate::compile::compile;
use crate::pack::{Builds, Event, Naming, Pack, Provider};

/// Layouts of one event that are tried.
const MAX_LAYOUTS: usize = 16;

/// The schema of an event from the pack. Of an event that the pack does not have, only the names.
pub(crate) fn schema(pack: &Pack, event: &RawEvent<'_>, build: u32) -> Result<Option<Schema>> {
    let key = event.key();
    let (naming, number) = match key.kind {
        Kind::Manifest => (Naming::Manifest, key.id),
        Kind::Classic => (Naming::Classic, u16::from(key.opcode)),
        _ => return Ok(None),
    };
    let Some(provider) = pack.provider(key.provider, naming) else { return Ok(None) };
    let exact = provider.find(number, key.version);
    let fact = exact.or_else(|| provider.find_lower(number, key.version));
    let names = names(provider, naming, key.provider, event, fact);
    let Some(fact) = fact else { return names_only(names) };
    let origin = Origin { guessed_version: exact.is_none(), ..Source::Registered.into() };
    let mut schemas = Vec::new();
    for (layout, guessed_build) in choose(provider, fact, build) {
        schemas.push(compile(provider, layout, names.clone(), Origin { guessed_build, ..origin })?.schema);
    }
    match schemas.into_iter().reduce(Schema::or) {
        // Its layout is not known: names are better than nothing.
        None => Schema::empty(names, origin).map(Some),
        some => Ok(some),
    }
}

/// An unknown event whose header has a known task keeps that name, and its payload its bytes.
fn names_only(names: Names) -> Result<Option<Schema>> {
    let origin = Origin { guessed_version: true, ..Source::Registered.into() };
    if names.task.is_some() { Schema::empty(names, origin).map(Some) } else { Ok(None) }
}

/// The layouts, those for the nearest builds first, with whether there was a choice.
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

/// What the event and its parts are called: by the numbers in its header, for these are certain.
fn names(provider: &Provider, naming: Naming, guid: Guid, event: &RawEvent<'_>, fact: Option<&Event>) -> Names {
    let boxed = |name: &str| Box::<str>::from(name);
    let mut names = Names { provider: Some(boxed(provider.name())), ..Names::default() };
    if naming == Naming::Classic {
        names.task = Some(boxed(provider.name()));
        names.opcode = provider.opcode(0, event.opcode()).map(boxed);
        if let Some((owner, name)) = provider.owner() {
            names.provider = Some(boxed(name));
            names.provider_guid = Some(owner).filter(|owner| *owner != guid);
        }
        return names;
    }
    let task = if event.task() == 0 { fact.map_or(0, |fact| fact.task) } else { event.task() };
    names.task = provider.task(task).map(boxed);
    if event.opcode() != 0 {
        let name = provider.opcode(task, event.opcode()).or_else(|| standard_opcode(event.opcode()));
        names.opcode = name.map(boxed);
    }
    names.channel = provider.channel(event.channel()).map(boxed);
    names.keywords = provider.keywords(event.keywords()).map(|(mask, name)| (mask, boxed(name))).collect();
    names
}
