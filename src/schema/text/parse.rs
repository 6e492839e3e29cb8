//! The statements of a text.

use std::borrow::Cow;
use std::sync::Arc;

use crate::bytes::Guid;
use crate::schema::{Names, Origin, Schema, SchemaEntry, SchemaSelector};

use super::attributes::{Attributes, labelled};
use super::budget::Budget;
use super::fault::{Fault, Read};
use super::fields::Fields;
use super::input::Input;
use super::lex::{self, boxed};
use super::maps::Maps;
use super::words::EVENT_WORDS;

/// Reads statement by statement.
#[derive(Debug)]
pub(super) struct Statements<'t> {
    input: Input<'t>,
    origin: Origin,
    budget: Budget,
    provider: Provider<'t>,
    class: Option<Class<'t>>,
    maps: Maps<'t>,
    entries: Vec<SchemaEntry>,
}

#[derive(Debug, Default)]
struct Provider<'t> {
    name: Option<Cow<'t, str>>,
    guid: Option<Guid>,
    message: Option<Cow<'t, str>>,
}

#[derive(Debug)]
struct Class<'t> {
    name: Option<Cow<'t, str>>,
    guid: Guid,
}

/// One of the events that a statement is for, with the name of its opcode.
type Target = (SchemaSelector, Option<Box<str>>);

impl<'t> Statements<'t> {
    pub(super) fn new(text: &'t str, origin: Origin) -> Self {
        Self {
            input: Input::new(text),
            origin,
            budget: Budget::new(text.len()),
            provider: Provider::default(),
            class: None,
            maps: Maps::default(),
            entries: Vec::new(),
        }
    }

    /// Reads the whole text.
    pub(super) fn entries(mut self) -> Read<Vec<SchemaEntry>> {
        while self.input.place() > 0 {
            let here = self.input.rest();
            match self.input.maybe(lex::word)? {
                Some("provider") => self.provider()?,
                Some("map") => self.maps.read(&mut self.input)?,
                Some("class") => self.class()?,
                Some("event") => self.event()?,
                _ => return Err(Fault::expected(here, "`provider`, `map`, `class` or `event`")),
            }
        }
        Ok(self.entries)
    }

    fn provider(&mut self) -> Read<()> {
        let name = self.input.maybe(lex::name(EVENT_WORDS))?;
        let guid = self.guid()?;
        let message = self.input.maybe(labelled("message"))?;
        self.provider = Provider { name, guid, message };
        self.class = None;
        self.maps = Maps::default();
        Ok(())
    }

    fn class(&mut self) -> Read<()> {
        let name = self.input.maybe(lex::name(EVENT_WORDS))?;
        let guid = self.input.read(lex::guid)?;
        self.class = Some(Class { name, guid });
        Ok(())
    }

    /// Returns a GUID if there is a brace.
    fn guid(&mut self) -> Read<Option<Guid>> {
        self.input.skip();
        if self.input.rest().starts_with('{') { self.input.read(lex::guid).map(Some) } else { Ok(None) }
    }

    fn event(&mut self) -> Read<()> {
        let place = self.input.place();
        let targets = self.targets()?;
        let mut attributes = Attributes::read(&mut self.input, &self.maps)?;
        let names = self.names(&targets, &mut attributes);
        let listed = attributes.maps.take().unwrap_or_default();
        let builder = Schema::builder(attributes.origin.unwrap_or(self.origin));
        let builder = builder.names(names).message(attributes.message.take());
        let mut builder = builder.user_data(attributes.user_data.take().map(Arc::new));
        if let Some(from) = attributes.lznt1 {
            builder = builder.lznt1_from(from);
        }
        let builder = Fields::new(&mut self.input, &self.maps, builder, &listed)?.read()?;
        let subject = attributes.subject(&builder)?;
        let schema = builder.subject(subject).build().map_err(|error| Fault::wrong(place, error.to_string()))?;
        if !self.budget.take(&schema, targets.len()) {
            return Err(Fault::wrong(place, "the schemas of this text take too much memory"));
        }
        self.add(targets, &attributes, &schema);
        Ok(())
    }

    /// One schema for each of the events.
    fn add(&mut self, targets: Vec<Target>, attributes: &Attributes<'_>, schema: &Schema) {
        for (select, opcode) in targets {
            let mut entry = SchemaEntry::new(select, schema.clone());
            if opcode.is_some() {
                entry.schema.set_opcode(opcode);
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

    /// Reads which events a statement is for.
    fn targets(&mut self) -> Read<Vec<Target>> {
        let here = self.input.place();
        match self.input.maybe(lex::word)? {
            Some("opcode") => {
                let class = self.class_guid(here)?;
                self.numbers("opcodes", u8::MAX, |opcode| SchemaSelector::Classic { class, opcode })
            }
            Some("id") => {
                let provider = self.provider_guid(here)?;
                self.numbers("event ids", u16::MAX, |id| SchemaSelector::Manifest { provider, id })
            }
            Some("name") => {
                let provider = self.provider_guid(here)?;
                let name = boxed(self.input.read(lex::name(EVENT_WORDS))?);
                Ok(vec![(SchemaSelector::TraceLogging { provider, name }, None)])
            }
            Some("message") => {
                let guid = self.class_guid(here)?;
                self.numbers("message numbers", u16::MAX, |number| SchemaSelector::Wpp { guid, number })
            }
            _ => Err(Fault::wrong(here, "after `event` comes `opcode N`, `id N`, `name \"Name\"` or `message N`")),
        }
    }

    /// `1 Start, 2 Stop`.
    fn numbers<T>(&mut self, what: &'static str, most: T, select: impl Fn(T) -> SchemaSelector) -> Read<Vec<Target>>
    where
        T: TryFrom<u64> + std::fmt::Display + Copy,
    {
        let mut targets = Vec::new();
        loop {
            let number = self.input.read(lex::small(what, most))?;
            let opcode = self.input.maybe(lex::name(EVENT_WORDS))?;
            targets.push((select(number), opcode.map(boxed)));
            if !self.input.takes(',') {
                return Ok(targets);
            }
        }
    }

    fn class_guid(&self, place: usize) -> Read<Guid> {
        let missing = || Fault::wrong(place, "such an event needs a `class` before it, since the last `provider`");
        self.class.as_ref().map(|class| class.guid).ok_or_else(missing)
    }

    fn provider_guid(&self, place: usize) -> Read<Guid> {
        self.provider.guid.ok_or_else(|| Fault::wrong(place, "such an event needs a `provider` with a GUID before it"))
    }

    /// Names from the provider, the class or the TraceLogging name, and the attributes.
    fn names(&self, targets: &[Target], attributes: &mut Attributes<'_>) -> Names {
        let owned = |name: &Option<Cow<'t, str>>| name.as_deref().map(Box::from);
        let mut names = Names {
            provider: owned(&self.provider.name),
            provider_message: owned(&self.provider.message),
            ..Names::default()
        };
        match targets.first() {
            Some((SchemaSelector::Classic { .. } | SchemaSelector::Wpp { .. }, _)) => {
                names.provider_guid = self.provider.guid;
                names.task = self.class.as_ref().and_then(|class| owned(&class.name));
            }
            Some((SchemaSelector::TraceLogging { name, .. }, _)) => names.task = Some(name.clone()),
            _ => {}
        }
        attributes.give(&mut names);
        names
    }
}
