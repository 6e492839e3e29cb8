//! The attributes between an event's selector and its fields.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use nom::Parser;
use nom::branch::alt;
use nom::combinator::opt;
use nom::multi::separated_list1;
use nom::sequence::{pair, preceded};

use crate::bytes::Guid;
use crate::schema::{Message, Names, Origin, SchemaBuilder, SchemaSource, Subject, UserData};

use super::fault::{Fault, Read};
use super::input::Input;
use super::lex::{self, Nom, boxed, expect, keyword, spaced};
use super::maps::Maps;
use super::types::{self, Reference, To};
use super::user_data;
use super::words::EVENT_WORDS;

/// The attributes of an event, `None` where they are not given.
#[derive(Debug, Default)]
pub(super) struct Attributes<'t> {
    pub(super) versions: Option<RangeInclusive<u8>>,
    pub(super) builds: Option<RangeInclusive<u32>>,
    pub(super) task: Option<Task>,
    pub(super) opcode: Option<Box<str>>,
    pub(super) event: Option<Box<str>>,
    pub(super) level: Option<Box<str>>,
    pub(super) channel: Option<Box<str>>,
    pub(super) keywords: Vec<(u64, Box<str>)>,
    pub(super) details: Vec<(Box<str>, Box<str>)>,
    pub(super) message: Option<Message>,
    pub(super) origin: Option<Origin>,
    pub(super) provider_guid: Option<Guid>,
    pub(super) maps: Option<Vec<usize>>,
    pub(super) process: Option<Reference<'t>>,
    pub(super) thread: Option<Reference<'t>>,
    pub(super) no_thread: bool,
    pub(super) user_data: Option<UserData>,
    pub(super) lznt1: Option<u16>,
}

/// The value of a `task` attribute.
#[derive(Debug)]
pub(super) enum Task {
    /// `task none`: no task, although the class or the event has a name.
    Absent,
    Named(Box<str>),
}

impl<'t> Attributes<'t> {
    /// Reads attributes, in any order, up to something else.
    pub(super) fn read(input: &mut Input<'t>, maps: &mut Maps<'t>) -> Read<Self> {
        let mut attributes = Self::default();
        loop {
            let place = input.place();
            let Some(word) = input.maybe(lex::word)? else { return Ok(attributes) };
            if attributes.one(input, maps, (word, place))? {
                return Err(Fault::wrong(place, format!("`{word}` is given twice")));
            }
        }
    }

    /// Returns the versions that an event can be for: those of its first attribute, or all if that is another one.
    pub(super) fn first_versions(mut input: Input<'_>) -> RangeInclusive<u8> {
        let versions = match input.maybe(keyword("version")) {
            Ok(Some(())) => input.read(versions()).ok(),
            _ => None,
        };
        versions.unwrap_or(0..=u8::MAX)
    }

    /// Reads the value of an attribute; true if there was one already.
    fn one(&mut self, input: &mut Input<'t>, maps: &mut Maps<'t>, (word, place): (&str, usize)) -> Read<bool> {
        Ok(match word {
            "version" => self.versions.replace(input.read(versions())?).is_some(),
            "build" => self.builds.replace(input.read(lex::range("builds", 0, u32::MAX))?).is_some(),
            "task" => self.task.replace(input.read(task)?).is_some(),
            "opcode" => self.opcode.replace(boxed(input.read(name)?)).is_some(),
            "name" => self.event.replace(boxed(input.read(name)?)).is_some(),
            "level" => self.level.replace(boxed(input.read(name)?)).is_some(),
            "channel" => self.channel.replace(boxed(input.read(name)?)).is_some(),
            "keyword" => {
                let (mask, name) = input.read(pair(lex::number, spaced(name)))?;
                self.keywords.push((mask, boxed(name)));
                false
            }
            "detail" => {
                let (key, value) = input.read(pair(name, spaced(lex::quoted)))?;
                self.details.push((boxed(key), boxed(value)));
                false
            }
            "message" => self.message.replace(Message::parse(&input.read(lex::quoted)?)).is_some(),
            "origin" => self.origin.replace(input.read(origin)?).is_some(),
            "provider-guid" => self.provider_guid.replace(input.read(lex::guid)?).is_some(),
            "maps" => self.maps.replace(map_list(input, maps)?).is_some(),
            "process-from" => self.process.replace(input.read_here(types::subject)?).is_some(),
            "thread-from" => self.thread.replace(input.read_here(types::subject)?).is_some(),
            "thread-none" => std::mem::replace(&mut self.no_thread, true),
            "lznt1" => self.lznt1.replace(packed(input)?).is_some(),
            "user-data" => self.user_data.replace(user_data::read(input)?).is_some(),
            _ => return Err(Fault::wrong(place, unknown(word))),
        })
    }

    /// Returns the fields with process and thread, found among those of the event.
    pub(super) fn subject(&self, builder: &SchemaBuilder) -> Read<Subject> {
        let find = |reference: &Option<Reference<'_>>| {
            let Some(Reference { rest, to }) = reference else { return Ok(None) };
            let place = match to {
                To::Name(name) => builder.index_of(name),
                To::Place(place) => u16::try_from(*place).ok(),
            };
            place.map(Some).ok_or_else(|| Fault::wrong(*rest, "there is no such field"))
        };
        Ok(Subject { process: find(&self.process)?, thread: find(&self.thread)?, no_thread: self.no_thread })
    }

    /// Moves the names to where they belong.
    pub(super) fn give(&mut self, names: &mut Names) {
        names.opcode = self.opcode.take();
        names.event = self.event.take();
        names.level = self.level.take();
        names.channel = self.channel.take();
        names.keywords = std::mem::take(&mut self.keywords).into();
        names.details = std::mem::take(&mut self.details).into();
        if let Some(task) = self.task.take() {
            names.task = match task {
                Task::Absent => None,
                Task::Named(name) => Some(name),
            };
        }
        names.provider_guid = self.provider_guid.or(names.provider_guid);
    }
}

fn versions<'t>() -> impl FnMut(&'t str) -> Nom<'t, RangeInclusive<u8>> {
    lex::range("versions", 0, u8::MAX)
}

fn name(input: &str) -> Nom<'_, Cow<'_, str>> {
    lex::name(EVENT_WORDS)(input)
}

/// Reads where the packed part of a payload begins: after its size.
fn packed(input: &mut Input<'_>) -> Read<u16> {
    let place = input.place();
    let from = u16::try_from(input.read(lex::number)?).ok().filter(|from| *from >= 4);
    from.ok_or_else(|| Fault::wrong(place, "the packed part begins at byte 4 to 65535, after its size"))
}

fn task(input: &str) -> Nom<'_, Task> {
    alt((keyword("none").map(|()| Task::Absent), name.map(|name| Task::Named(boxed(name))))).parse(input)
}

fn origin(input: &str) -> Nom<'_, Origin> {
    // A text may be of another program, with parsers and sources of its own.
    let source = lex::word.map(|word| SchemaSource::from_name(word).unwrap_or(SchemaSource::USER));
    let source = expect("an origin: event trace-event-info in-trace-manifest user symbols built-in registered", source);
    let version = opt(spaced(keyword("version-guessed")));
    let build = opt(spaced(keyword("build-guessed")));
    let (rest, ((source, version), build)) = pair(pair(source, version), build).parse(input)?;
    Ok((rest, Origin { source, guessed_version: version.is_some(), guessed_build: build.is_some() }))
}

/// `A, B`.
fn map_list<'t>(input: &mut Input<'t>, maps: &mut Maps<'t>) -> Read<Vec<usize>> {
    let list = separated_list1(spaced(lex::sign(',')), types::map_reference);
    let references = input.read_here(list)?;
    references.iter().map(|reference| maps.find(reference)).collect()
}

fn unknown(word: &str) -> String {
    let words: Vec<_> = EVENT_WORDS
        .iter()
        .filter(|word| !["class", "event", "map", "none", "provider"].contains(word))
        .copied()
        .collect();
    format!("unknown attribute `{word}`; there are: {}", words.join(" "))
}

/// Returns a parser of an optional keyword and its quoted text.
pub(super) fn labelled<'t>(word: &'static str) -> impl FnMut(&'t str) -> Nom<'t, Cow<'t, str>> {
    move |input| preceded(keyword(word), spaced(lex::quoted)).parse(input)
}
