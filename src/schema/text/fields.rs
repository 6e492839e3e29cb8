//! The fields of an event, between braces.

use std::borrow::Cow;

use hashbrown::HashMap;

use crate::limits;
use crate::schema::{Count, DisplayFormat, Expected, Field, Len, SchemaBuilder, Wire};

use super::fault::{Fault, Read};
use super::input::Input;
use super::lex;
use super::maps::{Chosen, Maps};
use super::types::{self, Amount, Reference, To, Type};

/// Reads fields into a builder. Structs are kept on the builder's own stack, so that nesting is not recursion here.
#[derive(Debug)]
pub(super) struct Fields<'r, 't> {
    input: &'r mut Input<'t>,
    maps: &'r mut Maps<'t>,
    chosen: Chosen,
    builder: SchemaBuilder,
    depth: usize,
    /// Of each field so far, whether others may take a length from it.
    integers: Vec<bool>,
    /// The last field of each name.
    by_name: HashMap<Cow<'t, str>, usize>,
}

/// What follows a field's type.
#[derive(Debug, Default)]
struct Suffix<'t> {
    count: Option<Amount<'t>>,
    display: Option<DisplayFormat>,
    map: Option<Reference<'t>>,
    optional: Option<()>,
    expected: Option<Expected>,
    alias: Option<Cow<'t, str>>,
    tag: Option<u32>,
}

impl<'r, 't> Fields<'r, 't> {
    /// Returns a reader of the fields of a schema that has the maps `listed` already.
    pub(super) fn new(
        input: &'r mut Input<'t>,
        maps: &'r mut Maps<'t>,
        mut builder: SchemaBuilder,
        listed: &[usize],
    ) -> Read<Self> {
        let mut chosen = Chosen::default();
        for at in listed {
            let place = chosen.choose(*at, maps, &mut builder);
            place.ok_or_else(|| Fault::wrong(input.place(), TOO_MANY_MAPS))?;
        }
        let (integers, by_name) = <_>::default();
        Ok(Self { input, maps, chosen, builder, depth: 0, integers, by_name })
    }

    /// Reads to the brace that ends the event.
    pub(super) fn read(mut self) -> Read<SchemaBuilder> {
        self.input.read(lex::expect("an attribute of the event or `{`", lex::sign('{')))?;
        let mut begun = true;
        loop {
            let at_new_line = self.input.at_new_line();
            if self.input.takes('}') {
                if self.depth == 0 {
                    return Ok(self.builder);
                }
                self.builder.end_struct();
                self.depth -= 1;
                begun = false;
            } else if begun || at_new_line {
                begun = self.field()?;
            } else {
                return Err(Fault::expected(self.input.rest(), "the end of the field's line"));
            }
        }
    }

    /// Reads a field; true if it began a struct.
    fn field(&mut self) -> Read<bool> {
        if self.integers.len() >= limits::MAX_FIELDS {
            let sentence = format!("an event may have at most {} fields", limits::MAX_FIELDS);
            return Err(Fault::wrong(self.input.place(), sentence));
        }
        let name = self.input.read(types::field_name)?;
        let kind = self.input.read(types::field_type)?;
        let suffix = self.suffix()?;
        let is_struct = matches!(kind, Type::Struct);
        let field = self.resolve(&name, kind, suffix)?;
        self.by_name.insert(name, self.integers.len());
        self.integers.push(field.is_single_integer());
        if is_struct {
            self.begin_struct(field)?;
        } else {
            self.builder.field(field);
        }
        Ok(is_struct)
    }

    fn begin_struct(&mut self, field: Field) -> Read<()> {
        self.input.read(lex::sign('{'))?;
        self.builder.begin_struct(field);
        self.depth += 1;
        // An empty struct may be one deeper: the builder does not count it.
        if self.depth > limits::MAX_DEPTH + 1 {
            let sentence = format!("structs may nest at most {} deep", limits::MAX_DEPTH);
            return Err(Fault::wrong(self.input.place(), sentence));
        }
        Ok(())
    }

    /// Reads what follows the type, in any order.
    fn suffix(&mut self) -> Read<Suffix<'t>> {
        let mut suffix = Suffix::default();
        loop {
            let place = self.input.place();
            let word = lex::word(self.input.rest());
            let twice = match word {
                Ok((_, "x")) => suffix.count.replace(self.input.read(types::count)?).is_some(),
                Ok((_, "as")) => suffix.display.replace(self.input.read(types::display)?).is_some(),
                Ok((_, "map")) => suffix.map.replace(self.input.read(types::map)?).is_some(),
                Ok((_, "optional")) => suffix.optional.replace(self.input.read(lex::keyword("optional"))?).is_some(),
                Ok((_, "is" | "nonzero")) => suffix.expected.replace(self.input.read(types::expected)?).is_some(),
                Ok((_, "alias")) => suffix.alias.replace(self.input.read(types::alias)?).is_some(),
                Ok((_, "tag")) => suffix.tag.replace(self.input.read(types::tag)?).is_some(),
                _ => return Ok(suffix),
            };
            if twice {
                let word = word.map_or("", |(_, word)| word);
                return Err(Fault::wrong(place, format!("the field has `{word}` twice")));
            }
        }
    }

    /// Makes the field, with the places of what it refers to.
    fn resolve(&mut self, name: &str, kind: Type<'t>, suffix: Suffix<'t>) -> Read<Field> {
        let wire = match kind {
            Type::Ready(wire) => wire,
            Type::Text(encoding, from, room) => Wire::Text { encoding, len: self.len(&from, room)? },
            Type::Bytes(from, room) => Wire::Bytes { len: self.len(&from, room)? },
            Type::Bits(from, first, count) => Wire::Bits { of: self.find(&from)?, first, count },
            Type::Struct => Wire::Struct { fields: 0 },
        };
        let mut field = Field::new(name, wire).displayed(suffix.display.unwrap_or_default());
        field.count = match suffix.count {
            None => Count::One,
            Some(Amount::Ready(count)) => count,
            Some(Amount::Field(from)) => Count::Field(self.find(&from)?),
        };
        if let Some(map) = suffix.map {
            let at = self.maps.find(&map)?;
            let place = self.chosen.choose(at, self.maps, &mut self.builder);
            field.map = Some(place.ok_or_else(|| Fault::wrong(map.rest, TOO_MANY_MAPS))?);
        }
        field.optional = suffix.optional.is_some();
        field.expected = suffix.expected;
        field.alias = suffix.alias.map(Into::into);
        field.tag = suffix.tag.unwrap_or(0);
        Ok(field)
    }

    fn len(&self, from: &Reference<'_>, room: Option<u16>) -> Read<Len> {
        let used = self.find(from)?;
        Ok(room.map_or(Len::Field(used), |room| Len::Within { used, room }))
    }

    /// Returns the place of the field that gives a length or count.
    fn find(&self, reference: &Reference<'_>) -> Read<u16> {
        let (place, shown) = match &reference.to {
            To::Name(name) => (self.by_name.get(name.as_ref()).copied(), format!("`{name}`")),
            To::Place(place) => (usize::try_from(*place).ok(), format!("`#{place}`")),
        };
        let found = place.and_then(|place| Some((u16::try_from(place).ok()?, *self.integers.get(place)?)));
        match found {
            Some((place, true)) => Ok(place),
            Some((_, false)) => {
                let sentence = format!("{shown} is not a single integer, so it cannot give a length or count");
                Err(Fault::wrong(reference.rest, sentence))
            }
            None => {
                let sentence = format!("unknown field {shown}: a length or count comes from an earlier field");
                Err(Fault::wrong(reference.rest, sentence))
            }
        }
    }
}

const TOO_MANY_MAPS: &str = "an event may have at most 65535 maps";
