//! From a layout of the pack to a schema.

use std::collections::HashMap;

use etwkit::error::Result;
use etwkit::limits;
use etwkit::schema::tdh::{self, InType, OutType};
use etwkit::schema::{Count, Field, Len, Map, MapKind, Names, Origin, Schema, SchemaBuilder, SchemaSource, Wire};

use crate::pack::{FactField, Provider, Size};
use crate::widths::Widths;

/// The known fields of a layout, and the reason if others are missing.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) schema: Schema,
    /// Why decoding ends at the last field, which then contains the rest of the payload as bytes.
    pub(crate) stop: Option<Stop>,
}

/// Why a field cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stop {
    /// The field.
    pub field: Box<str>,
    /// What is wrong with it.
    pub why: Why,
}

/// The defect of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Why {
    /// Bytes of a constant length that no source gives; nothing follows them, so they take the rest.
    LengthUnknown,
    /// The same before other fields.
    LengthUnknownInside,
    /// A length or count refers to no earlier integer.
    NoSuchField,
    /// Not a type that a property has.
    Type,
    /// A struct without members, or too many fields, or too long names.
    Struct,
}

/// Bytes of names and maps of a layout; the rest of what a schema may have is for the fields themselves.
const MAX_TEXTS: usize = limits::MAX_SCHEMA / 2;

/// Makes the schema of a layout as its source has it.
pub(crate) fn compile(provider: &Provider, layout: &[u32], names: Names, origin: Origin) -> Result<Compiled> {
    compile_as(Widths::default(), provider, layout, names, origin)
}

/// Makes the schema of a reading of a layout.
pub(crate) fn compile_as(
    widths: Widths,
    provider: &Provider,
    layout: &[u32],
    names: Names,
    origin: Origin,
) -> Result<Compiled> {
    let builder = Schema::builder(origin).names(names);
    let mut fields = Fields { provider, widths, builder, list: Vec::new(), maps: HashMap::new(), left: MAX_TEXTS };
    let mut stop = None;
    for (at, place) in layout.iter().enumerate() {
        let Some(field) = provider.field(*place) else { continue };
        let before = fields.list.len();
        if let Err(why) = fields.add(field, 0) {
            let why = if why == Why::LengthUnknown && at + 1 < layout.len() { Why::LengthUnknownInside } else { why };
            let name = provider.field_name(field);
            fields.list.truncate(before);
            fields.list.push(Field::new(name, Wire::Bytes { len: Len::Rest }));
            stop = Some(Stop { field: name.into(), why });
            break;
        }
    }
    let Fields { mut builder, list, .. } = fields;
    for field in list {
        builder.field(field);
    }
    Ok(Compiled { schema: builder.build()?, stop })
}

struct Fields<'p> {
    provider: &'p Provider,
    widths: Widths,
    /// Takes the maps.
    builder: SchemaBuilder,
    list: Vec<Field>,
    /// Maps that were made, by their place; `None` for one that cannot be.
    maps: HashMap<u32, Option<u16>>,
    /// Bytes that names and maps may still take: many fields and values can have one long text.
    left: usize,
}

impl Fields<'_> {
    /// Adds a field, and its members after it.
    fn add(&mut self, field: &FactField, depth: usize) -> Result<(), Why> {
        if self.list.len() >= limits::MAX_FIELDS || depth >= limits::MAX_DEPTH {
            return Err(Why::Struct);
        }
        self.left = self.left.checked_sub(self.provider.field_name(field).len()).ok_or(Why::Struct)?;
        let count = self.count(field.count)?;
        if field.is_struct() {
            return self.add_struct(field, count, depth);
        }
        let mut made = self.value(field, count)?;
        made.map = self.map(field);
        self.list.push(made);
        Ok(())
    }

    fn value(&self, field: &FactField, count: Count) -> Result<Field, Why> {
        let (in_type, out_type) = (self.widths.in_type(field), field.out_type);
        let len = self.len(field)?;
        // For TDH, bytes without a length are empty. Here the facts lack lengths that the manifests had.
        if in_type == InType::BINARY && out_type != OutType::IPV6 && len.is_none() {
            return Err(Why::LengthUnknown);
        }
        tdh::field(self.provider.field_name(field), in_type, out_type, len, count).ok_or(Why::Type)
    }

    fn add_struct(&mut self, field: &FactField, count: Count, depth: usize) -> Result<(), Why> {
        let start = self.list.len();
        self.list.push(Field::new(self.provider.field_name(field), Wire::Struct { fields: 0 }).counted(count));
        for member in self.provider.members(field) {
            self.add(member, depth + 1)?;
        }
        let members = u16::try_from(self.list.len() - start - 1).ok().filter(|members| *members > 0);
        if let Some(made) = self.list.get_mut(start) {
            made.wire = Wire::Struct { fields: members.ok_or(Why::Struct)? };
        }
        Ok(())
    }

    fn len(&self, field: &FactField) -> Result<Option<Len>, Why> {
        Ok(match field.len {
            // A text of no characters is how manifests are shown that let a NUL end it.
            Size::Absent | Size::Fixed(0) => None,
            Size::Fixed(len) => Some(Len::Fixed(len)),
            Size::Named(name) => Some(Len::Field(self.place(name)?)),
            Size::Rest => Some(Len::Rest),
        })
    }

    fn count(&self, count: Size) -> Result<Count, Why> {
        Ok(match count {
            Size::Absent | Size::Fixed(0 | 1) => Count::One,
            Size::Fixed(count) => Count::Fixed(count),
            Size::Named(name) => Count::Field(self.place(name)?),
            Size::Rest => Count::Rest,
        })
    }

    /// Returns the place of the last field of that name, which must be one integer.
    fn place(&self, name: u32) -> Result<u16, Why> {
        let name = self.provider.text(name);
        let at = self.list.iter().rposition(|field| &*field.name == name).ok_or(Why::NoSuchField)?;
        let integer = self.list.get(at).is_some_and(Field::is_single_integer);
        u16::try_from(at).ok().filter(|_| integer).ok_or(Why::NoSuchField)
    }

    fn map(&mut self, field: &FactField) -> Option<u16> {
        let place = field.map()?;
        if let Some(known) = self.maps.get(&place) {
            return *known;
        }
        let made = self.make_map(field);
        self.maps.insert(place, made);
        made
    }

    fn make_map(&mut self, field: &FactField) -> Option<u16> {
        let map = self.provider.map(field)?;
        let kind = if map.bits { MapKind::Bits } else { MapKind::Values };
        let texts: usize =
            self.provider.map_entries(map).map(|(_, text)| size_of::<(u64, Box<str>)>() + text.len()).sum();
        self.left = self.left.checked_sub(texts + self.provider.map_name(map).len())?;
        let made = Map::new(self.provider.map_name(map), kind, self.provider.map_entries(map)).ok()?;
        Some(self.builder.map(made))
    }
}

/// Compiles every layout of a provider, in all readings: for each, its events' first number and version, and why it
/// stops, if it does.
pub fn check(provider: &Provider) -> Result<Vec<(u16, u8, Option<Stop>)>> {
    let mut found = Vec::new();
    for (number, version, event) in provider.events() {
        for (_, layout) in provider.layouts(event) {
            let compiled = compile(provider, layout, Names::default(), SchemaSource::REGISTERED.into())?;
            found.push((number, version, compiled.stop));
            for widths in Widths::others(provider, layout) {
                compile_as(widths, provider, layout, Names::default(), SchemaSource::REGISTERED.into())?;
            }
        }
    }
    Ok(found)
}
