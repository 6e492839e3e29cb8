//! A definition as a schema.

use std::collections::HashMap;

use etwkit::error::{Error, Result};
use etwkit::limits::MAX_FIELDS;
use etwkit::schema::{
    DisplayFormat, Field, Len, Map, MapKind, Names, Scalar, Schema, SchemaBuilder, SchemaSource, Wire,
};

use crate::expand::{MAX_FORMAT, Slot, detail_key, expand, unescape};
use crate::item::{self, ItemType, Text, conversion};
use crate::tmf::{Argument, Definition, Enumeration, Group, Item, Tmf};

/// The context of a definition.
#[derive(Clone, Copy, Debug)]
pub struct DefinitionContext<'a> {
    /// Its group.
    pub group: &'a Group,
    /// The text it is in, for its enumerations.
    pub tmf: &'a Tmf,
    /// The PDB it comes from, if that is known.
    pub pdb: Option<&'a str>,
}

/// Compiles a definition: a field an argument in the order of the payload, and a message.
///
/// An item type that is not known takes the rest of the payload; arguments after it cannot be found, and the message
/// shows their numbers.
pub fn compile(definition: &Definition, context: DefinitionContext<'_>) -> Result<Schema> {
    let mut arguments: Vec<&Argument> = definition.arguments().collect();
    if arguments.len() > MAX_FIELDS {
        return Err(Error::limit("arguments of a message", MAX_FIELDS));
    }
    if definition.format.len() > MAX_FORMAT {
        return Err(Error::limit("bytes of a message's format", MAX_FORMAT));
    }
    arguments.sort_by_key(|argument| argument.number);
    let format = unescape(&definition.format);
    let names = names(definition, context);
    let mut builder = Schema::builder(SchemaSource::SYMBOLS.into());
    let mut maps = HashMap::new();
    let mut slots = Vec::with_capacity(arguments.len());
    let conversions = conversions(&format);
    let mut is_open = true;
    for argument in arguments {
        if !is_open {
            slots.push(Slot { number: argument.number, field: 0, text: Text::Plain });
            continue;
        }
        let form = item::form(&argument.item.name);
        is_open = form.is_some();
        let mut field = field(argument, form, conversions.get(&argument.number).copied());
        if let Some(form) = form {
            field.map = map(&mut builder, &mut maps, &argument.item, form.names, context.tmf)?;
        }
        let place = builder.field(field) + 1;
        slots.push(Slot { number: argument.number, field: place, text: form.map_or(Text::Fixed, |form| form.text) });
    }
    let message = expand(&format, &names, &slots);
    builder.names(names).message(Some(message)).build()
}

/// Values of trailers that are kept; WPP writes about five.
const MAX_DETAILS: usize = 64;

/// Names: the component as provider, the definition's own name as task, the rest as details.
fn names(definition: &Definition, context: DefinitionContext<'_>) -> Names {
    let mut details: Vec<(Box<str>, Box<str>)> = Vec::new();
    let trailers = [definition.trailer.as_ref(), context.group.trailer.as_ref()];
    for (key, value) in trailers.into_iter().flatten().flat_map(|trailer| trailer.pairs()) {
        let key = detail_key(key);
        if !value.is_empty() && details.len() < MAX_DETAILS && details.iter().all(|(known, _)| **known != *key) {
            details.push((key.into(), value.into()));
        }
    }
    if let Some(pdb) = context.pdb {
        details.push(("symbols".into(), pdb.into()));
    }
    let mut names = Names::default().task(definition.name.clone());
    names.provider = Some(context.group.component.clone()).filter(|name| !name.is_empty());
    names.details = details.into();
    names
}

fn field(argument: &Argument, form: Option<ItemType>, conversion: Option<char>) -> Field {
    let name = argument.expression.clone();
    match form {
        Some(form) => Field::new(name, form.wire).displayed(shown(form, conversion)),
        None => Field::new(name, Wire::Bytes { len: Len::Rest }),
    }
}

/// Returns a plain integer's presentation: the form in which the text shows it implies its type.
fn shown(form: ItemType, conversion: Option<char>) -> DisplayFormat {
    let integer =
        matches!(form.wire, Wire::Scalar(scalar) if !matches!(scalar, Scalar::Pointer | Scalar::F32 | Scalar::F64));
    if !integer || !matches!(form.text, Text::Number(_)) {
        return form.show;
    }
    match conversion {
        Some('x' | 'X' | 'p') => DisplayFormat::Hex,
        Some('u') => DisplayFormat::Unsigned,
        Some('d' | 'i') => DisplayFormat::Signed,
        Some('c' | 'C') => DisplayFormat::Char,
        _ => form.show,
    }
}

/// Returns the conversions with which a format first refers to its arguments, by their numbers.
fn conversions(format: &str) -> HashMap<u16, char> {
    let mut found = HashMap::new();
    for reference in format.split('%').skip(1) {
        let Some((number, rest)) = reference.split_once('!') else { continue };
        let Some((spec, _)) = rest.split_once('!') else { continue };
        if number.bytes().all(|digit| digit.is_ascii_digit())
            && let Ok(number) = number.parse()
        {
            found.entry(number).or_insert_with(|| conversion(spec));
        }
    }
    found
}

/// Maps of a definition that were made, by what names them: many arguments may name one enumeration.
type Maps<'a> = HashMap<(item::Names, &'a str, &'a str), Option<u16>>;

fn map<'a>(
    builder: &mut SchemaBuilder,
    maps: &mut Maps<'a>,
    item: &'a Item,
    names: item::Names,
    tmf: &Tmf,
) -> Result<Option<u16>> {
    let key = (names, &*item.name, item.list.as_deref().unwrap_or_default());
    if let Some(known) = maps.get(&key) {
        return Ok(*known);
    }
    let made = make_map(item, names, tmf)?.map(|map| builder.map(map));
    maps.insert(key, made);
    Ok(made)
}

fn make_map(item: &Item, names: item::Names, tmf: &Tmf) -> Result<Option<Map>> {
    let list = item.list.as_deref().unwrap_or_default();
    let map = match names {
        item::Names::No => return Ok(None),
        item::Names::List => Map::new(&*item.name, MapKind::Values, named(list_values(list))),
        item::Names::Set => Map::new(&*item.name, MapKind::Bits, named(set_bits(list))),
        item::Names::Enum | item::Names::Flags => match tmf.enumeration(list.trim()) {
            Some(enumeration) => enumeration_map(enumeration, names),
            None => return Ok(None),
        },
    };
    map.map(Some)
}

/// `a,b=5,c`: numbers go on after one that is given.
fn list_values(list: &str) -> Vec<(u64, &str)> {
    let mut next = 0;
    let entry = |entry: &'_ str| -> u64 {
        let value = entry.split_once('=').and_then(|(_, value)| crate::tmf::number(value)).unwrap_or(next);
        next = value.wrapping_add(1);
        value & u64::from(u32::MAX)
    };
    let values: Vec<u64> = list.split(',').map(entry).collect();
    values.into_iter().zip(list.split(',').map(label)).collect()
}

fn set_bits(list: &str) -> Vec<(u64, &str)> {
    list.split(',').take(64).enumerate().map(|(bit, name)| (1 << bit, label(name))).collect()
}

fn label(entry: &str) -> &str {
    entry.split_once('=').map_or(entry, |(name, _)| name).trim()
}

fn enumeration_map(enumeration: &Enumeration, names: item::Names) -> Result<Map> {
    let kind = if names == item::Names::Flags { MapKind::Bits } else { MapKind::Values };
    // The item has 32 bits; a negative value is written with more.
    let values = enumeration.values().map(|(value, name)| (value & u64::from(u32::MAX), name));
    Map::new(&*enumeration.name, kind, named(values))
}

/// Leaves out values without a name, which are shown as numbers.
fn named<'n>(values: impl IntoIterator<Item = (u64, &'n str)>) -> impl Iterator<Item = (u64, &'n str)> {
    values.into_iter().filter(|(_, name)| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tmf::parse;

    fn compiled(text: &str) -> Schema {
        let head = "2363c985-9b6e-3283-34a7-e8c27a60b889 sys // SRC=a.c MJ= MN=\n";
        let tmf = parse(&format!("{head}{text}"));
        let (group, definition) = tmf.definitions().next().unwrap();
        compile(definition, DefinitionContext { group, tmf: &tmf, pdb: Some("a.pdb") }).unwrap()
    }

    #[test]
    fn arguments_are_fields_in_the_order_of_their_numbers() {
        let schema = compiled(
            "#typev a_c1 10 \"%0%11!s! %10!x! %12!s!\" // LEVEL=E FUNC=f\n{\nb, ItemNTSTATUS -- 11\na, ItemLong -- 10\nc, ItemListByte(x,y=5,z) -- 12\n}\n",
        );
        let names: Vec<_> = schema.fields().iter().map(|field| &*field.name).collect();
        assert_eq!(names, ["a", "b", "c"]);
        assert_eq!(
            (schema.fields()[0].display, schema.fields()[1].display),
            (DisplayFormat::Hex, DisplayFormat::NtStatus)
        );
        assert_eq!(schema.message().unwrap().to_string(), "%2!s:ntstatus! %1!x! %3!s:named!");
        let map: Vec<_> = schema.maps()[0].entries().collect();
        assert_eq!(map, [(0, "x"), (5, "y"), (6, "z")]);
        let names = schema.names();
        assert_eq!((names.provider.as_deref(), names.task.as_deref()), (Some("sys"), Some("a_c1")));
        assert_eq!((names.detail("function"), names.detail("level")), (Some("f"), Some("E")));
        assert_eq!(
            (names.detail("source"), names.detail("mj"), names.detail("symbols")),
            (Some("a.c"), None, Some("a.pdb"))
        );
        assert_eq!(schema.origin().source, SchemaSource::SYMBOLS);
    }

    #[test]
    fn an_unknown_item_takes_the_rest() {
        let schema = compiled(
            "#typev a_c1 10 \"%10!s! %11!s! %12!s!\"\n{\na, ItemLong -- 10\nb, ItemVar -- 11\nc, ItemLong -- 12\n}\n",
        );
        assert_eq!(schema.fields().len(), 2);
        assert_eq!(schema.fields()[1].wire, Wire::Bytes { len: Len::Rest });
        assert_eq!(schema.message().unwrap().to_string(), "%1!d! %2!s! %%%|12");
    }
}
