//! The maps that are known at a place of a text.

use std::borrow::Cow;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hash, Hasher};

use hashbrown::HashMap;
use nom::sequence::pair;

use crate::codes::Codes;
use crate::error::Error;
use crate::limits;
use crate::schema::{Map, MapKind, SchemaBuilder};

use super::fault::{Fault, Read};
use super::input::Input;
use super::lex::{self, spaced};
use super::types::{Reference, To};
use super::words::{self, CODE_TABLES, EVENT_WORDS, MAP_KINDS};

/// The maps of the provider whose events are being read.
#[derive(Debug, Default)]
pub(super) struct Maps<'t> {
    /// Maps that differ.
    distinct: Vec<Map>,
    /// The `map` statements.
    statements: Vec<Statement<'t>>,
    /// The last statement of each name, if all are read.
    by_name: HashMap<Cow<'t, str>, usize>,
    /// Maps by their hash, to know when one is given twice.
    by_hash: HashMap<u64, Vec<usize>>,
    /// How many maps took names from a table of codes, which takes more memory than text.
    of_tables: usize,
    hasher: RandomState,
}

/// A `map` statement.
#[derive(Debug)]
enum Statement<'t> {
    /// Its map among those that differ.
    Read(usize),
    /// The place after the word `map`. It is read when an event refers to it.
    Unread(Input<'t>),
}

impl<'t> Maps<'t> {
    /// Returns the maps of statements that are read on demand: of each, the place after the word `map`.
    pub(super) fn unread(statements: impl Iterator<Item = Input<'t>>) -> Self {
        Self { statements: statements.map(Statement::Unread).collect(), ..Self::default() }
    }

    /// Reads what follows the word `map`.
    pub(super) fn read(&mut self, input: &mut Input<'t>) -> Read<()> {
        let (name, map) = self.map(input)?;
        let at = self.keep(map);
        self.by_name.insert(name, self.statements.len());
        self.statements.push(Statement::Read(at));
        Ok(())
    }

    fn map(&mut self, input: &mut Input<'t>) -> Read<(Cow<'t, str>, Map)> {
        let place = input.place();
        let name = input.read(lex::name(EVENT_WORDS))?;
        let kind = input.maybe(lex::word)?.and_then(|word| words::meaning(MAP_KINDS, word));
        let kind = kind.ok_or_else(|| Fault::expected(input.rest(), "`values`, `bits` or `texts`"))?;
        let codes = self.codes(input, kind)?;
        input.read(lex::sign('{'))?;
        let mut entries: Vec<(u64, Cow<'t, str>)> = Vec::new();
        while !input.takes('}') {
            entries.push(
                input
                    .read(lex::expect("a value and its quoted name, or `}`", pair(lex::number, spaced(lex::quoted))))?,
            );
        }
        // The first name of a value counts: those of the text.
        let named = codes.into_iter().flat_map(Codes::entries);
        entries.extend(named.map(|(code, name)| (code.into(), Cow::Borrowed(name))));
        let map = Map::new(&*name, kind, entries).map_err(|error| Fault::wrong(place, error.to_string()))?;
        Ok((name, map))
    }

    /// Reads `of TABLE`, if a map of values has it.
    fn codes(&mut self, input: &mut Input<'t>, kind: MapKind) -> Read<Option<Codes>> {
        if kind != MapKind::Values || input.maybe(lex::keyword("of"))?.is_none() {
            return Ok(None);
        }
        let place = input.place();
        let codes = input.maybe(lex::word)?.and_then(|word| words::meaning(CODE_TABLES, word));
        let codes =
            codes.ok_or_else(|| Fault::wrong(place, format!("expected one of {}", words::list(CODE_TABLES))))?;
        self.of_tables += 1;
        if self.of_tables > limits::MAX_CODE_MAPS {
            let error = Error::limit("maps with names from tables of codes", limits::MAX_CODE_MAPS);
            return Err(Fault::wrong(place, error.to_string()));
        }
        Ok(Some(codes))
    }

    /// Returns the map of a reference.
    pub(super) fn find(&mut self, reference: &Reference<'_>) -> Read<usize> {
        let found = match &reference.to {
            To::Name(name) => self.by_name.get(name.as_ref()).copied().or_else(|| self.unread_of(name)),
            To::Place(place) => usize::try_from(*place).ok(),
        };
        match found.and_then(|statement| self.statements.get(statement)) {
            Some(Statement::Read(at)) => Ok(*at),
            Some(Statement::Unread(input)) => {
                let (_, map) = self.map(&mut input.clone())?;
                let at = self.keep(map);
                if let Some(statement) = found.and_then(|statement| self.statements.get_mut(statement)) {
                    *statement = Statement::Read(at);
                }
                Ok(at)
            }
            None => Err(Fault::wrong(reference.rest, self.missing(&reference.to))),
        }
    }

    /// Returns the last statement of a name where statements are read on demand.
    fn unread_of(&self, wanted: &str) -> Option<usize> {
        let is_wanted = |statement: &Statement<'t>| match statement {
            Statement::Read(at) => self.distinct.get(*at).is_some_and(|map| map.name() == wanted),
            Statement::Unread(input) => input.clone().read(lex::name(EVENT_WORDS)).is_ok_and(|name| name == wanted),
        };
        self.statements.iter().rposition(is_wanted)
    }

    /// Returns the place of a map among those that differ.
    fn keep(&mut self, map: Map) -> usize {
        let alike = self.by_hash.entry(hash(&self.hasher, &map)).or_default();
        let known = alike.iter().copied().find(|at| self.distinct.get(*at) == Some(&map));
        let at = known.unwrap_or(self.distinct.len());
        if known.is_none() {
            alike.push(at);
            self.distinct.push(map);
        }
        at
    }

    fn missing(&self, to: &To<'_>) -> String {
        match to {
            To::Name(name) => format!("unknown map `{name}`: there is no `map` of that name since the last `provider`"),
            To::Place(place) => {
                format!("unknown map `#{place}`: there are {} `map` since the last `provider`", self.statements.len())
            }
        }
    }
}

/// The maps of one schema.
#[derive(Debug, Default)]
pub(super) struct Chosen(HashMap<usize, u16>);

impl Chosen {
    /// Returns the place of a map in the schema, to which it is added if it is not there. `None` if there is no place
    /// left.
    pub(super) fn choose(&mut self, at: usize, maps: &Maps<'_>, builder: &mut SchemaBuilder) -> Option<u16> {
        let map = maps.distinct.get(at)?;
        if self.0.len() >= usize::from(u16::MAX) && !self.0.contains_key(&at) {
            return None;
        }
        Some(*self.0.entry(at).or_insert_with(|| builder.push_map(map.clone())))
    }
}

fn hash(state: &RandomState, map: &Map) -> u64 {
    let mut hasher = state.build_hasher();
    (map.name(), map.kind()).hash(&mut hasher);
    map.texts().for_each(|entry| entry.hash(&mut hasher));
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::super::{parse, print};
    use super::*;

    /// A map and an event that uses it.
    fn with_map(map: &str) -> String {
        format!("provider {{00000000-0000-0000-0000-000000000001}}\n{map}\nevent id 1 {{ State u8 map M }}\n")
    }

    fn error(text: &str) -> String {
        parse(text).expect_err(text).to_string()
    }

    #[test]
    fn a_map_may_take_over_a_table_of_codes() {
        let entries = parse(&with_map("map M values of thread-state { 5 \"Wait\" 0x7f \"Own\" }")).unwrap();
        let schema = &entries[0].schema;
        let map = schema.map(&schema.fields()[0]).unwrap();
        assert_eq!(map.entries().count(), 11);
        let names = [0, 5, 9, 10, 0x7f].map(|value| map.value(value));
        assert_eq!(names, [Some("Initialized"), Some("Wait"), Some("WaitingForProcessInSwap"), None, Some("Own")]);
        // The printed text has the names themselves.
        let printed = print(&entries);
        assert!(
            printed.contains("map M values {\n") && printed.contains("0x9 \"WaitingForProcessInSwap\"\n"),
            "{printed}"
        );
        assert_eq!(parse(&printed).unwrap(), entries);
    }

    #[test]
    fn only_a_few_tables_of_values_can_be_taken_over() {
        assert!(error(&with_map("map M values of ntstatus {}")).contains("wait-reason thread-state irp-major"));
        assert!(error(&with_map("map M values of {}")).contains("wait-reason thread-state irp-major"));
        assert!(error(&with_map("map M bits of irp-major {}")).contains("expected `{`"));
        let maps = |count: usize| {
            (0..count).map(|n| format!("map M{n} values of irp-major {{}}\n")).collect::<Vec<_>>().concat()
        };
        let last = "map M values { }";
        parse(&with_map(&format!("{}{last}", maps(limits::MAX_CODE_MAPS)))).unwrap();
        assert!(error(&with_map(&format!("{}{last}", maps(limits::MAX_CODE_MAPS + 1)))).contains("the limit of 64"));
    }
}
