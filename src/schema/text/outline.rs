//! The places of a text's statements, so that one event can be read without the others.

use std::ops::RangeInclusive;

use crate::bytes::Guid;
use crate::schema::{Origin, SchemaEntry, SchemaSelector};

use super::attributes::Attributes;
use super::context::Context;
use super::event_place::EventPlace;
use super::fault::{Fault, Read};
use super::input::Input;
use super::parse::Statements;
use super::{lex, skim};

/// The events of a text, not read yet.
#[derive(Debug)]
pub(in crate::schema) struct Outline<'t> {
    text: &'t str,
    sections: Vec<Section<'t>>,
    /// The `map` statements.
    maps: Vec<Input<'t>>,
}

/// The events between a `provider` or `class` and the next.
#[derive(Debug)]
pub(in crate::schema) struct Section<'t> {
    context: Context<'t>,
    /// The first `map` statement of the provider.
    first_map: usize,
    /// Of each `event` statement, the place after its first word, and how many `map` statements are before it.
    events: Vec<(Input<'t>, usize)>,
}

impl<'t> Outline<'t> {
    /// Finds the statements of a text. `None` if one of them does not end, or a `provider` or `class` is wrong.
    pub(in crate::schema) fn new(text: &'t str) -> Option<Self> {
        let mut outline = Self { text, sections: Vec::new(), maps: Vec::new() };
        outline.read().ok().map(|()| outline)
    }

    fn read(&mut self) -> Read<()> {
        let mut input = Input::new(self.text);
        let (mut context, mut first_map) = (Context::default(), 0);
        let endless = |input: &Input<'t>| Fault::expected(input.rest(), "`}`");
        while input.place() > 0 {
            match input.read(lex::word)? {
                "provider" => {
                    context = Context::provider(&mut input)?;
                    first_map = self.maps.len();
                    self.begin(context.clone(), first_map);
                }
                "class" => {
                    context.class(&mut input)?;
                    self.begin(context.clone(), first_map);
                }
                "map" => {
                    self.maps.push(input);
                    input = Input::after(skim::after_map(input.rest()).ok_or_else(|| endless(&input))?);
                }
                "event" => {
                    let maps = self.maps.len();
                    if let Some(section) = self.sections.last_mut() {
                        section.events.push((input, maps));
                    }
                    input = Input::after(skim::after_event(input.rest()).ok_or_else(|| endless(&input))?);
                }
                _ => return Err(Fault::expected(input.rest(), "a statement")),
            }
        }
        Ok(())
    }

    fn begin(&mut self, context: Context<'t>, first_map: usize) {
        self.sections.push(Section { context, first_map, events: Vec::new() });
    }

    /// Returns the sections with events.
    pub(in crate::schema) fn sections(&self) -> impl Iterator<Item = &Section<'t>> {
        self.sections.iter().filter(|section| !section.events.is_empty())
    }

    /// Reads an event of a section: an entry for each of its selectors. None if it is wrong or not there.
    pub(in crate::schema) fn event(&self, section: &Section<'t>, at: usize, origin: Origin) -> Vec<SchemaEntry> {
        let Some((input, maps)) = section.events.get(at) else { return Vec::new() };
        let maps = self.maps.get(section.first_map..*maps).unwrap_or_default();
        let place = EventPlace { context: &section.context, maps, input: *input };
        Statements::event_in(self.text, &place, origin).unwrap_or_default()
    }
}

impl Section<'_> {
    /// Returns whether events of this provider, class or message GUID may be in it.
    pub(in crate::schema) fn has(&self, guid: Guid) -> bool {
        self.context.has(guid)
    }

    /// Returns how many `event` statements it has.
    pub(in crate::schema) const fn len(&self) -> usize {
        self.events.len()
    }

    /// Reads the selectors of each `event` statement, with the versions that it may be for; none of those that are wrong.
    pub(in crate::schema) fn selectors(&self) -> impl Iterator<Item = (usize, SchemaSelector, RangeInclusive<u8>)> {
        self.events.iter().enumerate().flat_map(|(at, (input, _))| {
            let mut input = *input;
            let targets = self.context.targets(&mut input).unwrap_or_default();
            let versions = Attributes::first_versions(input);
            targets.into_iter().map(move |(select, _)| (at, select, versions.clone()))
        })
    }
}
