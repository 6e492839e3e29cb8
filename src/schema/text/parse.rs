//! The statements of a text.

use std::sync::Arc;

use crate::schema::{Origin, Schema, SchemaEntry};

use super::attributes::Attributes;
use super::budget::Budget;
use super::context::{Context, Target};
use super::event_place::EventPlace;
use super::fault::{Fault, Read};
use super::fields::Fields;
use super::input::Input;
use super::lex::{self, boxed};
use super::maps::Maps;

/// Reads statement by statement.
#[derive(Debug)]
pub(super) struct Statements<'t> {
    input: Input<'t>,
    origin: Origin,
    budget: Budget,
    context: Context<'t>,
    maps: Maps<'t>,
    entries: Vec<SchemaEntry>,
}

impl<'t> Statements<'t> {
    pub(super) fn new(text: &'t str, origin: Origin) -> Self {
        Self {
            input: Input::new(text),
            origin,
            budget: Budget::new(text.len()),
            context: Context::default(),
            maps: Maps::default(),
            entries: Vec::new(),
        }
    }

    /// Reads a single event, whose statement goes on in `input` after its first word.
    pub(super) fn event_in(text: &'t str, place: &EventPlace<'_, 't>, origin: Origin) -> Read<Vec<SchemaEntry>> {
        let mut statements = Self::new(text, origin);
        statements.context.clone_from(place.context);
        statements.maps = place.maps();
        statements.input = place.input;
        statements.event()?;
        Ok(statements.entries)
    }

    /// Reads the whole text.
    pub(super) fn entries(mut self) -> Read<Vec<SchemaEntry>> {
        while self.input.place() > 0 {
            let here = self.input.rest();
            match self.input.maybe(lex::word)? {
                Some("provider") => self.provider()?,
                Some("map") => self.maps.read(&mut self.input)?,
                Some("class") => self.context.class(&mut self.input)?,
                Some("event") => self.event()?,
                _ => return Err(Fault::expected(here, "`provider`, `map`, `class` or `event`")),
            }
        }
        Ok(self.entries)
    }

    fn provider(&mut self) -> Read<()> {
        self.context = Context::provider(&mut self.input)?;
        self.maps = Maps::default();
        Ok(())
    }

    fn event(&mut self) -> Read<()> {
        let place = self.input.place();
        let targets = self.context.targets(&mut self.input)?;
        let mut attributes = Attributes::read(&mut self.input, &mut self.maps)?;
        let names = self.context.names(&targets, &mut attributes);
        let listed = attributes.maps.take().unwrap_or_default();
        let builder = Schema::builder(attributes.origin.unwrap_or(self.origin));
        let builder = builder.names(names).message(attributes.message.take());
        let mut builder = builder.user_data(attributes.user_data.take().map(Arc::new));
        if let Some(from) = attributes.lznt1 {
            builder = builder.lznt1_from(from);
        }
        let builder = Fields::new(&mut self.input, &mut self.maps, builder, &listed)?.read()?;
        let subject = attributes.subject(&builder)?;
        let schema = builder.subject(subject).build().map_err(|error| Fault::wrong(place, error.to_string()))?;
        if !self.budget.take(&schema, targets.len()) {
            return Err(Fault::wrong(place, "the schemas of this text take too much memory"));
        }
        self.add(targets, &attributes, schema);
        Ok(())
    }

    /// One schema for each of the events.
    fn add(&mut self, targets: Vec<Target<'t>>, attributes: &Attributes<'_>, schema: Schema) {
        let schemas = std::iter::repeat_n(schema, targets.len());
        for ((select, opcode), schema) in targets.into_iter().zip(schemas) {
            let mut entry = SchemaEntry::new(select, schema);
            if opcode.is_some() {
                entry.schema.set_opcode(opcode.map(boxed));
            }
            if let Some(versions) = &attributes.versions {
                entry.versions = versions.clone();
            }
            if let Some(builds) = &attributes.builds {
                entry.builds = builds.clone();
            }
            self.entries.push(entry);
        }
    }
}
